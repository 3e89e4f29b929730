//! What all matches come to: totals, facets with counts, sums for the charts. One pass over the facts.

use std::collections::BTreeMap;
use std::str::FromStr;

use bordereau_contract::{Jurisdiction, TransactionType, parse_calendar_day};
use rusqlite::{Connection, Row, params_from_iter};

use super::facts::Paid;
use super::found::Clauses;
use super::index::{Inner, revision};
use super::row::status_word;
use super::units::text;
use bordereau_api::{
    ChartBar, Facet, FacetChoice, TransactionTotals, TransactionsFilter, TransactionsSummary,
};
use bordereau_store::StoreError;

/// The facets; of each the filter holds a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    States,
    Types,
    Statuses,
    Documents,
    Paid,
    Due,
    Months,
}

const KINDS: [Kind; 7] =
    [Kind::States, Kind::Types, Kind::Statuses, Kind::Documents, Kind::Paid, Kind::Due, Kind::Months];

/// Sums in hundredths of a cent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) count: u32,
    pub(super) premium: i128,
    pub(super) fees: i128,
    pub(super) taxes: i128,
}

impl Sum {
    pub(super) fn add(&mut self, premium: i64, fees: i64, taxes: i64) {
        self.count += 1;
        self.premium += i128::from(premium);
        self.fees += i128::from(fees);
        self.taxes += i128::from(taxes);
    }

    pub(super) fn view(self) -> TransactionTotals {
        TransactionTotals {
            count: self.count,
            premium: text(self.premium),
            fees: text(self.fees),
            taxes: text(self.taxes),
            total: text(self.premium + self.fees + self.taxes),
        }
    }
}

/// Sums by value, of every facet.
#[derive(Default)]
struct Counted {
    all: Sum,
    by: [BTreeMap<String, Sum>; 7],
}

/// The summary of a filter; `today` decides what is overdue.
pub(super) fn summary(
    db: &Connection,
    inner: &Inner,
    filter: &TransactionsFilter,
    today: &str,
) -> Result<TransactionsSummary, StoreError> {
    let counted = count(db, filter, today)?;
    let of = |kind: Kind| &counted.by[kind as usize];
    let word = |number: &str| status_word(inner.status_word, number.parse().unwrap_or_default());
    let named = |of_value: &dyn Fn(&str) -> String, kind: Kind, name: &str, title: &str| {
        facet(of(kind), kind, filter, (name, title), of_value)
    };
    let facets = vec![
        named(&state_title, Kind::States, "states", "State"),
        named(&type_title, Kind::Types, "types", "Type"),
        named(&word, Kind::Statuses, "statuses", "Status"),
        named(&documents_title, Kind::Documents, "documents", "Documents"),
        named(&paid_title, Kind::Paid, "paid", "Payment"),
        named(&due_title, Kind::Due, "due", "Filing due"),
    ];
    let mut by_state = bars(of(Kind::States), "states", &state_title);
    by_state
        .sort_by_key(|bar| std::cmp::Reverse(of(Kind::States).get(&bar.value).map_or(0, |sum| sum.premium)));
    Ok(TransactionsSummary {
        totals: counted.all.view(),
        facets,
        by_state,
        by_month: bars(of(Kind::Months), "months", &month_title),
        by_status: bars(of(Kind::Statuses), "statuses", &word),
        revision: revision(db)?,
    })
}

fn count(db: &Connection, filter: &TransactionsFilter, today: &str) -> Result<Counted, StoreError> {
    let mut counted = Counted::default();
    let mut clauses = Clauses::default();
    clauses.base(filter);
    let Some(question) = clauses.question(&filter.text) else { return Ok(counted) };
    let sql = format!(
        "SELECT f.state, f.kind, f.status, f.documents, f.paid, f.due, f.filed IS NULL, f.transaction_effective, \
         f.premium, f.fees, f.taxes FROM {}{}",
        clauses.from(question),
        clauses.sql()
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(clauses.values))?;
    while let Some(row) = rows.next()? {
        let status = row.get::<_, i64>(2)?.to_string();
        let due = if row.get::<_, bool>(6)? { due_word(text_of(row, 5)?, today) } else { "unknown" };
        let values: [&str; 7] = [
            text_of(row, 0)?,
            text_of(row, 1)?,
            &status,
            if row.get::<_, i64>(3)? > 0 { "with" } else { "without" },
            Paid::of(row.get(4)?).word(),
            due,
            text_of(row, 7)?.get(..7).unwrap_or_default(),
        ];
        let (premium, fees, taxes) = (row.get(8)?, row.get(9)?, row.get(10)?);
        let fails = |kind: &Kind| !is_wanted(filter, *kind, values[*kind as usize]);
        let failing: Vec<usize> =
            KINDS.iter().filter(|kind| fails(kind)).map(|kind| *kind as usize).collect();
        match failing.as_slice() {
            [] => {
                counted.all.add(premium, fees, taxes);
                (0..KINDS.len()).for_each(|at| add(&mut counted.by[at], values[at], (premium, fees, taxes)));
            }
            // A choice is counted as if nothing were chosen of its own facet.
            [one] => add(&mut counted.by[*one], values[*one], (premium, fees, taxes)),
            _ => {}
        }
    }
    Ok(counted)
}

