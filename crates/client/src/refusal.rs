//! Error bodies of every kind a service sends (contract section 7), and what they mean.

use std::time::Duration;

use bordereau_contract::FieldProblem;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::{Map, Value};

use crate::error::list_fields;
use crate::markup::plain_text;
use crate::problem_pointer::{COUNTED, id_of, json_pointer, place_below};
use crate::refusal_words::{
    collect_sentences, first_sentence, is_taken, normalize_names, says_none, says_refused_whole,
};
use crate::retry_after::{limit_reset, next_minute, retry_after};
use crate::{ClientError, Secret};

/// Longest text kept of an error body, in characters.
const TEXT_MAX: usize = 500;
/// More fields than this help no one, also in a batch.
const PROBLEMS_MAX: usize = 1_000;

/// An answer that is not a success, understood as far as possible.
#[derive(Clone, Debug)]
pub(crate) struct ServiceRefusal {
    pub(crate) status: StatusCode,
    /// What the service said, free of markup and secrets.
    pub(crate) text: String,
    pub(crate) problems: Vec<FieldProblem>,
    /// Its warnings, of an answer that is none.
    pub(crate) warnings: Vec<FieldProblem>,
    /// The `error` of RFC 6749, such as `invalid_grant`.
    pub(crate) oauth_error: Option<String>,
    /// Its JSON says that what was searched for does not exist.
    pub(crate) is_none_found: bool,
    /// Under a status that is no refusal, it names rows at fault and refuses the whole import for them.
    pub(crate) is_refused_whole: bool,
    /// How long the service asks to wait.
    pub(crate) retry_after: Option<Duration>,
}

impl ServiceRefusal {
    /// Reads an error answer. `secrets` are those sent along: a service that repeats one in its text
    /// does not get it into our messages.
    pub(crate) fn read(
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
        secrets: &[Secret],
    ) -> ServiceRefusal {
        let mut said = RefusalBody::read(body);
        said.text = redact_secrets(&said.text, secrets);
        for problem in said.problems.iter_mut().chain(&mut said.warnings) {
            problem.detail = redact_secrets(&problem.detail, secrets);
            problem.pointer = redact_secrets(&problem.pointer, secrets);
        }
        let is_json = body.trim_ascii_start().starts_with(b"{");
        let reset = || (status == StatusCode::TOO_MANY_REQUESTS).then(|| limit_reset(headers)).flatten();
        ServiceRefusal {
            is_none_found: status == StatusCode::NOT_FOUND && is_json && says_none(&said.text),
            is_refused_whole: said.is_refused_whole(status, body),
            status,
            text: said.text,
            problems: said.problems,
            warnings: said.warnings,
            oauth_error: said.oauth_error,
            retry_after: retry_after(headers).or_else(reset),
        }
    }

    /// The error of the status.
    pub(crate) fn into_error(self) -> ClientError {
        let status = self.status.as_u16();
        match status {
            401 => ClientError::NotAuthorized { status, text: self.whole_text() },
            403 => ClientError::NotPermitted { status, text: self.whole_text() },
            429 => ClientError::RateLimited { retry_after: self.retry_after.unwrap_or_else(next_minute) },
            503 if self.retry_after.is_some() => {
                ClientError::RateLimited { retry_after: self.retry_after.unwrap_or_default() }
            }
            500.. => ClientError::ServiceFailed { status, text: self.whole_text() },
            _ => self.into_rejection(),
        }
    }

    /// A refusal, whatever the status is.
    pub(crate) fn into_rejection(self) -> ClientError {
        ClientError::Rejected { status: self.status.as_u16(), text: self.text, problems: self.problems }
    }

    /// How long all requests must wait, if at all.
    pub(crate) fn retry_pause(&self) -> Option<Duration> {
        match self.status.as_u16() {
            429 => Some(self.retry_after.unwrap_or_else(next_minute)),
            503 => self.retry_after,
            _ => None,
        }
    }

    pub(crate) fn whole_text(&self) -> String {
        format!("{}{}", self.text, list_fields(&self.problems)).trim_start_matches("; ").to_owned()
    }
}

#[derive(Default)]
struct RefusalBody {
    text: String,
    problems: Vec<FieldProblem>,
    warnings: Vec<FieldProblem>,
    oauth_error: Option<String>,
}

