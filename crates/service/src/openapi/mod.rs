//! The OpenAPI document, served at `/openapi.json` and kept as `openapi.json` beside the sources.

mod diligent_schemas;
mod import_schemas;
mod imports;
mod schemas;
mod webhooks;

pub(crate) use imports::DOWNLOAD_PATH;

use std::sync::OnceLock;

use bordereau_contract::{API_KEY_HEADER, Paths};
use utoipa::openapi::path::{HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, HeaderBuilder, InfoBuilder, OpenApi, OpenApiBuilder, PathItem,
    PathsBuilder, Ref, Required, ResponseBuilder, SecurityRequirement,
};

use crate::routes::{calculator_paths, import_paths};
use crate::templates::TEMPLATE_PATH;

/// The document as text.
#[must_use]
pub fn document_text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let mut text = serde_json::to_string_pretty(&document()).expect("the document is plain data");
        text.push('\n');
        text
    })
}

/// The document.
#[must_use]
pub fn document() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Bordereau practice service")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Implements the wire contract (docs/contract.md). Besides it answers under /practice/, which \
             is not part of the contract and not listed here.",
        ))
        .build();
    let paths = Paths::default();
    let mut listed = PathsBuilder::new()
        .path(&paths.token, PathItem::new(HttpMethod::Post, token()))
        .path(format!("{TEMPLATE_PATH}{{token}}"), PathItem::new(HttpMethod::Get, template()));
    for path in calculator_paths(&paths) {
        let operation = calculator(&path);
        listed = listed.path(path, PathItem::new(HttpMethod::Post, operation));
    }
    for (path, operation) in import_paths(&paths) {
        listed = listed.path(path.clone(), imports::item(&path, operation));
    }
    listed = listed.path(imports::DOWNLOAD_PATH, PathItem::new(HttpMethod::Get, imports::download()));
    listed = webhooks::listed(&paths, listed);
    let key = ApiKeyValue::with_description(API_KEY_HEADER, "The query parameter apikey is accepted too.");
    let components = schemas::all()
        .into_iter()
        .chain(import_schemas::all())
        .chain(diligent_schemas::all())
        .chain(webhooks::all())
        .fold(ComponentsBuilder::new(), |all, (name, schema)| all.schema(name, schema))
        .security_scheme("apiKey", SecurityScheme::ApiKey(ApiKey::Header(key)))
        .security_scheme("bearer", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    OpenApiBuilder::new().info(info).paths(listed.build()).components(Some(components.build())).build()
}

/// 401, 403 and the rest of section 7, as far as they apply.
fn refusals(operation: OperationBuilder, statuses: &[(&str, &str)]) -> OperationBuilder {
    statuses.iter().fold(operation, |operation, (status, text)| {
        let mut response = ResponseBuilder::new().description(*text).content(
            "application/problem+json",
            ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build(),
        );
        if *status == "429" {
            let header = HeaderBuilder::new()
                .schema(Some(schemas::integer()))
                .description(Some("Seconds until the next minute begins."));
            response = response.header("Retry-After", header.build());
        }
        operation.response(*status, response.build())
    })
}

const BODY_REFUSALS: &[(&str, &str)] = &[
    ("400", "Malformed: not JSON, not an object, nested too deep"),
    ("408", "The body did not arrive in time"),
    ("413", "The body is too large"),
    ("415", "The content type is not application/json"),
    ("429", "Too many requests in this minute"),
];

fn json_body(schema: &str) -> utoipa::openapi::request_body::RequestBody {
    RequestBodyBuilder::new()
        .content("application/json", json_content(schema))
        .required(Some(Required::True))
        .build()
}

fn json_content(schema: &str) -> utoipa::openapi::Content {
    ContentBuilder::new().schema(Some(Ref::from_schema_name(schema))).build()
}

fn answer(description: &str, schema: &str) -> utoipa::openapi::Response {
    ResponseBuilder::new().description(description).content("application/json", json_content(schema)).build()
}

fn token() -> OperationBuilder {
    let operation = OperationBuilder::new()
        .operation_id(Some("token"))
        .summary(Some("Sign in, or refresh (contract section 1)"))
        .request_body(Some(json_body("TokenRequest")))
        .response("200", answer("A token", "TokenResponse"))
        .response("401", answer("Wrong password or dead refresh token: invalid_grant", "TokenError"));
    refusals(refusals(operation, BODY_REFUSALS), &[("403", "The account is inactive")])
        .response("400", answer("Not a sign-in the service knows", "TokenError"))
}

fn calculator(path: &str) -> OperationBuilder {
    let mut id = String::from(if path.contains("/v2/") { "calculate_v2" } else { "calculate" });
    if path.ends_with(".json") {
        id.push_str("_json");
    }
    let operation = OperationBuilder::new()
        .operation_id(Some(id))
        .summary(Some("Taxes and fees of a transaction (contract section 2)"))
        .security(SecurityRequirement::new("apiKey", Vec::<String>::new()))
        .security(SecurityRequirement::new("bearer", Vec::<String>::new()))
        .request_body(Some(json_body("CalculateRequest")))
        .response("200", answer("The taxes and fees", "CalculateResponse"));
    refusals(
        refusals(operation, BODY_REFUSALS),
        &[
            ("401", "Key or token missing, unknown, expired or inactive"),
            ("403", "Account inactive, API access off, or calculator not contracted"),
            ("422", "Fields at fault, each named by its pointer"),
        ],
    )
}

fn template() -> OperationBuilder {
    let token = ParameterBuilder::new()
        .name("token")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .schema(Some(schemas::text()))
        .build();
    let pdf = ContentBuilder::new().schema(Some(schemas::binary())).build();
    let operation = OperationBuilder::new()
        .operation_id(Some("template"))
        .summary(Some("A document's template, once, within a minute (contract section 2)"))
        .parameter(token)
        .response(
            "200",
            ResponseBuilder::new().description("The form").content("application/pdf", pdf).build(),
        );
    refusals(operation, &[("404", "Not an address of this service"), ("410", "Used already, or too old")])
}
