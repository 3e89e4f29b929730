//! Search results in their order; the last few are cached until the index changes.

use std::collections::VecDeque;
use std::sync::Arc;

use bordereau_api::{DayRange, TransactionSort, TransactionsFilter};
use bordereau_contract::parse_instant;
use parking_lot::Mutex;
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use crate::facts::PaymentState;
use crate::{index_revision, search_words};
use bordereau_store::StoreError;

/// Answers kept: the search on screen, the one before it, and what an export asks.
const CACHED_MAX: usize = 3;

/// What an answer is kept under.
#[derive(Clone, PartialEq, Eq)]
pub struct SearchKey {
    /// What is looked for.
    pub filter: TransactionsFilter,
    /// The order.
    pub sort: TransactionSort,
    /// Smallest first.
    pub ascending: bool,
    /// The day that decides what is overdue, `yyyy-mm-dd`.
    pub today: String,
}

/// A search, the revision it was answered at, and the ids found.
type CachedAnswer = (SearchKey, u32, Arc<Vec<i64>>);

/// The last answers of searches.
#[derive(Default)]
pub struct SearchCache(Mutex<VecDeque<CachedAnswer>>);

/// Amounts of a record, in hundredths of a cent.
#[derive(Clone, Copy, Debug)]
pub struct RecordAmounts {
    /// Premium.
    pub premium: i64,
    /// Agency and inspection fee.
    pub fees: i64,
    /// Taxes and state fees.
    pub taxes: i64,
    /// The service did not give an amount that records have.
    pub lacks_amounts: bool,
}

/// A record that matches what is no facet; empty texts for what it does not have.
pub struct MatchRow<'r> {
    /// Code of the state.
    pub state: &'r str,
    /// Code of the transaction's type.
    pub kind: &'r str,
    /// The status as it came; empty where none came.
    pub status: &'r str,
    /// How many documents there are.
    pub documents: i64,
    /// What is paid.
    pub paid: PaymentState,
    /// When the filing is due; empty where it is filed.
    pub due: &'r str,
    /// Effective day of the transaction.
    pub transaction_effective: &'r str,
    /// What it adds to the sums.
    pub amounts: RecordAmounts,
}

/// Ids in the order asked for, and the revision they are of.
pub fn find_ids(
    connection: &Connection,
    cache: &SearchCache,
    key: &SearchKey,
) -> Result<(Arc<Vec<i64>>, u32), StoreError> {
    let revision = index_revision(connection)?;
    let is_answer = |(of, at, _): &&CachedAnswer| of == key && *at == revision;
    if let Some((_, _, ids)) = cache.0.lock().iter().find(is_answer) {
        return Ok((Arc::clone(ids), revision));
    }
    let ids = Arc::new(query_ids(connection, key)?);
    let mut answers = cache.0.lock();
    answers.retain(|(of, at, _)| *at == revision && of != key);
    answers.push_front((key.clone(), revision, Arc::clone(&ids)));
    answers.truncate(CACHED_MAX);
    Ok((ids, revision))
}

/// Amounts of records, in the order of their ids.
pub fn list_amounts(connection: &Connection, ids: &[i64]) -> Result<Vec<RecordAmounts>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT premium, fees, taxes, lacks_amounts FROM facts WHERE id = ?1")?;
    let amounts = |row: &Row<'_>| {
        Ok(RecordAmounts {
            premium: row.get(0)?,
            fees: row.get(1)?,
            taxes: row.get(2)?,
            lacks_amounts: row.get(3)?,
        })
    };
    ids.iter().map(|id| Ok(statement.query_row([id], amounts)?)).collect()
}

