//! What can be asked of the service, address by address.

use bordereau_contract::ServicePaths;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn, Paths as PathList};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{
    Content, ContentBuilder, HeaderBuilder, PathItem, PathsBuilder, Ref, Required, Response, ResponseBuilder,
    SecurityRequirement,
};

use crate::routes::{DOWNLOAD_PATH, ImportOperation, calculator_paths, import_paths};
use crate::templates::TEMPLATE_PATH;

/// Statuses that refuse a request, each with its reason.
type Refusals = &'static [(&'static str, &'static str)];

/// Refusals of every call with a body.
const BODY_REFUSALS: Refusals = &[
    ("400", "Malformed: not JSON, not an object, nested too deep"),
    ("408", "The body did not arrive in time"),
    ("413", "The body is too large"),
    ("415", "The content type is not application/json"),
    ("429", "Too many requests in this minute"),
];
const NO_TRANSACTION: (&str, &str) = ("404", "The account has no such transaction");

/// One operation with JSON in its answer.
struct Call {
    id: &'static str,
    summary: &'static str,
    /// Where the contract describes it, such as `section 2`.
    section: &'static str,
    /// Query parameters, with what they are; none is required.
    query: &'static [(&'static str, &'static str)],
    /// Schema of the body; empty where there is none.
    body: &'static str,
    /// What the answer is, and its schema.
    answer: (&'static str, &'static str),
    /// Refusals apart from those of its kind.
    refusals: Refusals,
}

const fn call(
    id: &'static str,
    summary: &'static str,
    section: &'static str,
    body: &'static str,
    answer: (&'static str, &'static str),
    refusals: Refusals,
) -> Call {
    Call { id, summary, section, query: &[], body, answer, refusals }
}

/// Every address.
pub(super) fn paths() -> PathList {
    let paths = ServicePaths::default();
    let template = format!("{TEMPLATE_PATH}{{token}}");
    let mut listed = PathsBuilder::new()
        .path(&paths.token, PathItem::new(HttpMethod::Post, sign_in()))
        .path(&template, PathItem::new(HttpMethod::Get, template_file(&template)))
        .path(DOWNLOAD_PATH, PathItem::new(HttpMethod::Get, document_file()));
    for path in calculator_paths(&paths) {
        let id = if path.contains("/v2/") { "calculate_v2" } else { "calculate" };
        let operation = describe_call(&path, &Call { id, ..CALCULATE }, "200");
        listed = listed.path(path, PathItem::new(HttpMethod::Post, operation));
    }
    for (path, imported) in import_paths(&paths) {
        let (method, call) = import_call(imported);
        let operation = describe_call(&path, &call, "200");
        listed = listed.path(path, PathItem::new(method, operation));
    }
    for (below, method, status, call) in webhook_calls() {
        let path = format!("{}{below}", paths.webhooks);
        let operation = describe_call(&path, &call, status);
        listed = listed.path(path, PathItem::new(method, operation));
    }
    listed.build()
}

const CALCULATE: Call = call(
    "calculate",
    "Taxes and fees of a transaction",
    "section 2",
    "CalculateRequest",
    ("The taxes and fees", "CalculateResponse"),
    &[("403", "Account inactive, API access off, or calculator not contracted")],
);