/// Names, normalized, under which rows stand that have problems.
const ROWS: [&str; 8] = [
    "transactions",
    "rejected",
    "rejectedtransactions",
    "rejectedrows",
    "failed",
    "failures",
    "refused",
    "invalid",
];
/// Names under which all that is said of rows may lie beside a sentence.
const ENVELOPES: [&str; 4] = ["data", "result", "response", "batch"];
/// Names, normalized, of the number of a row.
const ROW_NUMBERS: [&str; 2] = ["row", "rownumber"];
/// The same of its place, which counts from 0 unless the places say otherwise: see `resolve_places`.
const INDEXES: [&str; 4] = ["index", "rowindex", "itemindex", "transactionindex"];
/// Names of a sentence, normalized; then those of a title, which says less.
const SENTENCES: [&str; 5] = ["detail", "errordescription", "message", "errormessage", "faultstring"];
const TITLES: [&str; 4] = ["error", "title", "statusmessage", "reason"];

impl RefusalBody {
    fn is_refused_whole(&self, status: StatusCode, body: &[u8]) -> bool {
        let is_failure = status.as_u16() >= 500;
        if self.problems.is_empty()
            || !(is_failure || status.is_success())
            || status == StatusCode::MULTI_STATUS
        {
            return false;
        }
        let text = String::from_utf8_lossy(body);
        let read = serde_json::from_str(text.trim_start_matches('\u{feff}').trim());
        read.is_ok_and(|body| says_refused_whole(&body, &self.problems, is_failure))
    }

    fn read(body: &[u8]) -> RefusalBody {
        let text = String::from_utf8_lossy(body);
        let text = text.trim_start_matches('\u{feff}').trim();
        match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(fields)) => RefusalBody::from_object(&fields),
            Ok(Value::String(sentence)) => {
                RefusalBody { text: shorten_text(&plain_text(&sentence)), ..RefusalBody::default() }
            }
            Ok(Value::Array(items)) => {
                RefusalBody { problems: problems_of_list(&items), ..RefusalBody::default() }
            }
            _ => RefusalBody { text: shorten_text(&plain_text(text)), ..RefusalBody::default() },
        }
    }

    fn from_object(body: &Map<String, Value>) -> RefusalBody {
        let fields = &normalize_names(body);
        let is_said =
            ["errors"].iter().chain(&SENTENCES).chain(&TITLES).any(|name| fields.contains_key(*name));
        // The sentence may lie in an envelope, such as `data`.
        if !is_said && let Some(inner) = body.values().find_map(Value::as_object) {
            return RefusalBody::from_object(inner);
        }
        let mut problems = fields.get("errors").map(problems_of).unwrap_or_default();
        if let Some(Value::Array(items)) = fields.get("detail") {
            problems.extend(problems_of_list(items));
        }
        for name in ROWS {
            if let Some(Value::Array(rows)) = fields.get(name) {
                let is_refused = name != "transactions";
                problems.extend(if is_refused { Vec::new() } else { problems_by_place(rows) });
                problems.extend(rows.iter().flat_map(|row| problems_of_row(row, is_refused)));
            }
        }
        problems.extend(fields.iter().flat_map(|(name, said)| problems_of_violations(name, said)));
        let mut warnings = fields.get("warnings").map(problems_of).unwrap_or_default();
        let inside = || ENVELOPES.iter().find_map(|name| fields.get(*name)?.as_object());
        if problems.is_empty()
            && warnings.is_empty()
            && let Some(inner) = inside()
        {
            RefusalBody { problems, warnings, .. } = RefusalBody::from_object(inner);
        }
        let error = fields.get("error");
        let inner = error.and_then(Value::as_object);
        let inner_text = inner.and_then(|inner| first_sentence(inner, &["message", "detail"]));
        if let (Some(_), None, Some(by_field)) = (inner, &inner_text, error) {
            problems.extend(problems_of(by_field));
        }
        if problems.is_empty() && !is_said {
            problems = problems_by_field(body);
        }
        problems.truncate(PROBLEMS_MAX);
        let text =
            first_sentence(fields, &SENTENCES).or(inner_text).or_else(|| first_sentence(fields, &TITLES));
        let cause = first_sentence(fields, &["cause"]).map_or_else(String::new, |cause| format!("; {cause}"));
        let text = match text {
            Some(text) => shorten_text(&(text + &cause)),
            // Nothing known in it: the body itself says more than nothing.
            None if problems.is_empty() => shorten_text(&Value::Object(body.clone()).to_string()),
            None => String::new(),
        };
        let oauth_error = error.and_then(Value::as_str).map(str::to_owned);
        warnings.truncate(PROBLEMS_MAX);
        RefusalBody { text, problems, warnings, oauth_error }
    }
}

