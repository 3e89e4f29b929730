//! Which transactions a search finds, in its order; the last few answers are kept until the index changes.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bordereau_contract::parse_instant;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::index::{Inner, revision};
use super::words;
use bordereau_api::{DayRange, TransactionSort, TransactionsFilter};
use bordereau_store::StoreError;

/// Answers kept: the search on screen, the one before it, and what an export asks.
const KEPT: usize = 3;

/// What an answer is kept under.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) filter: TransactionsFilter,
    pub(super) sort: TransactionSort,
    pub(super) ascending: bool,
    /// The day that decides what is overdue, `yyyy-mm-dd`.
    pub(super) today: String,
}

/// A question, the revision it was answered at, and the ids found.
type Answered = (Asked, u32, Arc<Vec<i64>>);

/// Answers by question.
#[derive(Default)]
pub(super) struct Found(Mutex<VecDeque<Answered>>);

/// Ids in the order asked for, and the revision they are of.
pub(super) fn found(
    db: &Connection,
    inner: &Inner,
    asked: &Asked,
) -> Result<(Arc<Vec<i64>>, u32), StoreError> {
    let revision = revision(db)?;
    let lock = || inner.found.0.lock().unwrap_or_else(PoisonError::into_inner);
    let held =
        lock().iter().find(|(of, at, _)| of == asked && *at == revision).map(|(_, _, ids)| Arc::clone(ids));
    if let Some(ids) = held {
        return Ok((ids, revision));
    }
    let ids = Arc::new(ask(db, asked)?);
    let mut kept = lock();
    kept.retain(|(of, at, _)| *at == revision && of != asked);
    kept.push_front((asked.clone(), revision, Arc::clone(&ids)));
    kept.truncate(KEPT);
    Ok((ids, revision))
}

fn ask(db: &Connection, asked: &Asked) -> Result<Vec<i64>, StoreError> {
    let mut clauses = Clauses::default();
    clauses.base(&asked.filter);
    clauses.facets(&asked.filter, &asked.today);
    let Some(question) = clauses.question(&asked.filter.text) else { return Ok(Vec::new()) };
    let direction = if asked.ascending { "ASC" } else { "DESC" };
    let sql = match (question, asked.sort, clauses.terms.is_empty()) {
        // The words alone answer in their own order: no other table is touched.
        (true, TransactionSort::Id, true) => {
            format!("SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rowid {direction}")
        }
        (question, sort, _) => {
            let column = column(sort);
            let bodies = if column.starts_with("b.") { " JOIN bodies b ON b.id = f.id" } else { "" };
            let second =
                if sort == TransactionSort::Id { String::new() } else { format!(", f.id {direction}") };
            let from = clauses.from(question);
            format!("SELECT f.id FROM {from}{bodies}{} ORDER BY {column} {direction}{second}", clauses.sql())
        }
    };
    let mut statement = db.prepare_cached(&sql)?;
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
pub(super) struct Clauses {
    terms: Vec<String>,
    pub(super) values: Vec<Value>,
}

impl Clauses {
    /// Whether there is a question of words; `None` where what was typed finds nothing. Before any other.
    pub(super) fn question(&mut self, typed: &str) -> Option<bool> {
        if typed.trim().is_empty() {
            return Some(false);
        }
        let question = words::question(typed)?;
        // It stands before the terms in the text.
        self.values.insert(0, Value::Text(question));
        Some(true)
    }

    /// Tables, and the words' own condition.
    pub(super) fn from(&self, question: bool) -> &'static str {
        // CROSS: the words decide, the facts are looked up.
        if question { "words CROSS JOIN facts f ON f.id = words.rowid AND words MATCH ?" } else { "facts f" }
    }

    pub(super) fn sql(&self) -> String {
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
    pub(super) fn base(&mut self, filter: &TransactionsFilter) {
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
            let of = |word: &String| super::facts::Paid::ALL.into_iter().find(|paid| paid.word() == word);
            let wanted: Vec<i64> =
                filter.paid.iter().filter_map(of).map(super::facts::Paid::number).collect();
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
