//! Transactions by their dates. Dates are text, `yyyy-mm-dd`, so that they stand in their order.

use bordereau_contract::{DateRange, SearchRequest};
use rusqlite::types::Value;
use rusqlite::{Connection, Result, params_from_iter};

use super::documents::DocumentEntry;
use super::filings::{self, Filing};

/// One page of what was found.
pub struct SearchPage {
    /// Transactions found altogether.
    pub total: u64,
    /// Those of the page, oldest first.
    pub filings: Vec<Filing>,
    /// Their documents, each with the number of its transaction.
    pub documents: Vec<(i64, DocumentEntry)>,
}

/// An account's transactions on all the days asked for; the ends of each range must be in order.
///
/// By their number, because that never changes: what is imported meanwhile comes last.
pub fn load_page(
    db: &Connection,
    account_id: &str,
    asked: &SearchRequest,
    limit: u64,
    offset: u64,
) -> Result<SearchPage> {
    let (matching, mut values) = search_condition(account_id, asked);
    let total: i64 = db
        .prepare_cached(&format!("SELECT COUNT(*) FROM filing WHERE {matching}"))?
        .query_row(params_from_iter(&values), |row| row.get(0))?;
    let total = u64::try_from(total).unwrap_or_default();
    if offset >= total {
        return Ok(SearchPage { total, filings: Vec::new(), documents: Vec::new() });
    }
    let number = |count: u64| Value::from(i64::try_from(count).unwrap_or(i64::MAX));
    let (first, second) = (values.len() + 1, values.len() + 2);
    values.extend([number(limit), number(offset)]);
    // The numbers come first, so that only the rows of the page are read whole.
    let ids = format!("SELECT id FROM filing WHERE {matching} ORDER BY id LIMIT ${first} OFFSET ${second}");
    let ids: Vec<i64> = db
        .prepare_cached(&ids)?
        .query_map(params_from_iter(&values), |row| row.get(0))?
        .collect::<Result<_>>()?;
    let filings = filings::by_ids(db, &ids)?;
    Ok(SearchPage { total, documents: super::documents::documents_of(db, &ids)?, filings })
}

/// What must hold, and the values for it in the order of their numbers.
fn search_condition(account_id: &str, asked: &SearchRequest) -> (String, Vec<Value>) {
    let mut text = String::from("account_id = $1");
    let mut values = vec![Value::from(account_id.to_owned())];
    for (column, range) in [
        ("date_filed", asked.date_filed),
        ("policy_effective_date", asked.policy_effective_date),
        ("transaction_effective_date", asked.transaction_effective_date),
    ] {
        let Some(DateRange { from, to }) = range else { continue };
        values.push(Value::from(from.to_string()));
        values.push(Value::from(to.to_string()));
        text.push_str(&format!(" AND {column} BETWEEN ${} AND ${}", values.len() - 1, values.len()));
    }
    (text, values)
}

/// `$1, $2, ...` for a list of numbers.
pub(crate) fn numbered_parameters(count: usize) -> String {
    (1..=count).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    #[test]
    fn every_date_has_its_index() {
        let store = Store::open(None).expect("a database");
        let range = "2026-02-23".parse().map(|day| DateRange::from_unordered(day, day)).ok();
        for (asked, index) in [
            (SearchRequest { date_filed: range, ..SearchRequest::default() }, "filing_date_filed"),
            (
                SearchRequest { policy_effective_date: range, ..SearchRequest::default() },
                "filing_policy_effective",
            ),
            (
                SearchRequest { transaction_effective_date: range, ..SearchRequest::default() },
                "filing_transaction_effective",
            ),
            (
                SearchRequest { date_filed: range, policy_effective_date: range, ..SearchRequest::default() },
                "filing_",
            ),
        ] {
            let (matching, values) = search_condition("account", &asked);
            let explain = format!("EXPLAIN QUERY PLAN SELECT id FROM filing WHERE {matching} ORDER BY id");
            let plan = store.run_on_this_thread(|db| {
                db.prepare(&explain)?
                    .query_map(params_from_iter(&values), |row| row.get::<_, String>(3))?
                    .collect::<Result<Vec<_>>>()
            });
            let plan = plan.expect("a plan").join("; ");
            assert!(plan.contains(index) && plan.contains("SEARCH"), "{plan}");
        }
    }
}
