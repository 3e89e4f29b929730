//! Webhooks in the OpenAPI document (contract section 6): addresses and schemas.

use bordereau_contract::Paths;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{PathItem, PathsBuilder, Required as MustBe, Schema, SecurityRequirement};

use super::schemas::Holds::{Integer, Many, One, Text, Texts};
use super::schemas::Need::{Nullable, Optional, Required};
use super::schemas::{self, Row, table};
use super::{BODY_REFUSALS, answer, json_body, refusals};

const REFUSED: &[(&str, &str)] = &[
    ("401", "Key or token missing, unknown, expired or inactive"),
    ("403", "Account inactive, or API access off"),
    ("404", "The account has no such webhook or delivery"),
    ("429", "Too many requests in this minute"),
];

/// Everything about webhooks, below one path.
pub(super) fn listed(paths: &Paths, into: PathsBuilder) -> PathsBuilder {
    use HttpMethod::{Delete, Get, Post, Put};
    let operations = [
        ("", Get, "webhooks", "The account's webhooks", None, "200", "Webhooks"),
        (
            "",
            Post,
            "add_webhook",
            "A new webhook; the answer has its secret, this once",
            Some("WebhookRequest"),
            "201",
            "Webhook",
        ),
        ("/{id}", Get, "webhook", "One webhook", None, "200", "Webhook"),
        (
            "/{id}",
            Put,
            "change_webhook",
            "Another one in its place; an empty header_value keeps the one there is",
            Some("WebhookRequest"),
            "200",
            "Webhook",
        ),
        ("/{id}", Delete, "remove_webhook", "Removes it and what waits for it", None, "200", "Webhook"),
        (
            "/{id}/secret",
            Post,
            "renew_webhook_secret",
            "A new secret; the old one is dead at once",
            None,
            "200",
            "Webhook",
        ),
        (
            "/{id}/test",
            Post,
            "test_webhook",
            "One delivery at once, apart from the queue",
            None,
            "200",
            "DeliveryAttempt",
        ),
        (
            "/{id}/deliveries",
            Get,
            "webhook_deliveries",
            "Its deliveries, the newest first; ?status=, ?before=",
            None,
            "200",
            "WebhookDeliveries",
        ),
        (
            "/deliveries/{id}",
            Get,
            "webhook_delivery",
            "One delivery with body and attempts",
            None,
            "200",
            "DeliveryDetail",
        ),
        (
            "/deliveries/{id}/redeliver",
            Post,
            "redeliver",
            "Begins a delivery anew, at once",
            None,
            "200",
            "WebhookDelivery",
        ),
        (
            "/notices",
            Get,
            "webhook_notices",
            "System notifications about deliveries given up",
            None,
            "200",
            "WebhookNotices",
        ),
    ];
    operations.into_iter().fold(into, |into, (below, method, id, summary, body, status, schema)| {
        let mut operation = OperationBuilder::new()
            .operation_id(Some(id))
            .summary(Some(format!("{summary} (contract section 6)")))
            .security(SecurityRequirement::new("apiKey", Vec::<String>::new()))
            .security(SecurityRequirement::new("bearer", Vec::<String>::new()))
            .response(status, answer("Done", schema));
        if below.contains("{id}") {
            operation = operation.parameter(id_parameter());
        }
        if let Some(body) = body {
            operation = operation.request_body(Some(json_body(body)));
            operation = refusals(operation, BODY_REFUSALS);
            operation = refusals(operation, &[("422", "Fields at fault, each named by its pointer")]);
        }
        let operation = refusals(operation, REFUSED);
        into.path(format!("{}{below}", paths.webhooks), PathItem::new(method, operation))
    })
}

fn id_parameter() -> Parameter {
    ParameterBuilder::new()
        .name("id")
        .parameter_in(ParameterIn::Path)
        .required(MustBe::True)
        .schema(Some(schemas::text()))
        .build()
}