fn import_call(imported: ImportOperation) -> (HttpMethod, Call) {
    use HttpMethod::{Get, Post};
    const SINGLE: &str = "One transaction, answered at once";
    const RESULT: (&str, &str) = ("The result", "ImportResult");
    match imported {
        ImportOperation::SingleV1 => {
            (Post, call("single_v1", SINGLE, "section 3", "SingleTransaction", RESULT, &[]))
        }
        ImportOperation::SingleV2 => {
            (Post, call("single_v2", SINGLE, "section 3", "ImportTransaction", RESULT, &[]))
        }
        ImportOperation::Batch => {
            let summary = "A batch: accepted as a whole, processed later";
            (
                Post,
                call(
                    "import_batch",
                    summary,
                    "section 3",
                    "ImportRequest",
                    ("Accepted", "ImportAccepted"),
                    &[],
                ),
            )
        }
        ImportOperation::Results => {
            let summary = "The results of a batch so far";
            let answer = ("The results so far, in the order sent", "ImportResults");
            let refusals = &[("404", "The account has no such batch"), ("422", "Neither is given")];
            let query = &[
                ("batch_id", "the batch"),
                ("id", "instead: the newest batch with a transaction of this own id"),
            ];
            (Get, Call { query, ..call("import_results", summary, "section 3", "", answer, refusals) })
        }
        ImportOperation::Status => {
            let summary = "One transaction";
            let answer = ("Its record", "TransactionRecord");
            let query = &[
                ("transaction_id", "the service's own number"),
                ("invoice_number", "instead: the invoice; of several transactions the newest"),
                ("id", "instead: the caller's own id"),
            ];
            let refusals = &[NO_TRANSACTION, ("422", "None is given")];
            (
                Get,
                Call {
                    query,
                    ..call("transaction_status", summary, "sections 3 and 8", "", answer, refusals)
                },
            )
        }
        ImportOperation::Search => {
            let summary = "Transactions by their dates, fifty to a page, oldest first";
            let answer = ("A page; past the end without data", "SearchAnswer");
            let query = &[("page", "from 1, which is also the default; up to 50")];
            (
                Post,
                Call {
                    query,
                    ..call("search_transactions", summary, "section 3", "SearchRequest", answer, &[])
                },
            )
        }
        ImportOperation::Documents => {
            let summary = "Documents for a transaction";
            let answer = ("The result of each", "DocumentsImported");
            (
                Post,
                call("import_documents", summary, "section 4", "DocumentImport", answer, &[NO_TRANSACTION]),
            )
        }
        ImportOperation::DiligentForms => {
            let summary = "Filled diligent effort forms and affidavits";
            let answer = ("What the state asks for, and the forms", "DiligentForms");
            (Post, call("diligent_forms", summary, "section 5", "DiligentRequest", answer, &[]))
        }
    }
}

/// Everything about webhooks: what follows their path, and the answer's status.
fn webhook_calls() -> [(&'static str, HttpMethod, &'static str, Call); 11] {
    use HttpMethod::{Delete, Get, Post, Put};
    const REFUSED: Refusals = &[("404", "The account has no such webhook or delivery")];
    const ADD: &str = "A new webhook; the answer has its secret, this once";
    const CHANGE: &str = "Replaces it; an empty header_value keeps the present one";
    const RENEW: &str = "A new secret; the old one stops working at once";
    const TEST: &str = "One delivery at once, apart from the queue";
    const LIST: &str = "Its deliveries, the newest first; ?status=, ?before=";
    const DETAIL: &str = "One delivery with body and attempts";
    const NOTICES: &str = "System notifications about deliveries given up";
    [
        ("", Get, "webhooks", "The account's webhooks", "", "Webhooks"),
        ("", Post, "add_webhook", ADD, "WebhookRequest", "Webhook"),
        ("/{id}", Get, "webhook", "One webhook", "", "Webhook"),
        ("/{id}", Put, "change_webhook", CHANGE, "WebhookRequest", "Webhook"),
        ("/{id}", Delete, "remove_webhook", "Removes it and its waiting deliveries", "", "Webhook"),
        ("/{id}/secret", Post, "renew_webhook_secret", RENEW, "", "Webhook"),
        ("/{id}/test", Post, "test_webhook", TEST, "", "DeliveryAttempt"),
        ("/{id}/deliveries", Get, "webhook_deliveries", LIST, "", "WebhookDeliveries"),
        ("/deliveries/{id}", Get, "webhook_delivery", DETAIL, "", "DeliveryDetail"),
        (
            "/deliveries/{id}/redeliver",
            Post,
            "redeliver",
            "Starts a delivery over, at once",
            "",
            "WebhookDelivery",
        ),
        ("/notices", Get, "webhook_notices", NOTICES, "", "WebhookNotices"),
    ]
    .map(|(below, method, id, summary, body, schema)| {
        let status = if id == "add_webhook" { "201" } else { "200" };
        (below, method, status, call(id, summary, "section 6", body, ("Done", schema), REFUSED))
    })
}

fn describe_call(path: &str, call: &Call, status: &str) -> OperationBuilder {
    let suffix = if path.ends_with(".json") { "_json" } else { "" };
    let mut operation = with_parameters(path)
        .operation_id(Some(format!("{}{suffix}", call.id)))
        .summary(Some(format!("{} (contract {})", call.summary, call.section)))
        .response(status, json_answer(call.answer));
    for (name, description) in call.query {
        let kind = if *name == "page" { Type::Integer } else { Type::String };
        let query = parameter(name, ParameterIn::Query, kind);
        operation = operation.parameter(query.required(Required::False).description(Some(*description)));
    }
    operation = require_credentials(operation);
    if !call.body.is_empty() {
        operation = add_body(operation, call.body);
        operation = add_refusals(operation, &[("422", "Fields at fault, each named by its pointer")]);
    }
    add_refusals(operation, call.refusals)
}

