//! What all matches come to: totals, facets with counts, sums for the charts. One pass over the facts.

use std::collections::BTreeMap;
use std::str::FromStr;

use bordereau_contract::{Jurisdiction, ServiceStatus, TransactionType, parse_calendar_day};

use super::facts::payment_title;
use super::units::format_units;
use bordereau_api::{
    ChartBar, Facet, FacetChoice, TransactionTotals, TransactionsFilter, TransactionsSummary,
};
use bordereau_session::profile::ServiceWords;
use bordereau_store::StoreError;
use bordereau_transaction_index::Connection;
use bordereau_transaction_index::facts::PaymentState;
use bordereau_transaction_index::index_revision;
use bordereau_transaction_index::search::{RecordAmounts, count_undated, for_each_match};

/// The facets; of each the filter holds a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FacetKind {
    States,
    Types,
    Statuses,
    Documents,
    Paid,
    Due,
    Months,
}

const KINDS: [FacetKind; 7] = [
    FacetKind::States,
    FacetKind::Types,
    FacetKind::Statuses,
    FacetKind::Documents,
    FacetKind::Paid,
    FacetKind::Due,
    FacetKind::Months,
];

/// Sums in hundredths of a cent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TotalSum {
    pub(super) count: u32,
    pub(super) premium: i128,
    pub(super) fees: i128,
    pub(super) taxes: i128,
    pub(super) without_amounts: u32,
}

impl TotalSum {
    pub(super) fn add(&mut self, amounts: RecordAmounts) {
        self.count += 1;
        self.premium += i128::from(amounts.premium);
        self.fees += i128::from(amounts.fees);
        self.taxes += i128::from(amounts.taxes);
        self.without_amounts += u32::from(amounts.lacks_amounts);
    }

    pub(super) fn view(self) -> TransactionTotals {
        TransactionTotals {
            count: self.count,
            premium: format_units(self.premium),
            fees: format_units(self.fees),
            taxes: format_units(self.taxes),
            total: format_units(self.premium + self.fees + self.taxes),
            without_amounts: self.without_amounts,
            undated: 0,
        }
    }
}

/// Sums by value, of every facet.
#[derive(Default)]
struct FacetSums {
    all: TotalSum,
    by: [BTreeMap<String, TotalSum>; 7],
}

/// The summary of a filter; `today` decides what is overdue.
pub(super) fn summarize(
    connection: &Connection,
    words: &ServiceWords,
    filter: &TransactionsFilter,
    today: &str,
) -> Result<TransactionsSummary, StoreError> {
    let sums = count_matches(connection, filter, today)?;
    let of = |kind: FacetKind| &sums.by[kind as usize];
    let word = |status: &str| words.status_title(&ServiceStatus::of(status));
    let named = |of_value: &dyn Fn(&str) -> String, kind: FacetKind, name: &str, title: &str| {
        build_facet(of(kind), kind, filter, (name, title), of_value)
    };
    let facets = vec![
        named(&state_title, FacetKind::States, "states", "State"),
        named(&type_title, FacetKind::Types, "types", "Type"),
        named(&word, FacetKind::Statuses, "statuses", "Status"),
        named(&documents_title, FacetKind::Documents, "documents", "Documents"),
        named(&paid_title, FacetKind::Paid, "paid", "Payment"),
        named(&due_title, FacetKind::Due, "due", "Filing due"),
    ];
    let mut by_state = chart_bars(of(FacetKind::States), "states", &state_title);
    by_state.sort_by_key(|bar| {
        std::cmp::Reverse(of(FacetKind::States).get(&bar.value).map_or(0, |sum| sum.premium))
    });
    Ok(TransactionsSummary {
        totals: TransactionTotals { undated: count_undated(connection, filter, today)?, ..sums.all.view() },
        facets,
        by_state,
        by_month: chart_bars(of(FacetKind::Months), "months", &month_title),
        by_status: chart_bars(of(FacetKind::Statuses), "statuses", &word),
        revision: index_revision(connection)?,
    })
}