/// Hands over every record that matches what is no facet of the filter.
pub fn for_each_match(
    connection: &Connection,
    filter: &TransactionsFilter,
    mut take: impl FnMut(MatchRow<'_>),
) -> Result<(), StoreError> {
    let mut clauses = Clauses::default();
    clauses.base(filter);
    let Some(has_words) = clauses.add_text_filter(&filter.text) else { return Ok(()) };
    let sql = format!(
        "SELECT f.state, f.kind, f.status, f.documents, f.paid, CASE WHEN f.filed IS NULL THEN f.due END, \
         f.transaction_effective, f.premium, f.fees, f.taxes, f.lacks_amounts FROM {}{}",
        Clauses::from(has_words),
        clauses.sql()
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(clauses.values))?;
    while let Some(row) = rows.next()? {
        let text = |at: usize| -> Result<&str, StoreError> {
            Ok(row.get_ref(at)?.as_str_or_null().ok().flatten().unwrap_or_default())
        };
        take(MatchRow {
            state: text(0)?,
            kind: text(1)?,
            status: text(2)?,
            documents: row.get(3)?,
            paid: PaymentState::from_repr(row.get(4)?).unwrap_or(PaymentState::Unpaid),
            due: text(5)?,
            transaction_effective: text(6)?,
            amounts: RecordAmounts {
                premium: row.get(7)?,
                fees: row.get(8)?,
                taxes: row.get(9)?,
                lacks_amounts: row.get(10)?,
            },
        });
    }
    Ok(())
}

/// Records that match but for an effective day that is asked for: they have none that can be read.
pub fn count_undated(
    connection: &Connection,
    filter: &TransactionsFilter,
    today: &str,
) -> Result<u32, StoreError> {
    let is_asked = |days: &DayRange| !days.from.is_empty() || !days.to.is_empty();
    let mut columns = Vec::new();
    if is_asked(&filter.policy_effective) {
        columns.push("f.policy_effective IS NULL");
    }
    if is_asked(&filter.transaction_effective) {
        columns.push("f.transaction_effective IS NULL");
    }
    let mut clauses = Clauses::default();
    let (policy_effective, transaction_effective) = Default::default();
    let rest = TransactionsFilter { policy_effective, transaction_effective, ..filter.clone() };
    clauses.base(&rest);
    clauses.facets(&rest, today);
    clauses.terms.push(format!("({})", columns.join(" OR ")));
    let has_words = clauses.add_text_filter(&filter.text);
    let Some(has_words) = has_words.filter(|_| !columns.is_empty()) else { return Ok(0) };
    let sql = format!("SELECT count(*) FROM {}{}", Clauses::from(has_words), clauses.sql());
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_row(params_from_iter(clauses.values), |row| row.get(0))?)
}

fn query_ids(connection: &Connection, key: &SearchKey) -> Result<Vec<i64>, StoreError> {
    let mut clauses = Clauses::default();
    clauses.base(&key.filter);
    clauses.facets(&key.filter, &key.today);
    let Some(has_words) = clauses.add_text_filter(&key.filter.text) else { return Ok(Vec::new()) };
    let direction = if key.ascending { "ASC" } else { "DESC" };
    let sql = match (has_words, key.sort, clauses.terms.is_empty()) {
        // The words alone answer in their own order: no other table is touched.
        (true, TransactionSort::Id, true) => {
            format!("SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rowid {direction}")
        }
        (has_words, sort, _) => {
            let column = column(sort);
            let bodies = if column.starts_with("b.") { " JOIN bodies b ON b.id = f.id" } else { "" };
            let second =
                if sort == TransactionSort::Id { String::new() } else { format!(", f.id {direction}") };
            let from = Clauses::from(has_words);
            format!("SELECT f.id FROM {from}{bodies}{} ORDER BY {column} {direction}{second}", clauses.sql())
        }
    };
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(clauses.values))?;
    let mut ids = Vec::new();
    while let Some(row) = rows.next()? {
        ids.push(row.get(0)?);
    }
    Ok(ids)
}

