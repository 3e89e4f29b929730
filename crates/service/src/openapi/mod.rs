//! The OpenAPI document, served at `/openapi.json` and kept as `openapi.json` beside the sources. Its schemas are
//! those that the wire types give of themselves.

mod operations;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bordereau_contract as wire;
use bordereau_contract::API_KEY_HEADER;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder, RefOr, Schema};

/// The document as text.
pub fn document_text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let mut document = serde_json::to_value(document()).expect("the document is plain data");
        remove_defaults(&mut document["components"]["schemas"]);
        let text = serde_json::to_string_pretty(&document).expect("the document is plain data");
        // rustdoc wants the contract's marks escaped, a reader of the document does not.
        let mut text = text.replace(r"\\[", "[");
        text.push('\n');
        text
    })
}

fn document() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Bordereau practice service")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Implements the wire contract (docs/contract.md). Besides it answers under /practice/, which \
             is not part of the contract and not listed here.",
        ))
        .build();
    let key = ApiKeyValue::with_description(API_KEY_HEADER, "The query parameter apikey is accepted too.");
    let components = ComponentsBuilder::new()
        .schemas_from_iter(wire_schemas())
        .security_scheme("apiKey", SecurityScheme::ApiKey(ApiKey::Header(key)))
        .security_scheme("bearer", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)))
        .build();
    OpenApiBuilder::new().info(info).paths(operations::paths()).components(Some(components)).build()
}

type Schemas = BTreeMap<String, RefOr<Schema>>;

/// The schema of every type that travels, by name.
fn wire_schemas() -> Schemas {
    let mut schemas = Schemas::new();
    macro_rules! add {
        ($add:ident: $($body:ident),+) => { $($add::<wire::$body>(&mut schemas);)+ };
    }
    add!(add_schema: TokenRequest, TokenResponse, TokenError, CalculateRequest, CalculateResponse);
    add!(add_schema: ImportTransaction, SingleTransaction, ImportRequest, ImportAccepted, ImportResults);
    add!(add_schema: DocumentImport, SearchRequest, DiligentRequest, WebhookRequest, ProblemBody);
    add!(require_all: LineOfBusiness, StateProperties, MunicipalSettingEntry, MunicipalTaxSetting, TaxRule);
    add!(require_all: LabeledId, StateNote, StateDocument, ApplicableTransaction, CalculateResponse);
    add!(require_all: CoverageItem, ImportDocument, ImportResult, DocumentsImported, DocumentOutcome);
    add!(require_all: TransactionRecord, RecordDocument, SearchAnswer, Pagination);
    add!(require_all: DiligentForms, DiligentRequirement, FilledForm);
    add!(require_all: Webhook, AccountWebhooks, WebhookDelivery, WebhookDeliveries, DeliveryDetail);
    add!(require_all: DeliveryAttempt, WebhookNotice, WebhookNotices);
    schemas
}

/// A type, and every type in its fields.
fn add_schema<T: ToSchema>(schemas: &mut Schemas) {
    let mut named = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut named);
    for (name, schema) in named {
        schemas.entry(name).or_insert(schema);
    }
}

/// A type whose members are always there when the service writes it: that reading it forgives what is missing is
/// for the answers of other services.
fn require_all<T: ToSchema + Serialize + Default>(schemas: &mut Schemas) {
    add_schema::<T>(schemas);
    let written = serde_json::to_value(T::default()).unwrap_or_default();
    if let Some(RefOr::T(Schema::Object(object))) = schemas.get_mut(T::name().as_ref()) {
        object.required = written.as_object().into_iter().flat_map(|object| object.keys().cloned()).collect();
    }
}

/// `serde(default)` makes a default value of each field, amounts as texts. What absence means is in the
/// description.
fn remove_defaults(schemas: &mut Value) {
    for schema in schemas.as_object_mut().into_iter().flat_map(|schemas| schemas.values_mut()) {
        for property in
            schema["properties"].as_object_mut().into_iter().flat_map(|fields| fields.values_mut())
        {
            property.as_object_mut().and_then(|property| property.shift_remove("default"));
        }
    }
}