fn sign_in() -> OperationBuilder {
    let operation = OperationBuilder::new()
        .operation_id(Some("token"))
        .summary(Some("Sign in, or refresh (contract section 1)"))
        .response("200", json_answer(("A token", "TokenResponse")))
        .response("401", json_answer(("Wrong password or refresh token: invalid_grant", "TokenError")));
    add_refusals(add_body(operation, "TokenRequest"), &[("403", "The account is inactive")])
        .response("400", json_answer(("Not a sign-in the service knows", "TokenError")))
}

fn template_file(path: &str) -> OperationBuilder {
    let operation = with_parameters(path)
        .operation_id(Some("template"))
        .summary(Some("A document's template, once, within a minute (contract section 2)"))
        .response("200", file_answer("The form", "application/pdf"));
    add_refusals(operation, &[("404", "Not an address of this service"), ("410", "Used already, or too old")])
}

fn document_file() -> OperationBuilder {
    let operation = with_parameters(DOWNLOAD_PATH)
        .operation_id(Some("download_document"))
        .summary(Some("A transaction's document (contract section 4)"))
        .response("200", file_answer("The file", "application/octet-stream"));
    add_refusals(require_credentials(operation), &[("404", "The account has no such document")])
}

/// An operation with a parameter for each name in braces; those of a document's download are numbers.
fn with_parameters(path: &str) -> OperationBuilder {
    let names = path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    names.fold(OperationBuilder::new(), |operation, name| {
        let kind = if matches!(name, "id" | "token") { Type::String } else { Type::Integer };
        operation.parameter(parameter(name, ParameterIn::Path, kind).required(Required::True))
    })
}

fn parameter(name: &str, place: ParameterIn, kind: Type) -> ParameterBuilder {
    let schema = ObjectBuilder::new().schema_type(kind).build();
    ParameterBuilder::new().name(name).parameter_in(place).schema(Some(schema))
}

fn require_credentials(operation: OperationBuilder) -> OperationBuilder {
    const REFUSED: Refusals = &[
        ("401", "Key or token missing, unknown, expired or inactive"),
        ("403", "Account inactive, or API access off"),
        ("429", "Too many requests in this minute"),
    ];
    let operation = operation
        .security(SecurityRequirement::new("apiKey", Vec::<String>::new()))
        .security(SecurityRequirement::new("bearer", Vec::<String>::new()));
    add_refusals(operation, REFUSED)
}

/// Problems in the form of RFC 9457 (contract section 7).
fn add_refusals(operation: OperationBuilder, refusals: &[(&str, &str)]) -> OperationBuilder {
    refusals.iter().fold(operation, |operation, (status, text)| {
        let response = ResponseBuilder::new().description(*text);
        let mut response = response.content("application/problem+json", referring("Problem"));
        if *status == "429" {
            let header = HeaderBuilder::new()
                .schema(Some(ObjectBuilder::new().schema_type(Type::Integer).build()))
                .description(Some("Seconds until the next minute begins."));
            response = response.header("Retry-After", header.build());
        }
        operation.response(*status, response.build())
    })
}

fn add_body(operation: OperationBuilder, schema: &str) -> OperationBuilder {
    let body = RequestBodyBuilder::new().content("application/json", referring(schema));
    add_refusals(operation.request_body(Some(body.required(Some(Required::True)).build())), BODY_REFUSALS)
}

fn json_answer((description, schema): (&str, &str)) -> Response {
    ResponseBuilder::new().description(description).content("application/json", referring(schema)).build()
}

fn file_answer(description: &str, kind: &str) -> Response {
    let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
    let bytes = ObjectBuilder::new().schema_type(Type::String).format(Some(format)).build();
    let content = ContentBuilder::new().schema(Some(bytes)).build();
    ResponseBuilder::new().description(description).content(kind, content).build()
}

fn referring(schema: &str) -> Content {
    ContentBuilder::new().schema(Some(Ref::from_schema_name(schema))).build()
}
