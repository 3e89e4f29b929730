//! Webhooks of the active profile's account, fetched from the service (contract section 6).

use bordereau_contract::{
    AccountWebhooks, DeliveryDetail, DeliveryStatus, Webhook, WebhookDeliveries, WebhookDelivery,
    WebhookRequest, WebhookTestResult,
};

use bordereau_api::BoundaryError;
use bordereau_session::Context;
use bordereau_session::failure::from_client;
use bordereau_session::profile::{active_profile, open_session};

/// Deliveries that are listed at once, whatever the service gives at a time.
const LISTED_MAX: usize = 10_000;

async fn webhook_service(ctx: &Context) -> Result<bordereau_client::Client, BoundaryError> {
    let profile = active_profile(ctx).await?;
    Ok(open_session(ctx, &profile).await?.client)
}

/// Every webhook of the account.
pub async fn list_webhooks(ctx: &Context) -> Result<AccountWebhooks, BoundaryError> {
    webhook_service(ctx).await?.list_webhooks().await.map_err(from_client)
}

/// Adds a webhook. Its secret is in this answer and nowhere else: show it, and keep it nowhere.
///
/// # Errors
/// Those of the service, with the fields at fault.
pub async fn add_webhook(ctx: &Context, request: &WebhookRequest) -> Result<Webhook, BoundaryError> {
    webhook_service(ctx).await?.add_webhook(request).await.map_err(from_client)
}

/// Has a test delivered at once.
///
/// # Errors
/// Those of the service; that the endpoint failed is the result, not an error.
pub async fn test_webhook(ctx: &Context, id: &str) -> Result<WebhookTestResult, BoundaryError> {
    webhook_service(ctx).await?.test_webhook(id).await.map_err(from_client)
}

/// Removes a webhook and what waits for it.
pub async fn remove_webhook(ctx: &Context, id: &str) -> Result<(), BoundaryError> {
    webhook_service(ctx).await?.remove_webhook(id).await.map_err(from_client)
}

/// The newest deliveries of a webhook, of one status where it is said, at most so many.
pub async fn webhook_deliveries(
    ctx: &Context,
    id: &str,
    status: Option<DeliveryStatus>,
    at_most: usize,
) -> Result<Vec<WebhookDelivery>, BoundaryError> {
    let (service, at_most) = (webhook_service(ctx).await?, at_most.min(LISTED_MAX));
    let (mut found, mut before) = (Vec::new(), None);
    loop {
        let page = service.webhook_deliveries(id, status, before).await.map_err(from_client)?;
        let WebhookDeliveries { deliveries, before: next } = page;
        // A service that returns nothing more and says there is more would be asked forever.
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
pub async fn webhook_delivery(ctx: &Context, number: i64) -> Result<DeliveryDetail, BoundaryError> {
    webhook_service(ctx).await?.webhook_delivery(number).await.map_err(from_client)
}

/// Has a delivery sent again, at once.
pub async fn redeliver_event(ctx: &Context, number: i64) -> Result<WebhookDelivery, BoundaryError> {
    webhook_service(ctx).await?.redeliver_event(number).await.map_err(from_client)
}
