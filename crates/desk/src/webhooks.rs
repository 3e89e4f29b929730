//! Webhooks of the active profile's account, as the service has them (contract section 6).

use bordereau_contract::{
    DeliveryDetail, DeliveryStatus, Webhook, WebhookDeliveries, WebhookDelivery, WebhookNotices,
    WebhookRequest, WebhookTestResult, Webhooks,
};

use crate::Desk;
use crate::api::BoundaryError;
use crate::failure::from_client;

/// Deliveries that are listed at once, whatever the service gives at a time.
const LISTED_MAX: usize = 10_000;

impl Desk {
    async fn webhook_service(&self) -> Result<bordereau_client::Client, BoundaryError> {
        let profile = self.active_profile().await?;
        Ok(self.session(&profile).await?.client)
    }

    /// Every webhook of the account.
    ///
    /// # Errors
    /// Those of the service.
    pub async fn webhooks(&self) -> Result<Webhooks, BoundaryError> {
        self.webhook_service().await?.webhooks().await.map_err(from_client)
    }

    /// Adds a webhook. Its secret is in this answer and nowhere else: show it, and keep it nowhere.
    ///
    /// # Errors
    /// Those of the service, with the fields at fault.
    pub async fn add_webhook(&self, request: &WebhookRequest) -> Result<Webhook, BoundaryError> {
        self.webhook_service().await?.add_webhook(request).await.map_err(from_client)
    }

    /// Has a test delivered at once.
    ///
    /// # Errors
    /// Those of the service; that the endpoint failed is the result, not an error.
    pub async fn test_webhook(&self, id: &str) -> Result<WebhookTestResult, BoundaryError> {
        self.webhook_service().await?.test_webhook(id).await.map_err(from_client)
    }

    /// Removes a webhook and what waits for it.
    ///
    /// # Errors
    /// Those of the service.
    pub async fn remove_webhook(&self, id: &str) -> Result<(), BoundaryError> {
        self.webhook_service().await?.remove_webhook(id).await.map_err(from_client)
    }

    /// The newest deliveries of a webhook, of one status where it is said, at most so many.
    ///
    /// # Errors
    /// Those of the service.
    pub async fn webhook_deliveries(
        &self,
        id: &str,
        status: Option<DeliveryStatus>,
        at_most: usize,
    ) -> Result<Vec<WebhookDelivery>, BoundaryError> {
        let (service, at_most) = (self.webhook_service().await?, at_most.min(LISTED_MAX));
        let (mut found, mut before) = (Vec::new(), None);
        loop {
            let page = service.webhook_deliveries(id, status, before).await.map_err(from_client)?;
            let WebhookDeliveries { deliveries, before: next } = page;
            // A service that gives nothing more and says there is more would be asked for ever.
            let more = next.filter(|_| !deliveries.is_empty());
            found.extend(deliveries);
            if found.len() >= at_most || more.is_none() {
                found.truncate(at_most);
                return Ok(found);
            }
            before = more;
        }
    }

    /// All that is known of a delivery: body and attempts.
    ///
    /// # Errors
    /// Those of the service.
    pub async fn webhook_delivery(&self, number: i64) -> Result<DeliveryDetail, BoundaryError> {
        self.webhook_service().await?.webhook_delivery(number).await.map_err(from_client)
    }

    /// Has a delivery sent again, at once.
    ///
    /// # Errors
    /// Those of the service.
    pub async fn redeliver(&self, number: i64) -> Result<WebhookDelivery, BoundaryError> {
        self.webhook_service().await?.redeliver(number).await.map_err(from_client)
    }

    /// The service's notifications about deliveries that were given up.
    ///
    /// # Errors
    /// Those of the service.
    pub async fn webhook_notices(&self) -> Result<WebhookNotices, BoundaryError> {
        self.webhook_service().await?.webhook_notices().await.map_err(from_client)
    }
}