/// Field problems: a list of `{pointer, detail}` or its kin, a list of sentences, or an object keyed by
/// field.
fn problems_of(errors: &Value) -> Vec<FieldProblem> {
    match errors {
        Value::Array(items) => problems_of_list(items),
        Value::Object(by_field) => by_field
            .iter()
            .flat_map(|(field, said)| {
                let mut problems = match said {
                    Value::Array(rows) if field == "transactions" && !problems_by_place(rows).is_empty() => {
                        return problems_by_place(rows);
                    }
                    Value::Array(items) => problems_of_list(items),
                    // One message, or what is said of a row by its fields.
                    Value::Object(_) => {
                        field_problem(said).map_or_else(|| problems_of(said), |problem| vec![problem])
                    }
                    said => collect_sentences(said).into_iter().map(without_place).collect(),
                };
                place_below(&json_pointer(field), &mut problems);
                problems
            })
            .take(PROBLEMS_MAX)
            .collect(),
        Value::String(_) => problems_of_list(std::slice::from_ref(errors)),
        _ => Vec::new(),
    }
}

/// Problems of a list with a name of the service's own, such as `violations`, `invalid-params`, `fieldErrors`, or `details`
/// with such a list inside. An entry without a field is no problem of one.
fn problems_of_violations(name: &str, said: &Value) -> Vec<FieldProblem> {
    let is_other = matches!(name, "errors" | "warnings" | "detail") || ROWS.contains(&name);
    let Value::Array(entries) = said else { return Vec::new() };
    let named = ["error", "violation", "invalid", "problem", "detail", "fieldlist"];
    if is_other || !named.iter().any(|part| name.contains(part)) {
        return Vec::new();
    }
    let of_entry = |entry: &Value| match field_problem(entry) {
        Some(problem) if !problem.pointer.is_empty() => vec![problem],
        _ => entry.as_object().map_or_else(Vec::new, |inner| {
            let inner = normalize_names(inner);
            inner.iter().flat_map(|(name, said)| problems_of_violations(name, said)).collect()
        }),
    };
    entries.iter().take(PROBLEMS_MAX).flat_map(of_entry).collect()
}

/// Problems of an object that has nothing but texts by field. Where the name is that of no field, they are of the whole.
fn problems_by_field(body: &Map<String, Value>) -> Vec<FieldProblem> {
    let is_text = |said: &Value| {
        said.as_array().is_some_and(|texts| !texts.is_empty() && texts.iter().all(Value::is_string))
    };
    if body.is_empty() || !body.values().all(is_text) {
        return Vec::new();
    }
    let mut problems = problems_of(&Value::Object(body.clone()));
    for problem in &mut problems {
        if matches!(problem.pointer.as_str(), "/non_field_errors" | "/__all__" | "/base") {
            problem.pointer.clear();
        }
    }
    problems
}

/// Problems of a list that has an object for each row that was sent, in order: empty, or the row's problems by field.
/// Only where it has as many as were sent does a place say which row is meant: see `resolve_places`.
fn problems_by_place(rows: &[Value]) -> Vec<FieldProblem> {
    let is_sentence = |said: &Value| said.is_string();
    let is_field = |said: &Value| {
        said.as_array().is_some_and(|texts| !texts.is_empty() && texts.iter().all(is_sentence))
    };
    let is_row = |row: &Value| row.as_object().is_some_and(|fields| fields.values().all(is_field));
    if !rows.iter().all(is_row) {
        return Vec::new();
    }
    let placed = rows.iter().enumerate().flat_map(|(at, row)| {
        let mut problems = problems_of(row);
        place_below(&format!("{COUNTED}{}/{at}", rows.len()), &mut problems);
        problems
    });
    placed.collect()
}