fn count_matches(
    connection: &Connection,
    filter: &TransactionsFilter,
    today: &str,
) -> Result<FacetSums, StoreError> {
    let mut sums = FacetSums::default();
    for_each_match(connection, filter, |row| {
        let values: [&str; 7] = [
            row.state,
            row.kind,
            row.status,
            if row.documents > 0 { "with" } else { "without" },
            row.paid.into(),
            due_word(row.due, today),
            row.transaction_effective.get(..7).unwrap_or_default(),
        ];
        let fails = |kind: &FacetKind| !is_selected(filter, *kind, values[*kind as usize]);
        let failing: Vec<usize> =
            KINDS.iter().filter(|kind| fails(kind)).map(|kind| *kind as usize).collect();
        match failing.as_slice() {
            [] => {
                sums.all.add(row.amounts);
                (0..KINDS.len()).for_each(|at| add_to_sum(&mut sums.by[at], values[at], row.amounts));
            }
            // A choice is counted as if nothing were chosen of its own facet.
            [one] => add_to_sum(&mut sums.by[*one], values[*one], row.amounts),
            _ => {}
        }
    })?;
    Ok(sums)
}

fn add_to_sum(by: &mut BTreeMap<String, TotalSum>, value: &str, amounts: RecordAmounts) {
    match by.get_mut(value) {
        Some(sum) => sum.add(amounts),
        None => by.entry(value.to_owned()).or_default().add(amounts),
    }
}

fn is_selected(filter: &TransactionsFilter, kind: FacetKind, value: &str) -> bool {
    let any = |wanted: &[String]| wanted.is_empty() || wanted.iter().any(|one| one == value);
    match kind {
        FacetKind::States => any(&filter.states),
        FacetKind::Types => any(&filter.types),
        FacetKind::Statuses => any(&filter.statuses),
        FacetKind::Documents => any(&filter.documents),
        FacetKind::Paid => any(&filter.paid),
        FacetKind::Due => any(&filter.due),
        FacetKind::Months => any(&filter.months),
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
    word.parse::<PaymentState>().map_or(word, |paid| payment_title(paid)).to_owned()
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

fn build_facet(
    by: &BTreeMap<String, TotalSum>,
    kind: FacetKind,
    filter: &TransactionsFilter,
    (name, title): (&str, &str),
    words: &dyn Fn(&str) -> String,
) -> Facet {
    let is_chosen = |value: &str| !is_selected(filter, kind, "\0") && is_selected(filter, kind, value);
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
    // A chosen filter stays in the list, to be removed, even where it finds nothing any more.
    let missing = chosen_values(filter, kind).into_iter().filter(|value| !by.contains_key(value));
    choices.extend(missing.map(|value| FacetChoice { title: words(&value), value, count: 0, chosen: true }));
    Facet { name: name.to_owned(), title: title.to_owned(), choices }
}

fn chosen_values(filter: &TransactionsFilter, kind: FacetKind) -> Vec<String> {
    match kind {
        FacetKind::States => filter.states.clone(),
        FacetKind::Types => filter.types.clone(),
        FacetKind::Statuses => filter.statuses.clone(),
        FacetKind::Documents => filter.documents.clone(),
        FacetKind::Paid => filter.paid.clone(),
        FacetKind::Due => filter.due.clone(),
        FacetKind::Months => filter.months.clone(),
    }
}

/// Bars with their length: the longest of a chart is 1000.
fn chart_bars(by: &BTreeMap<String, TotalSum>, facet: &str, words: &dyn Fn(&str) -> String) -> Vec<ChartBar> {
    let most =
        |of: fn(&TotalSum) -> i128| by.values().map(|sum| of(sum).abs()).max().unwrap_or_default().max(1);
    let money = most(|sum| sum.premium).max(most(|sum| sum.taxes));
    let count = most(|sum| sum.count.into());
    let share = |part: i128, whole: i128| i32::try_from(part * 1000 / whole).unwrap_or_default();
    by.iter()
        .map(|(value, sum)| ChartBar {
            facet: facet.to_owned(),
            value: value.clone(),
            title: words(value),
            count: sum.count,
            premium: format_units(sum.premium),
            taxes: format_units(sum.taxes),
            premium_share: share(sum.premium, money),
            taxes_share: share(sum.taxes, money),
            count_share: share(sum.count.into(), count),
        })
        .collect()
}