fn text_of<'r>(row: &'r Row<'_>, at: usize) -> Result<&'r str, StoreError> {
    Ok(row.get_ref(at)?.as_str_or_null().ok().flatten().unwrap_or_default())
}

fn add(by: &mut BTreeMap<String, Sum>, value: &str, (premium, fees, taxes): (i64, i64, i64)) {
    match by.get_mut(value) {
        Some(sum) => sum.add(premium, fees, taxes),
        None => by.entry(value.to_owned()).or_default().add(premium, fees, taxes),
    }
}

fn is_wanted(filter: &TransactionsFilter, kind: Kind, value: &str) -> bool {
    let any = |wanted: &[String]| wanted.is_empty() || wanted.iter().any(|one| one == value);
    match kind {
        Kind::States => any(&filter.states),
        Kind::Types => any(&filter.types),
        Kind::Statuses => {
            filter.statuses.is_empty() || filter.statuses.iter().any(|one| value.parse() == Ok(*one))
        }
        Kind::Documents => any(&filter.documents),
        Kind::Paid => any(&filter.paid),
        Kind::Due => any(&filter.due),
        Kind::Months => any(&filter.months),
    }
}

fn due_word(due: &str, today: &str) -> &'static str {
    match due {
        "" => "unknown",
        due if due < today => "overdue",
        _ => "due",
    }
}

fn due_title(word: &str) -> String {
    match word {
        "overdue" => "Overdue",
        "due" => "Not yet due",
        _ => "Filed, or no rule",
    }
    .to_owned()
}

fn paid_title(word: &str) -> String {
    let paid = Paid::ALL.into_iter().find(|paid| paid.word() == word);
    paid.map_or_else(|| word.to_owned(), |paid| paid.title().to_owned())
}

fn documents_title(word: &str) -> String {
    if word == "with" { "With documents" } else { "Without documents" }.to_owned()
}

fn state_title(code: &str) -> String {
    match Jurisdiction::from_str(code) {
        Ok(state) => format!("{code} {}", state.title()),
        Err(_) if code.is_empty() => "No state".to_owned(),
        Err(_) => code.to_owned(),
    }
}

fn type_title(code: &str) -> String {
    match TransactionType::from_str(code) {
        Ok(kind) => format!("{code} {}", kind.title()),
        Err(_) if code.is_empty() => "No type".to_owned(),
        Err(_) => code.to_owned(),
    }
}

fn month_title(month: &str) -> String {
    let first = parse_calendar_day(&format!("{month}-01"));
    first.map_or_else(|| "No date".to_owned(), |date| date.format("%b %Y").to_string())
}

fn facet(
    by: &BTreeMap<String, Sum>,
    kind: Kind,
    filter: &TransactionsFilter,
    (name, title): (&str, &str),
    words: &dyn Fn(&str) -> String,
) -> Facet {
    let is_chosen = |value: &str| !is_wanted(filter, kind, "\0") && is_wanted(filter, kind, value);
    let mut choices: Vec<FacetChoice> = by
        .iter()
        .map(|(value, sum)| FacetChoice {
            value: value.clone(),
            title: words(value),
            count: sum.count,
            chosen: is_chosen(value),
        })
        .collect();
    choices.sort_by_key(|choice| std::cmp::Reverse(choice.count));
    // What was chosen stays to be taken back, even where it finds nothing any more.
    let missing = chosen(filter, kind).into_iter().filter(|value| !by.contains_key(value));
    choices.extend(missing.map(|value| FacetChoice { title: words(&value), value, count: 0, chosen: true }));
    Facet { name: name.to_owned(), title: title.to_owned(), choices }
}

fn chosen(filter: &TransactionsFilter, kind: Kind) -> Vec<String> {
    match kind {
        Kind::States => filter.states.clone(),
        Kind::Types => filter.types.clone(),
        Kind::Statuses => filter.statuses.iter().map(ToString::to_string).collect(),
        Kind::Documents => filter.documents.clone(),
        Kind::Paid => filter.paid.clone(),
        Kind::Due => filter.due.clone(),
        Kind::Months => filter.months.clone(),
    }
}

/// Bars with their length: the longest of a chart is 1000.
fn bars(by: &BTreeMap<String, Sum>, facet: &str, words: &dyn Fn(&str) -> String) -> Vec<ChartBar> {
    let most = |of: fn(&Sum) -> i128| by.values().map(|sum| of(sum).abs()).max().unwrap_or_default().max(1);
    let money = most(|sum| sum.premium).max(most(|sum| sum.taxes));
    let count = most(|sum| sum.count.into());
    let share = |part: i128, whole: i128| i32::try_from(part * 1000 / whole).unwrap_or_default();
    by.iter()
        .map(|(value, sum)| ChartBar {
            facet: facet.to_owned(),
            value: value.clone(),
            title: words(value),
            count: sum.count,
            premium: text(sum.premium),
            taxes: text(sum.taxes),
            premium_share: share(sum.premium, money),
            taxes_share: share(sum.taxes, money),
            count_share: share(sum.count.into(), count),
        })
        .collect()
}
