//! Transactions found by their dates, fifty at a time (contract section 3).

use std::collections::HashMap;

use axum::extract::{Request, State};
use axum::response::Response;
use bordereau_contract::{
    DateRange, Pagination, SEARCH_PAGES_MAX, SEARCH_PER_PAGE, SearchAnswer, SearchRequest,
};
use bordereau_dialects::ServiceEndpoint;
use bordereau_service_store::StoreError;
use bordereau_service_store::search;
use serde_json::Value;

use super::record::build_record;
use crate::answer::json_answer;
use crate::body;
use crate::imports;
use crate::refusal::Refusal;
use crate::service::AppState;

/// `POST` of the dates; `page` in the query.
pub(crate) async fn post_search(State(app): State<AppState>, request: Request) -> Response {
    let answer = async |request| Ok(json_answer(&find_transactions(&app, request).await?));
    app.answer(ServiceEndpoint::Search, request, answer).await
}

async fn find_transactions(app: &AppState, request: Request) -> Result<SearchAnswer, Refusal> {
    let (parts, body) = request.into_parts();
    let account = app.admit_caller(&parts).await?;
    let base_url = crate::calculator::host_url(&parts, &app.base_url);
    let page = page_number(parts.uri.query())?;
    let text = body::json_text(&parts, body).await?;
    let asked = read_request(&text)?;
    let app = app.clone();
    imports::off_thread(move || {
        let size = u64::from(SEARCH_PER_PAGE);
        let offset = (page - 1).saturating_mul(size);
        let found = app.store.read_on_this_thread(|db| search::load_page(db, &account.id, &asked, size, offset));
        let found = found.map_err(StoreError::from)?;
        let pages = found.total.div_ceil(size);
        if page > u64::from(SEARCH_PAGES_MAX) && page <= pages {
            let detail = format!(
                "Only the first {SEARCH_PAGES_MAX} of {pages} pages can be read. Narrow the dates to find the others."
            );
            return Err(Refusal::invalid_field("/page", detail));
        }
        let mut documents: HashMap<i64, Vec<_>> = HashMap::new();
        for (id, document) in found.documents {
            documents.entry(id).or_default().push(document);
        }
        let data = found
            .filings
            .into_iter()
            .map(|filing| {
                let documents = documents.remove(&filing.id).unwrap_or_default();
                build_record(&app, &account, &base_url, filing, documents)
            })
            .collect::<Result<_, Refusal>>()?;
        let pagination = Pagination { total: found.total, per_page: size, page, pages, ..Pagination::default() };
        Ok(SearchAnswer { data, pagination, ..SearchAnswer::default() })
    })
    .await
}

/// The page asked for, from 1; the first where none is.
fn page_number(query: Option<&str>) -> Result<u64, Refusal> {
    let Some(text) = imports::query_value(query, "page") else { return Ok(1) };
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // A number too large to count with is past the end of anything.
    let page = if digits { text.parse().unwrap_or(u64::MAX) } else { 0 };
    if page == 0 {
        let found: String = text.chars().take(40).collect();
        return Err(Refusal::invalid_field(
            "/page",
            format!("page must be a number from 1 on, found \"{found}\"."),
        ));
    }
    Ok(page)
}

/// The dates asked for, the earlier end first. A key given twice counts as given last.
fn read_request(text: &str) -> Result<SearchRequest, Refusal> {
    // Reading into a value first is what lets the last of several equal keys win.
    let value: Value = serde_json::from_str(text).map_err(|error| body::not_json(&error))?;
    if !value.is_object() {
        return Err(Refusal::malformed("The body is not a JSON object."));
    }
    let asked: SearchRequest = body::parse_object(&value.to_string())?;
    Ok(SearchRequest {
        date_filed: asked.date_filed.map(DateRange::in_order),
        policy_effective_date: asked.policy_effective_date.map(DateRange::in_order),
        transaction_effective_date: asked.transaction_effective_date.map(DateRange::in_order),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages() {
        for (query, expected) in [
            (None, Some(1)),
            (Some("page=1"), Some(1)),
            (Some("page=007"), Some(7)),
            (Some("page=3&page=4"), Some(4)),
            (Some("page=99999999999999999999999"), Some(u64::MAX)),
            (Some("page=0"), None),
            (Some("page=-1"), None),
            (Some("page=%2B1"), None),
            (Some("page=1.5"), None),
            (Some("page=one"), None),
        ] {
            assert_eq!(page_number(query).ok(), expected, "{query:?}");
        }
    }
}
