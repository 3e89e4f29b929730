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
use bordereau_transaction_index::search::{MatchRow, RecordAmounts, count_undated, for_each_match};

/// A part of the filter that is a list of values: what the list shows is counted by it.
struct FacetDefinition {
    /// As in the filter.
    name: &'static str,
    title: &'static str,
    chosen: fn(&TransactionsFilter) -> &[String],
    /// The value of a record; of today depends what is overdue.
    value: for<'r> fn(&MatchRow<'r>, today: &str) -> &'r str,
    value_title: fn(&ServiceWords, &str) -> String,
}

/// In the order they are offered; `Clauses::facets` of the index finds the same in SQL.
const FACETS: [FacetDefinition; 7] = [
    FacetDefinition {
        name: "states",
        title: "State",
        chosen: |filter| &filter.states,
        value: |row, _| row.state,
        value_title: |_, code| state_title(code),
    },
    FacetDefinition {
        name: "types",
        title: "Type",
        chosen: |filter| &filter.types,
        value: |row, _| row.kind,
        value_title: |_, code| type_title(code),
    },
    FacetDefinition {
        name: "statuses",
        title: "Status",
        chosen: |filter| &filter.statuses,
        value: |row, _| row.status,
        value_title: |words, status| words.status_title(&ServiceStatus::of(status)),
    },
    FacetDefinition {
        name: "documents",
        title: "Documents",
        chosen: |filter| &filter.documents,
        value: |row, _| if row.documents > 0 { "with" } else { "without" },
        value_title: |_, word| if word == "with" { "With documents" } else { "Without documents" }.to_owned(),
    },
    FacetDefinition {
        name: "paid",
        title: "Payment",
        chosen: |filter| &filter.paid,
        value: |row, _| row.paid.into(),
        value_title: |_, word| paid_title(word),
    },
    FacetDefinition {
        name: "due",
        title: "Filing due",
        chosen: |filter| &filter.due,
        value: |row, today| due_word(row.due, today),
        value_title: |_, word| due_title(word),
    },
    FacetDefinition {
        name: MONTHS,
        title: "Month",
        chosen: |filter| &filter.months,
        value: |row, _| row.transaction_effective.get(..7).unwrap_or_default(),
        value_title: |_, month| month_title(month),
    },
];

/// Chosen in the chart alone: as choices they would be too many.
const MONTHS: &str = "months";

impl FacetDefinition {
    fn is_selected(&self, filter: &TransactionsFilter, value: &str) -> bool {
        let chosen = (self.chosen)(filter);
        chosen.is_empty() || chosen.iter().any(|one| one == value)
    }
}

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
    by_facet: [BTreeMap<String, TotalSum>; FACETS.len()],
}

/// The summary of a filter; `today` decides what is overdue.
pub(super) fn summarize(
    connection: &Connection,
    words: &ServiceWords,
    filter: &TransactionsFilter,
    today: &str,
) -> Result<TransactionsSummary, StoreError> {
    let sums = count_matches(connection, filter, today)?;
    let counted = || FACETS.iter().zip(&sums.by_facet);
    let facets = counted()
        .filter(|(facet, _)| facet.name != MONTHS)
        .map(|(facet, by_value)| build_facet(facet, by_value, filter, words))
        .collect();
    let chart = |name: &str, is_largest_first: bool| {
        let of_name = counted().filter(|(facet, _)| facet.name == name);
        let bars = of_name.flat_map(|(facet, by_value)| {
            let mut sums: Vec<_> = by_value.iter().collect();
            if is_largest_first {
                sums.sort_by_key(|(_, sum)| std::cmp::Reverse(sum.premium));
            }
            chart_bars(facet, &sums, words)
        });
        bars.collect()
    };
    Ok(TransactionsSummary {
        totals: TransactionTotals { undated: count_undated(connection, filter, today)?, ..sums.all.view() },
        facets,
        by_state: chart("states", true),
        by_month: chart(MONTHS, false),
        by_status: chart("statuses", false),
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
        let values = FACETS.each_ref().map(|facet| (facet.value)(&row, today));
        let is_failing = |at: &usize| !FACETS[*at].is_selected(filter, values[*at]);
        let failing: Vec<usize> = (0..FACETS.len()).filter(is_failing).collect();
        match failing.as_slice() {
            [] => {
                sums.all.add(row.amounts);
                for (by_value, value) in sums.by_facet.iter_mut().zip(values) {
                    add_to_sum(by_value, value, row.amounts);
                }
            }
            // A choice is counted as if nothing were chosen of its own facet.
            [one] => add_to_sum(&mut sums.by_facet[*one], values[*one], row.amounts),
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
    facet: &FacetDefinition,
    by_value: &BTreeMap<String, TotalSum>,
    filter: &TransactionsFilter,
    words: &ServiceWords,
) -> Facet {
    let chosen = (facet.chosen)(filter);
    let choice = |value: &String, count| FacetChoice {
        value: value.clone(),
        title: (facet.value_title)(words, value),
        count,
        chosen: chosen.contains(value),
    };
    let mut choices: Vec<FacetChoice> =
        by_value.iter().map(|(value, sum)| choice(value, sum.count)).collect();
    choices.sort_by_key(|choice| std::cmp::Reverse(choice.count));
    // A chosen filter stays in the list, to be removed, even where it finds nothing any more.
    let missing = chosen.iter().filter(|value| !by_value.contains_key(*value));
    choices.extend(missing.map(|value| choice(value, 0)));
    Facet { name: facet.name.to_owned(), title: facet.title.to_owned(), choices }
}

/// Bars with their length: the longest of a chart is 1000.
fn chart_bars(facet: &FacetDefinition, sums: &[(&String, &TotalSum)], words: &ServiceWords) -> Vec<ChartBar> {
    let most = |of: fn(&TotalSum) -> i128| {
        sums.iter().map(|(_, sum)| of(sum).abs()).max().unwrap_or_default().max(1)
    };
    let money = most(|sum| sum.premium).max(most(|sum| sum.taxes));
    let count = most(|sum| sum.count.into());
    let share = |part: i128, whole: i128| i32::try_from(part * 1000 / whole).unwrap_or_default();
    sums.iter()
        .map(|(value, sum)| ChartBar {
            facet: facet.name.to_owned(),
            value: value.to_string(),
            title: (facet.value_title)(words, value),
            count: sum.count,
            premium: format_units(sum.premium),
            taxes: format_units(sum.taxes),
            premium_share: share(sum.premium, money),
            taxes_share: share(sum.taxes, money),
            count_share: share(sum.count.into(), count),
        })
        .collect()
}
