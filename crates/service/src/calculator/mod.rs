//! The tax calculator (contract section 2).

mod answer;
mod fields;
mod question;

pub(crate) use answer::html_paragraphs;

use axum::extract::{Request, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::Response;
use bordereau_contract::{CalculateResponse, FieldProblem};
use bordereau_dialects::ServiceEndpoint;

use crate::Clock;
use crate::answer::json_answer;
use crate::body;
use crate::refusal::Refusal;
use crate::service::{AppState, Service};

/// The handler of all four paths.
pub(crate) async fn post_calculate(State(app): State<AppState>, request: Request) -> Response {
    let answer = async |request| answer_request(&app, request).await;
    app.answer(ServiceEndpoint::Calculator, request, answer).await
}

async fn answer_request(app: &Service, request: Request) -> Result<Response, Refusal> {
    let (parts, body) = request.into_parts();
    let account = app.admit_caller(&parts).await?;
    if !account.calculator {
        return Err(Refusal::forbidden("The calculator is not contracted for this account."));
    }
    let text = body::json_text(&parts, body).await?;
    Ok(json_answer(&calculate_body(app, &text, &host_url(&parts, &app.base_url))?))
}

/// From the body's text to the answer.
fn calculate_body(app: &Service, text: &str, base_url: &str) -> Result<CalculateResponse, Refusal> {
    let now = app.clock.now();
    let question = question::read(text, now.date_naive())?;
    let quote = app.rules.calculate(&question.input, &app.local);
    let mut quote = match quote {
        Ok(quote) if question.problems.is_empty() => quote,
        Ok(_) => return Err(Refusal::invalid_fields(question.problems)),
        Err(found) => return Err(Refusal::invalid_fields(merge_problems(question, found))),
    };
    quote.stamps = app.wordings.wordings_for(question.input.state, quote.stamps);
    let mut links = app.links.answer_links(base_url, now.timestamp());
    Ok(answer::answer(question.echo, &question.input, &quote, &app.rule_notes, &mut links))
}

/// What the wire check found, and what the calculator found in the fields that had passed it.
fn merge_problems(
    question: question::ParsedQuestion,
    found: Vec<bordereau_tax::InputProblem>,
) -> Vec<FieldProblem> {
    let mut problems = question.problems;
    let reported = problems.len();
    // Lines that could not be read at all were reported as such; that there are none follows from it.
    let no_lines = question.input.lines.is_empty();
    for problem in found {
        let field = match problem.field {
            "transaction_line_of_business_list" if question.single_line => "line_of_business",
            "transaction_line_of_business_coverage" if question.single_line => "premium",
            field => field,
        };
        let pointer = format!("/{field}");
        let known = problems[..reported].iter().any(|earlier| earlier.pointer == pointer);
        if known || (no_lines && problem.field.starts_with("transaction_line_of_business")) {
            continue;
        }
        let detail = match problem.line {
            Some(line) => format!("Line {}: {}", line + 1, to_sentence(&problem.message)),
            None => to_sentence(&problem.message),
        };
        problems.push(FieldProblem { pointer, detail });
    }
    problems
}

/// With a capital at the start and a full stop at the end.
fn to_sentence(text: &str) -> String {
    let mut chars = text.chars();
    let start: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    let stop = if text.ends_with('.') { "" } else { "." };
    format!("{start}{}{stop}", chars.as_str())
}

/// `https://` and the host the request was sent to, so that links lead back the same way. The accept loop let only
/// the service's own names through.
pub(crate) fn host_url(parts: &Parts, base_url: &str) -> String {
    let host = parts.headers.get(header::HOST).and_then(|value| value.to_str().ok());
    host.map_or_else(|| base_url.to_owned(), |host| ["https://", host].concat())
}