const REQUEST: &[Row] = &[
    ("title", Text, Required, "at most 100 characters"),
    ("description", Text, Optional, "at most 1,000 characters"),
    ("events", Texts, Required, "identifiers, at least one"),
    ("url", Text, Required, "https:, or http: to the service's own machine"),
    ("header_key", Text, Optional, "letters, digits and hyphens; empty for none"),
    ("header_value", Text, Optional, "written only"),
    ("states", Texts, Optional, "two letters each; all if empty"),
];

const WEBHOOK: &[Row] = &[
    ("id", Text, Required, "32 hexadecimal digits"),
    ("title", Text, Required, ""),
    ("description", Text, Required, ""),
    ("events", Texts, Required, ""),
    ("url", Text, Required, ""),
    ("header_key", Text, Required, ""),
    ("states", Texts, Required, ""),
    ("created_at", Text, Required, "RFC 3339, UTC"),
    ("waiting", Integer, Required, "deliveries on their way"),
    ("secret", Text, Optional, "20 characters, only where it was made"),
];

const WEBHOOKS: &[Row] = &[("webhooks", Many("Webhook"), Required, "the oldest first")];

const DELIVERY: &[Row] = &[
    ("id", Integer, Required, ""),
    ("webhook_id", Text, Required, ""),
    ("event_id", Text, Required, ""),
    ("event", Text, Required, ""),
    ("subject", Text, Required, "such as transaction 17"),
    ("status", Text, Required, "waiting, delivered or failed"),
    ("attempts", Integer, Required, "of this round"),
    ("created_at", Text, Required, "RFC 3339, UTC"),
    ("next_attempt_at", Text, Nullable, "while it waits"),
    ("finished_at", Text, Nullable, ""),
    ("response_status", Integer, Nullable, "of the last answer"),
    ("error", Text, Nullable, "why it is no success"),
];

const DELIVERIES: &[Row] = &[
    ("deliveries", Many("WebhookDelivery"), Required, "at most 50"),
    ("before", Integer, Nullable, "there are more: ask again with ?before="),
];

const DETAIL: &[Row] = &[
    ("delivery", One("WebhookDelivery"), Required, ""),
    ("body", Text, Required, "as it was and will be sent"),
    ("log", Many("DeliveryAttempt"), Required, "at most the last 50"),
];

const ATTEMPT: &[Row] = &[
    ("at", Text, Required, "RFC 3339, UTC"),
    ("response_status", Integer, Nullable, ""),
    ("response_body", Text, Required, "at most 2,000 characters"),
    ("error", Text, Nullable, ""),
    ("milliseconds", Integer, Required, ""),
];

const NOTICE: &[Row] = &[
    ("id", Integer, Required, ""),
    ("webhook_title", Text, Required, ""),
    ("event", Text, Required, ""),
    ("endpoint_url", Text, Required, ""),
    ("timestamp", Text, Required, "yyyy-mm-dd hh:mm:ss, UTC"),
    ("failed_event_id", Text, Required, ""),
    ("response_status", Integer, Nullable, ""),
    ("response_body", Text, Required, ""),
    ("delivery_id", Integer, Required, ""),
];

const NOTICES: &[Row] = &[("notices", Many("WebhookNotice"), Required, "at most 50, the newest first")];

/// Every schema, by name.
pub(super) fn all() -> Vec<(&'static str, Schema)> {
    [
        ("WebhookRequest", REQUEST),
        ("Webhook", WEBHOOK),
        ("Webhooks", WEBHOOKS),
        ("WebhookDelivery", DELIVERY),
        ("WebhookDeliveries", DELIVERIES),
        ("DeliveryDetail", DETAIL),
        ("DeliveryAttempt", ATTEMPT),
        ("WebhookNotice", NOTICE),
        ("WebhookNotices", NOTICES),
    ]
    .map(|(name, rows)| (name, table(rows)))
    .into()
}