/// Problems of an entry that names a row by its id and has the problems of that row. An entry of a list of refused
/// rows has one in any case.
fn problems_of_row(row: &Value, is_refused: bool) -> Vec<FieldProblem> {
    let Value::Object(fields) = row else { return problems_of_list(std::slice::from_ref(row)) };
    let mut problems = fields.get("errors").map(problems_of).unwrap_or_default();
    place_below(&id_of(fields), &mut problems);
    if problems.is_empty() && is_refused {
        let detail = "The service refused it and gave no reason.".to_owned();
        let unsaid = || FieldProblem { pointer: id_of(fields), detail };
        problems.push(field_problem(row).unwrap_or_else(unsaid));
    }
    problems
}

const fn without_place(detail: String) -> FieldProblem {
    FieldProblem { pointer: String::new(), detail }
}

fn problems_of_list(items: &[Value]) -> Vec<FieldProblem> {
    items.iter().take(PROBLEMS_MAX).filter_map(field_problem).collect()
}

fn field_problem(item: &Value) -> Option<FieldProblem> {
    let Value::Object(fields) = item else {
        let detail = collect_sentences(item).into_iter().next()?;
        return Some(without_place(detail));
    };
    const PLACES: [&str; 8] =
        ["pointer", "field", "fieldname", "path", "name", "property", "propertyname", "argumentname"];
    const DETAILS: [&str; 10] = [
        "detail",
        "message",
        "msg",
        "errormessage",
        "warningmessage",
        "defaultmessage",
        "error",
        "description",
        "reason",
        "title",
    ];
    let fields = &normalize_names(fields);
    let inside = ["source", "extensions"].iter().find_map(|name| fields.get(*name)?.as_object());
    let inside = inside.map(normalize_names);
    let place = first_sentence(fields, &PLACES).or_else(|| first_sentence(inside.as_ref()?, &PLACES));
    let pointer = match (place, fields.get("loc")) {
        (Some(place), _) => match json_pointer(&place) {
            // A field alone is one of the row that the entry names.
            field if !place.contains('/') && field.matches('/').count() == 1 => id_of(fields) + &field,
            pointer => pointer,
        },
        (None, Some(Value::Array(steps))) => {
            let steps =
                steps.iter().map(|step| step.as_str().map_or_else(|| step.to_string(), str::to_owned));
            format!("/{}", steps.skip_while(|step| step == "body").collect::<Vec<String>>().join("/"))
        }
        _ => id_of(fields),
    };
    let detail = first_sentence(fields, &DETAILS)?;
    // The service may count rows from 0, from 1, or with the header: the number is shown as it came.
    let is_placed = pointer.matches('/').count() > 1 || !id_of(fields).is_empty();
    let index = INDEXES.iter().find_map(|name| fields.get(*name)?.to_string().trim_matches('"').parse().ok());
    if let Some(index) = index.filter(|_: &u32| !is_placed) {
        let pointer = format!("/transactions/{index}{pointer}");
        return (!is_taken(fields)).then_some(FieldProblem { pointer, detail });
    }
    let row = ROW_NUMBERS.iter().find_map(|name| fields.get(*name)).filter(|_| !is_placed);
    let detail = match row.filter(|row| row.is_number() || row.is_string()) {
        Some(row) => format!("Row {}: {detail}", row.to_string().trim_matches('"')),
        None => detail,
    };
    Some(FieldProblem { pointer, detail })
}

/// At most [`TEXT_MAX`] characters.
pub(crate) fn shorten_text(text: &str) -> String {
    bordereau_contract::shorten_text(text, TEXT_MAX)
}