const fn column(sort: TransactionSort) -> &'static str {
    match sort {
        TransactionSort::Id => "f.id",
        TransactionSort::PolicyNumber => "b.policy_number COLLATE NOCASE",
        TransactionSort::Insured => "b.insured COLLATE NOCASE",
        TransactionSort::Invoice => "b.invoice COLLATE NOCASE",
        TransactionSort::State => "f.state",
        TransactionSort::TransactionType => "f.kind",
        TransactionSort::Status => "f.status",
        TransactionSort::PolicyEffective => "f.policy_effective",
        TransactionSort::TransactionEffective => "f.transaction_effective",
        TransactionSort::Filed => "f.filed",
        TransactionSort::Premium => "f.premium",
        TransactionSort::Taxes => "f.taxes",
        TransactionSort::Total => "f.total",
        TransactionSort::Documents => "f.documents",
        TransactionSort::Due => "f.due",
    }
}

/// What must hold, as SQL with its values in the order of the text.
#[derive(Default)]
struct Clauses {
    terms: Vec<String>,
    values: Vec<Value>,
}

impl Clauses {
    /// Whether there is a question of words; `None` where what was typed finds nothing. Before any other.
    fn add_text_filter(&mut self, typed: &str) -> Option<bool> {
        if typed.trim().is_empty() {
            return Some(false);
        }
        let query = search_words::match_query(typed)?;
        // It comes before the terms in the text.
        self.values.insert(0, Value::Text(query));
        Some(true)
    }

    /// Tables, and the words' own condition.
    const fn from(has_words: bool) -> &'static str {
        // CROSS: the words decide, the facts are looked up.
        if has_words { "words CROSS JOIN facts f ON f.id = words.rowid AND words MATCH ?" } else { "facts f" }
    }

    fn sql(&self) -> String {
        if self.terms.is_empty() { String::new() } else { format!(" WHERE {}", self.terms.join(" AND ")) }
    }

    fn one(&mut self, term: &str, value: impl Into<Value>) {
        self.terms.push(term.to_owned());
        self.values.push(value.into());
    }

    fn days(&mut self, column: &str, days: &DayRange) {
        if !days.from.is_empty() {
            self.one(&format!("f.{column} >= ?"), days.from.clone());
        }
        if !days.to.is_empty() {
            self.one(&format!("f.{column} <= ?"), days.to.clone());
        }
    }

    /// What is no facet.
    fn base(&mut self, filter: &TransactionsFilter) {
        self.days("filed", &filter.filed);
        self.days("policy_effective", &filter.policy_effective);
        self.days("transaction_effective", &filter.transaction_effective);
        if let Some(since) = parse_instant(&filter.changed_since) {
            self.one("f.changed_at >= ?", since.timestamp());
        }
    }

    fn any<T: Clone + Into<Value>>(&mut self, column: &str, values: &[T]) {
        if !values.is_empty() {
            self.terms.push(format!("{column} IN ({})", vec!["?"; values.len()].join(", ")));
            self.values.extend(values.iter().cloned().map(Into::into));
        }
    }

    fn facets(&mut self, filter: &TransactionsFilter, today: &str) {
        self.any("f.state", &filter.states);
        self.any("f.kind", &filter.types);
        self.any("f.status", &filter.statuses);
        self.any("substr(f.transaction_effective, 1, 7)", &filter.months);
        if !filter.documents.is_empty() {
            let wanted: Vec<i64> = filter.documents.iter().map(|word| i64::from(word == "with")).collect();
            self.any("(f.documents > 0)", &wanted);
        }
        if !filter.paid.is_empty() {
            let number = |word: &String| Some(word.parse::<PaymentState>().ok()? as i64);
            let wanted: Vec<i64> = filter.paid.iter().filter_map(number).collect();
            self.any("f.paid", &wanted);
        }
        if !filter.due.is_empty() {
            self.terms.push(format!(
                "CASE WHEN f.filed IS NOT NULL OR f.due IS NULL THEN 'unknown' WHEN f.due < ? THEN 'overdue' ELSE 'due' END IN ({})",
                vec!["?"; filter.due.len()].join(", ")
            ));
            self.values.push(today.to_owned().into());
            self.values.extend(filter.due.iter().cloned().map(Into::into));
        }
    }
}
