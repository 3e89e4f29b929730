//! The imports in the OpenAPI document (contract sections 3 and 4).

use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{ContentBuilder, PathItem, Required, ResponseBuilder, SecurityRequirement};

use super::{BODY_REFUSALS, answer, json_body, refusals, schemas};
use crate::routes::Imported;

/// Path of a document's download [spec].
pub(crate) const DOWNLOAD_PATH: &str = "/transaction/document/{transaction}/{document}/download";

/// Refusals of every call with credentials.
const CALLER_REFUSALS: &[(&str, &str)] = &[
    ("401", "Key or token missing, unknown, expired or inactive"),
    ("403", "Account inactive, or API access off"),
    ("429", "Too many requests in this minute"),
];

/// One path.
pub(super) fn item(path: &str, operation: Imported) -> PathItem {
    let (method, id, builder) = match operation {
        Imported::SingleV1 => (HttpMethod::Post, "single_v1", single("SingleTransaction")),
        Imported::SingleV2 => (HttpMethod::Post, "single_v2", single("ImportTransaction")),
        Imported::Batch => (HttpMethod::Post, "import_batch", batch()),
        Imported::Results => (HttpMethod::Get, "import_results", results()),
        Imported::Status => (HttpMethod::Get, "transaction_status", status()),
        Imported::Search => (HttpMethod::Post, "search_transactions", search()),
        Imported::Documents => (HttpMethod::Post, "import_documents", documents()),
        Imported::DiligentForms => (HttpMethod::Post, "diligent_forms", diligent_forms()),
    };
    let suffix = if path.ends_with(".json") { "_json" } else { "" };
    PathItem::new(method, builder.operation_id(Some(format!("{id}{suffix}"))))
}

fn known(operation: OperationBuilder) -> OperationBuilder {
    let operation = operation
        .security(SecurityRequirement::new("apiKey", Vec::<String>::new()))
        .security(SecurityRequirement::new("bearer", Vec::<String>::new()));
    refusals(operation, CALLER_REFUSALS)
}

fn writing(operation: OperationBuilder) -> OperationBuilder {
    refusals(
        refusals(known(operation), BODY_REFUSALS),
        &[("422", "Fields at fault, each named by its pointer")],
    )
}

fn single(schema: &str) -> OperationBuilder {
    writing(
        OperationBuilder::new()
            .summary(Some("One transaction, answered at once (contract section 3)"))
            .request_body(Some(json_body(schema)))
            .response("200", answer("What became of it", "ImportResult")),
    )
}

fn batch() -> OperationBuilder {
    writing(
        OperationBuilder::new()
            .summary(Some("A batch: accepted as a whole, processed later (contract section 3)"))
            .request_body(Some(json_body("ImportRequest")))
            .response("200", answer("Accepted", "ImportAccepted")),
    )
}

fn results() -> OperationBuilder {
    let operation = OperationBuilder::new()
        .summary(Some("What became of a batch so far (contract section 3)"))
        .parameter(query("batch_id", "the batch"))
        .parameter(query("id", "instead: the newest batch with a transaction of this own id"))
        .response("200", answer("The results so far, in the order sent", "ImportResults"));
    refusals(known(operation), &[("404", "The account has no such batch"), ("422", "Neither is given")])
}

fn status() -> OperationBuilder {
    let operation = OperationBuilder::new()
        .summary(Some("One transaction (contract sections 3 and 8)"))
        .parameter(query("transaction_id", "the service's own number"))
        .parameter(query("invoice_number", "instead: the invoice; of several transactions the newest"))
        .parameter(query("id", "instead: the caller's own id"))
        .response("200", answer("Its record", "TransactionRecord"));
    refusals(known(operation), &[("404", "The account has no such transaction"), ("422", "None is given")])
}

fn search() -> OperationBuilder {
    let page = ParameterBuilder::new()
        .name("page")
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some("from 1, which is also the default; up to 50"))
        .schema(Some(schemas::integer()))
        .build();
    let operation = OperationBuilder::new()
        .summary(Some("Transactions by their dates, fifty to a page, oldest first (contract section 3)"))
        .parameter(page)
        .request_body(Some(json_body("SearchRequest")))
        .response("200", answer("A page; past the end without data", "SearchAnswer"));
    writing(operation)
}

fn documents() -> OperationBuilder {
    let operation = OperationBuilder::new()
        .summary(Some("Documents for a transaction (contract section 4)"))
        .request_body(Some(json_body("DocumentImport")))
        .response("200", answer("What became of each", "DocumentsImported"));
    refusals(writing(operation), &[("404", "The account has no such transaction")])
}

fn diligent_forms() -> OperationBuilder {
    writing(
        OperationBuilder::new()
            .summary(Some("Filled diligent effort forms and affidavits (contract section 5)"))
            .request_body(Some(json_body("DiligentRequest")))
            .response("200", answer("What the state asks for, and the forms", "DiligentForms")),
    )
}

/// `GET` of a document's file.
pub(super) fn download() -> OperationBuilder {
    let path = |name: &str| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .schema(Some(schemas::integer()))
            .build()
    };
    let file = ContentBuilder::new().schema(Some(schemas::binary())).build();
    let operation = OperationBuilder::new()
        .operation_id(Some("download_document"))
        .summary(Some("A transaction's document (contract section 4)"))
        .parameter(path("transaction"))
        .parameter(path("document"))
        .response(
            "200",
            ResponseBuilder::new().description("The file").content("application/octet-stream", file).build(),
        );
    refusals(known(operation), &[("404", "The account has no such document")])
}

fn query(name: &str, description: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(schemas::text()))
        .build()
}
