//! Webhooks of the account: set up, looked after, sent again (contract section 6; the form is ours).

use std::sync::Arc;

use bordereau_contract::{
    DeliveryDetail, DeliveryStatus, Webhook, WebhookDeliveries, WebhookDelivery, WebhookNotices,
    WebhookRequest, WebhookTestResult, Webhooks,
};
use reqwest::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::client::Inner;
use crate::transport::{Answer, Request};
use crate::{Client, ClientError, Operation};

/// What is sent along where there is nothing to say.
#[derive(Serialize)]
struct Nothing {}

impl Client {
    /// Every webhook of the account. Repeated after a failure: it changes nothing.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn webhooks(&self) -> Result<Webhooks, ClientError> {
        self.inner.look("").await
    }

    /// Adds a webhook; its secret is in this answer only. Never repeated by itself.
    ///
    /// # Errors
    /// [`ClientError::Rejected`] with the fields at fault by pointer; others as everywhere.
    pub async fn add_webhook(&self, webhook: &WebhookRequest) -> Result<Webhook, ClientError> {
        self.inner.manage(Method::POST, "", Some(webhook)).await
    }

    /// Puts a webhook in the place of one; its secret and what waits for it stay.
    ///
    /// # Errors
    /// As [`Client::add_webhook`]; 404 as [`ClientError::Rejected`] where there is none.
    pub async fn change_webhook(&self, id: &str, webhook: &WebhookRequest) -> Result<Webhook, ClientError> {
        self.inner.manage(Method::PUT, &one(id)?, Some(webhook)).await
    }

    /// Makes a new secret; the old one is dead at once. It is in this answer only.
    ///
    /// # Errors
    /// As [`Client::change_webhook`].
    pub async fn renew_webhook_secret(&self, id: &str) -> Result<Webhook, ClientError> {
        self.inner.manage(Method::POST, &format!("{}/secret", one(id)?), Some(&Nothing {})).await
    }

    /// Removes a webhook and what waits for it.
    ///
    /// # Errors
    /// 404 as [`ClientError::Rejected`] where there is none; others as everywhere.
    pub async fn remove_webhook(&self, id: &str) -> Result<(), ClientError> {
        self.inner.ask(Method::DELETE, &one(id)?, &[], None).await.map(|_| ())
    }

    /// Has a test delivered at once, and learns what came of it.
    ///
    /// # Errors
    /// As [`Client::remove_webhook`].
    pub async fn test_webhook(&self, id: &str) -> Result<WebhookTestResult, ClientError> {
        self.inner.manage(Method::POST, &format!("{}/test", one(id)?), Some(&Nothing {})).await
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
        let status = match status {
            Some(DeliveryStatus::Waiting) => Some("waiting"),
            Some(DeliveryStatus::Delivered) => Some("delivered"),
            Some(DeliveryStatus::Failed) => Some("failed"),
            Some(DeliveryStatus::Unknown) | None => None,
        };
        let mut query: Vec<(&str, String)> =
            status.into_iter().map(|status| ("status", status.to_owned())).collect();
        query.extend(before.map(|number| ("before", number.to_string())));
        let answer = self.inner.ask(Method::GET, &format!("{}/deliveries", one(id)?), &query, None).await?;
        self.inner.understand(&answer).map(|read| read.value)
    }

    /// All that is known of a delivery.
    ///
    /// # Errors
    /// As [`Client::remove_webhook`].
    pub async fn webhook_delivery(&self, number: i64) -> Result<DeliveryDetail, ClientError> {
        self.inner.look(&format!("/deliveries/{number}")).await
    }

    /// Has a delivery sent again.
    ///
    /// # Errors
    /// As [`Client::remove_webhook`].
    pub async fn redeliver(&self, number: i64) -> Result<WebhookDelivery, ClientError> {
        self.inner.manage(Method::POST, &format!("/deliveries/{number}/redeliver"), Some(&Nothing {})).await
    }

    /// The system notifications about deliveries that were given up.
    ///
    /// # Errors
    /// [`ClientError`]; 404 as [`ClientError::Rejected`] where the service has none of this.
    pub async fn webhook_notices(&self) -> Result<WebhookNotices, ClientError> {
        self.inner.look("/notices").await
    }
}

/// The part of the address for one webhook; an invalid id cannot change the rest of the address.
fn one(id: &str) -> Result<String, ClientError> {
    let is_id =
        !id.is_empty() && id.len() <= 100 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if is_id {
        return Ok(format!("/{id}"));
    }
    let reason = "the id of a webhook has letters, digits and hyphens only".to_owned();
    Err(ClientError::NotSendable { reason })
}

impl Inner {
    async fn look<T: DeserializeOwned>(self: &Arc<Self>, below: &str) -> Result<T, ClientError> {
        let answer = self.ask(Method::GET, below, &[], None).await?;
        self.understand(&answer).map(|read| read.value)
    }

    async fn manage<T: DeserializeOwned>(
        self: &Arc<Self>,
        method: Method,
        below: &str,
        body: Option<&impl Serialize>,
    ) -> Result<T, ClientError> {
        let body = body.map(|body| serde_json::to_value(body).expect("texts and numbers serialize"));
        let answer = self.ask(method, below, &[], body).await?;
        self.understand(&answer).map(|read| read.value)
    }

    async fn ask(
        self: &Arc<Self>,
        method: Method,
        below: &str,
        query: &[(&str, String)],
        body: Option<Value>,
    ) -> Result<Answer, ClientError> {
        let config = &self.transport.config;
        let mut url = self.transport.base.endpoint(&format!("{}{below}", config.paths.webhooks))?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let operation =
            if method == Method::GET { Operation::LookAtWebhooks } else { Operation::ManageWebhooks };
        let request = Request {
            operation,
            method,
            url,
            body: body.map(|body| body.to_string().into_bytes().into()),
            secrets: Vec::new(),
            answer_max: config.answer_bytes_max,
            pieces: None,
        };
        let answer = self.call(&request, self.deadline()).await;
        if operation == Operation::ManageWebhooks { answer.map_err(ClientError::of_write) } else { answer }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_leads_to_its_webhook_only() {
        assert_eq!(one("0f3a").ok().as_deref(), Some("/0f3a"));
        for id in ["", "../notices", "a/b", "a?b", "a b", "é"] {
            assert!(one(id).is_err(), "{id}");
        }
    }
}
