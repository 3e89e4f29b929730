//! Webhooks of the account: set up, looked after, sent again (contract section 6; the form is ours).

use bordereau_contract::{
    AccountWebhooks, DeliveryDetail, DeliveryStatus, ReadAnswer, Webhook, WebhookDeliveries, WebhookDelivery,
    WebhookNotices, WebhookRequest, WebhookTestResult,
};
use reqwest::{Method, StatusCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::body::decode_json;
use crate::transport::{OutgoingRequest, ServiceAnswer};
use crate::{Client, ClientError, ServiceOperation};

/// What is sent along where there is nothing to say.
#[derive(Serialize)]
struct Nothing {}

impl Client {
    /// Every webhook of the account. Repeated after a failure: it changes nothing.
    pub async fn list_webhooks(&self) -> Result<AccountWebhooks, ClientError> {
        list_account_webhooks(self).await.map(|read| read.value)
    }

    /// Adds a webhook; its secret is in this answer only. Never repeated by itself.
    ///
    /// # Errors
    /// [`ClientError::Rejected`] with the fields at fault by pointer; others as everywhere.
    pub async fn add_webhook(&self, webhook: &WebhookRequest) -> Result<Webhook, ClientError> {
        make_secret(self, "", webhook).await
    }

    /// Puts a webhook in the place of one; its secret and what waits for it stay.
    ///
    /// # Errors
    /// As [`Client::add_webhook`]; 404 as [`ClientError::Rejected`] where there is none;
    /// [`ClientError::NotSendable`] where it has events or states that are not known here: the change would end them.
    pub async fn change_webhook(&self, id: &str, webhook: &WebhookRequest) -> Result<Webhook, ClientError> {
        let known = list_account_webhooks(self).await?;
        let at = known.value.webhooks.iter().position(|known| known.id == id).unwrap_or_default();
        let [events, states] = ["events", "states"].map(|member| format!("[{at}].{member}"));
        if known.losses.iter().any(|loss| loss.path.contains(&events) || loss.path.contains(&states)) {
            let reason = "the service has events or states for this webhook that Bordereau doesn't know, and the \
                 change would end them; change it on the service's own pages";
            return Err(ClientError::NotSendable { reason: reason.to_owned() });
        }
        let body = serde_json::to_vec(webhook).expect("texts and numbers serialize");
        let answer = send_webhook_request(self, Method::PUT, &webhook_path(id)?, &[], Some(body)).await?;
        // Done without a word: the list has what it is now.
        if answer.body.trim_ascii().is_empty()
            && let Ok(now) = list_account_webhooks(self).await
            && let Some(found) = now.value.webhooks.into_iter().find(|webhook| webhook.id == id)
        {
            return Ok(found);
        }
        self.inner.understand(&answer).map(|read| read.value).map_err(ClientError::of_write)
    }

    /// Makes a new secret; the old one stops working at once. It is in this answer only.
    ///
    /// # Errors
    /// As [`Client::change_webhook`].
    pub async fn renew_webhook_secret(&self, id: &str) -> Result<Webhook, ClientError> {
        make_secret(self, &format!("{}/secret", webhook_path(id)?), &Nothing {}).await
    }

    /// Removes a webhook and what waits for it.
    ///
    /// # Errors
    /// 404 as [`ClientError::Rejected`] where there is none; others as everywhere.
    pub async fn remove_webhook(&self, id: &str) -> Result<(), ClientError> {
        let answer = send_webhook_request(self, Method::DELETE, &webhook_path(id)?, &[], None).await?;
        // Most answer with nothing, or with a word; one may also say that it stays.
        match decode_json::<Webhook>(&answer) {
            Err(refused @ ClientError::Rejected { .. }) => Err(refused),
            _ => Ok(()),
        }
    }

    /// Has a test delivered at once, and learns what came of it.
    ///
    /// # Errors
    /// As [`Client::remove_webhook`].
    pub async fn test_webhook(&self, id: &str) -> Result<WebhookTestResult, ClientError> {
        change_webhook(self, Method::POST, &format!("{}/test", webhook_path(id)?), &Nothing {}).await
    }

    /// Deliveries of a webhook, the newest first; of one status where it is said, and older ones than `before`.
    ///
    /// # Errors
    /// As [`Client::remove_webhook`].
    pub async fn webhook_deliveries(
        &self,
        id: &str,
        status: Option<DeliveryStatus>,
        before: Option<i64>,
    ) -> Result<WebhookDeliveries, ClientError> {
        let status = status.filter(|status| *status != DeliveryStatus::Unknown);
        let mut query: Vec<(&str, String)> =
            status.into_iter().map(|status| ("status", <&str>::from(status).to_owned())).collect();
        query.extend(before.map(|number| ("before", number.to_string())));
        let answer = send_webhook_request(
            self,
            Method::GET,
            &format!("{}/deliveries", webhook_path(id)?),
            &query,
            None,
        )
        .await?;
        self.inner.understand(&answer).map(|read| read.value)
    }

    /// All that is known of a delivery.
    ///
    /// # Errors
    /// As [`Client::remove_webhook`].
    pub async fn webhook_delivery(&self, number: i64) -> Result<DeliveryDetail, ClientError> {
        get_webhook(self, &format!("/deliveries/{number}")).await
    }

    /// Has a delivery sent again.
    ///
    /// # Errors
    /// As [`Client::remove_webhook`].
    pub async fn redeliver_event(&self, number: i64) -> Result<WebhookDelivery, ClientError> {
        change_webhook(self, Method::POST, &format!("/deliveries/{number}/redeliver"), &Nothing {}).await
    }

    /// The system notifications about deliveries that were given up.
    ///
    /// # Errors
    /// [`ClientError`]; 404 as [`ClientError::Rejected`] where the service has none of this.
    pub async fn webhook_notices(&self) -> Result<WebhookNotices, ClientError> {
        get_webhook(self, "/notices").await
    }
}

/// The part of the address for one webhook; an invalid id cannot change the rest of the address.
fn webhook_path(id: &str) -> Result<String, ClientError> {
    let is_id =
        !id.is_empty() && id.len() <= 100 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if is_id {
        return Ok(format!("/{id}"));
    }
    let reason = "the id of a webhook has letters, digits and hyphens only".to_owned();
    Err(ClientError::NotSendable { reason })
}

/// The list may come alone.
async fn list_account_webhooks(client: &Client) -> Result<ReadAnswer<AccountWebhooks>, ClientError> {
    let mut answer = send_webhook_request(client, Method::GET, "", &[], None).await?;
    if answer.status == StatusCode::NO_CONTENT {
        answer.body = b"[]".to_vec();
    }
    answer.wrap_list();
    client.inner.understand(&answer)
}

async fn get_webhook<T: DeserializeOwned>(client: &Client, below: &str) -> Result<T, ClientError> {
    let answer = send_webhook_request(client, Method::GET, below, &[], None).await?;
    client.inner.understand(&answer).map(|read| read.value)
}

/// A webhook with its new secret, which may be beside the webhook in the answer.
async fn make_secret(client: &Client, below: &str, body: &impl Serialize) -> Result<Webhook, ClientError> {
    #[derive(Deserialize)]
    struct NewSecret {
        #[serde(alias = "signing_secret", alias = "secret_key", alias = "webhook_secret")]
        secret: String,
    }
    let (mut made, answer): (Webhook, _) = send_change(client, Method::POST, below, body).await?;
    if made.secret.is_none() {
        made.secret = decode_json::<NewSecret>(&answer).ok().map(|read| read.value.secret);
    }
    Ok(made)
}

async fn change_webhook<T: DeserializeOwned>(
    client: &Client,
    method: Method,
    below: &str,
    body: &impl Serialize,
) -> Result<T, ClientError> {
    send_change(client, method, below, body).await.map(|(value, _)| value)
}

async fn send_change<T: DeserializeOwned>(
    client: &Client,
    method: Method,
    below: &str,
    body: &impl Serialize,
) -> Result<(T, ServiceAnswer), ClientError> {
    let body = serde_json::to_vec(body).expect("texts and numbers serialize");
    let answer = send_webhook_request(client, method, below, &[], Some(body)).await?;
    // What it was answered with can't be read: it may be done all the same.
    let read = client.inner.understand(&answer).map_err(ClientError::of_write)?;
    Ok((read.value, answer))
}

async fn send_webhook_request(
    client: &Client,
    method: Method,
    below: &str,
    query: &[(&str, String)],
    body: Option<Vec<u8>>,
) -> Result<ServiceAnswer, ClientError> {
    let inner = &client.inner;
    let config = &inner.transport.config;
    let mut url = inner.transport.base.endpoint_url(&format!("{}{below}", config.paths.webhooks))?;
    if !query.is_empty() {
        url.query_pairs_mut().extend_pairs(query);
    }
    let is_read = method == Method::GET;
    let operation = if is_read { ServiceOperation::LookAtWebhooks } else { ServiceOperation::ManageWebhooks };
    let request = OutgoingRequest {
        method,
        body: body.map(Into::into),
        ..OutgoingRequest::get(operation, url, config.answer_bytes_max)
    };
    let answer = inner.call_service(&request, inner.call_deadline()).await;
    if is_read { answer } else { answer.map_err(ClientError::of_write) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_leads_to_its_webhook_only() {
        assert_eq!(webhook_path("0f3a").ok().as_deref(), Some("/0f3a"));
        for id in ["", "../notices", "a/b", "a?b", "a b", "é"] {
            assert!(webhook_path(id).is_err(), "{id}");
        }
    }
}