fn redact_secrets(text: &str, secrets: &[Secret]) -> String {
    secrets
        .iter()
        .filter(|secret| secret.expose().len() >= 4)
        .fold(text.to_owned(), |text, secret| text.replace(secret.expose(), "[hidden]"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem_pointer::resolve_places;

    fn read(status: u16, body: &str) -> ServiceRefusal {
        let status = StatusCode::from_u16(status).expect("a status");
        ServiceRefusal::read(status, &HeaderMap::new(), body.as_bytes(), &[Secret::new("hunter2key")])
    }

    #[test]
    fn every_kind_of_body() {
        for (status, body, expected) in [
            (
                422,
                r#"{"type":"about:blank","title":"Bad","status":422,"detail":"One field.","errors":[{"pointer":"/premium","detail":"negative"}]}"#,
                "the service rejected the request (status 422): One field.; /premium: negative",
            ),
            (
                400,
                r#"{"message":"The state is unknown"}"#,
                "the service rejected the request (status 400): The state is unknown",
            ),
            (
                401,
                r#"{"error":"invalid_grant","error_description":"Wrong password"}"#,
                "the service refused the API key or sign-in (status 401): Wrong password",
            ),
            (
                401,
                r#"{"error":"key inactive"}"#,
                "the service refused the API key or sign-in (status 401): key inactive",
            ),
            (
                403,
                r#"{"error":{"code":7,"message":"Not contracted"}}"#,
                "the account is not allowed to do this (status 403): Not contracted",
            ),
            (
                422,
                r#"{"errors":{"premium":["too low","not a number"],"lines.0.code":"unknown"}}"#,
                "the service rejected the request (status 422); /premium: too low; /premium: not a number; /lines/0/code: unknown",
            ),
            (
                422,
                r#"{"errors":["One thing","Another"]}"#,
                "the service rejected the request (status 422); One thing; Another",
            ),
            (
                422,
                r#"{"errors":[{"id":"INV-1","message":"No insurer"},{"source":{"pointer":"/transactions/1/premium"},"detail":"negative"}]}"#,
                "the service rejected the request (status 422); /INV-1: No insurer; /transactions/1/premium: negative",
            ),
            (
                422,
                r#"{"title":"Not valid","errors":{"$.transactions[1].policy_number":["too long"]}}"#,
                "the service rejected the request (status 422): Not valid; /transactions/1/policy_number: too long",
            ),
            (
                422,
                r#"{"detail":[{"loc":["body","transactions",1,"premium"],"msg":"not a number"}]}"#,
                "the service rejected the request (status 422); /transactions/1/premium: not a number",
            ),
            (
                422,
                r#"{"status":"failed","transactions":[{"id":"INV-1","errors":{"premium":["too low"]}},{"id":7,"errors":["No insurer"]}]}"#,
                "the service rejected the request (status 422); /INV-1/premium: too low; /7: No insurer",
            ),
            (
                422,
                r#"{"message":"Two rows","errors":[{"row":2,"field":"policy_number","message":"too long"},{"row_number":"5","column":"policy_number","error":"odd"}]}"#,
                "the service rejected the request (status 422): Two rows; /policy_number: Row 2: too long; Row 5: odd",
            ),
            (
                400,
                r#"{"title":"Not valid","status":400,"errors":{"Transactions[1].PolicyNumber":["too long"],"request.transactions[2].premium":["too low"]}}"#,
                "the service rejected the request (status 400): Not valid; /transactions/1/PolicyNumber: too long; /transactions/2/premium: too low",
            ),
            (
                400,
                r#"{"error":"Bad Request","message":"Two errors","errors":[{"field":"transactions[1].policyNumber","defaultMessage":"too long","objectName":"importRequest","rejectedValue":"BAD"}]}"#,
                "the service rejected the request (status 400): Two errors; /transactions/1/policyNumber: too long",
            ),
            (
                422,
                r#"{"errors":[{"fieldName":"slTax","errorMessage":"negative"},{"FieldName":"total","msg":"wrong"}]}"#,
                "the service rejected the request (status 422); /slTax: negative; /total: wrong",
            ),
            (
                400,
                r#"{"title":"Not valid","violations":[{"field":"transactions[1].policyNumber","message":"too long"}]}"#,
                "the service rejected the request (status 400): Not valid; /transactions/1/policyNumber: too long",
            ),
            (
                400,
                r#"{"message":"Bad","details":[{"@type":"BadRequest","fieldViolations":[{"field":"transactions[1].premium","description":"too low"}]}]}"#,
                "the service rejected the request (status 400): Bad; /transactions/1/premium: too low",
            ),
            (
                400,
                r#"{"errors":[{"message":"odd","path":["importTransactions"],"extensions":{"code":"X","argumentName":"transactions[1].premium"}}]}"#,
                "the service rejected the request (status 400); /transactions/1/premium: odd",
            ),
            (
                400,
                r#"{"Fault":{"faultcode":"Client","faultstring":"Not signed in","detail":null}}"#,
                "the service rejected the request (status 400): Not signed in",
            ),
            (
                400,
                r#"{"message":"Not processed","cause":"ORA-20001: Bad premium"}"#,
                "the service rejected the request (status 400): Not processed; ORA-20001: Bad premium",
            ),
            (
                400,
                r#"{"non_field_errors":["No insurer"],"premium":["too low"]}"#,
                "the service rejected the request (status 400); No insurer; /premium: too low",
            ),
            (
                400,
                r#"[{"index":3,"field":"premium","message":"too low"},{"index":4,"status":"ok","message":"Imported"}]"#,
                "the service rejected the request (status 400); /transactions/3/premium: too low",
            ),
            (400, r#"["One thing"]"#, "the service rejected the request (status 400); One thing"),
            (400, r#""just a sentence""#, "the service rejected the request (status 400): just a sentence"),
            (
                400,
                r#"{"ErrorCode":"E7","errorMessage":"The password is incorrect"}"#,
                "the service rejected the request (status 400): The password is incorrect",
            ),
            (
                422,
                r#"{"error":{"lineOfBusiness":"Line of business is invalid."}}"#,
                "the service rejected the request (status 422); /lineOfBusiness: Line of business is invalid.",
            ),
            (
                422,
                r#"{"errors":{"INV-1":{"premium":["too low"]},"[1].code":"unknown","INV-3":{"message":"No insurer"}}}"#,
                "the service rejected the request (status 422); /INV-1/premium: too low; /transactions/1/code: unknown; /INV-3: No insurer",
            ),
            (
                422,
                r#"{"message":"Two rows","data":{"rejected":[{"id":"INV-1","reason":"No insurer"},{"id":"INV-2"},{"id":"INV-3","field":"premium","message":"too low"}]}}"#,
                "the service rejected the request (status 422): Two rows; /INV-1: No insurer; /INV-2: The service refused it and gave no reason.; /INV-3/premium: too low",
            ),
            (404, "no such page", "the service rejected the request (status 404): no such page"),
            (404, "", "the service rejected the request (status 404)"),
            (
                502,
                "<html><head><title>502</title><style>b{}</style><script>alert(1)</script></head><body><h1>Bad&nbsp;Gateway</h1>\n<p>nginx &amp; co</p></body></html>",
                "the service failed (status 502): 502 Bad Gateway nginx & co",
            ),
            (500, r#"{"strange":true}"#, r#"the service failed (status 500): {"strange":true}"#),
            (500, "\u{feff}{\"message\":\"with a mark\"}", "the service failed (status 500): with a mark"),
            (
                401,
                "the key hunter2key is inactive",
                "the service refused the API key or sign-in (status 401): the key [hidden] is inactive",
            ),
            (400, "half \u{0}\u{7} a {", "the service rejected the request (status 400): half a {"),
        ] {
            assert_eq!(read(status, body).into_error().to_string(), expected, "{body}");
        }
    }

    /// Bodies of a refused batch of three rows, and what they say of which row.
    #[test]
    fn problems_by_place_belong_to_the_row_in_that_place() {
        let bad = r#"{"policy_number":["too long","odd"]}"#;
        for (body, expected) in [
            (
                format!(r#"{{"transactions":[{{}},{bad},{{}}]}}"#),
                ["/transactions/1/policy_number"; 2].as_slice(),
            ),
            (
                format!(r#"{{"errors":{{"transactions":[{{}},{{}},{bad}]}}}}"#),
                &["/transactions/2/policy_number"; 2],
            ),
            // One entry for three rows: the answer does not say which row it means.
            (format!(r#"{{"transactions":[{bad}]}}"#), &["/policy_number"; 2]),
            // The rows as they were sent are no problems.
            (r#"{"message":"No","transactions":[{"policy_number":"P-1"},{},{}]}"#.to_owned(), &[]),
            (
                r#"{"message":"No","transactions":[{"policy_number":"P-1","warnings":["Look"]},{},{}]}"#
                    .to_owned(),
                &[],
            ),
        ] {
            let mut problems = read(400, &body).problems;
            resolve_places(&mut problems, 3);
            let found: Vec<&str> = problems.iter().map(|problem| problem.pointer.as_str()).collect();
            assert_eq!(found, expected, "{body}");
        }
    }

    #[test]
    fn bodies_are_bounded() {
        let long = "x".repeat(100_000);
        assert!(read(500, &long).text.chars().count() <= TEXT_MAX + 1);
        let many = format!(r#"{{"errors":[{}]}}"#, vec![r#""one""#; 5_000].join(","));
        assert_eq!(read(422, &many).problems.len(), PROBLEMS_MAX);
        let deep = "[".repeat(100_000);
        assert!(read(500, &deep).text.starts_with('['));
    }
}
