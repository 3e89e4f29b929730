//! Adds up the findings of a file's chunks to one report.

use bordereau_desk::api::{IssueGroupView, IssueView, ReviewCounts, ReviewTotals, ReviewView, StateTotal};
use bordereau_money::Usd;
use serde::{Deserialize, Serialize};

use super::findings::{FoundGroup, PLACES, ReviewFindings};

/// Findings in some rows of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ChunkReport {
    review: ReviewView,
    /// The first issues of each group.
    first: Vec<Vec<IssueView>>,
    /// Number of chunks whose rows with errors stay as drafts for the person.
    pub(crate) drafts: u32,
}

impl ChunkReport {
    pub(crate) fn of_findings(found: &ReviewFindings<'_>) -> ChunkReport {
        ChunkReport {
            // Skip the values of the chunk's cells: there are many, and no question about them here.
            review: ReviewView { values: Vec::new(), ..found.review.clone() },
            first: found.groups.iter().map(|group| group.first.clone()).collect(),
            drafts: 0,
        }
    }

    pub(crate) fn counts(&self) -> ReviewCounts {
        self.review.counts
    }

    pub(crate) fn has_group(&self, code: &str) -> bool {
        self.review.groups.iter().any(|group| group.code == code)
    }

    /// Adds the next chunk; the first one has how the file was read.
    pub(crate) fn add(&mut self, name: &str, next: ChunkReport) {
        if self.review.id.is_empty() {
            *self = next;
            name.clone_into(&mut self.review.name);
            return;
        }
        let (sum, counts) = (&mut self.review.counts, next.review.counts);
        for (sum, count) in [
            (&mut sum.rows, counts.rows),
            (&mut sum.transactions, counts.transactions),
            (&mut sum.ready, counts.ready),
            (&mut sum.errors, counts.errors),
            (&mut sum.sent, counts.sent),
            (&mut sum.warnings, counts.warnings),
            (&mut sum.changed, counts.changed),
            (&mut sum.excluded, counts.excluded),
        ] {
            *sum = sum.saturating_add(count);
        }
        add_totals(&mut self.review.totals, &next.review.totals);
        self.drafts += next.drafts;
        for (group, first) in next.review.groups.into_iter().zip(next.first) {
            self.add_group(group, first);
        }
    }

    fn add_group(&mut self, group: IssueGroupView, first: Vec<IssueView>) {
        let is_same = |known: &IssueGroupView| known.code == group.code && known.severity == group.severity;
        match self.review.groups.iter().position(is_same) {
            Some(at) => {
                if let Some(known) = self.review.groups.get_mut(at) {
                    known.rows = known.rows.saturating_add(group.rows);
                }
                if let Some(known) = self.first.get_mut(at) {
                    let room = (PLACES as usize).saturating_sub(known.len());
                    known.extend(first.into_iter().take(room));
                }
            }
            None => {
                self.review.groups.push(group);
                self.first.push(first);
            }
        }
    }

    /// The report, as for a file read at once.
    pub(crate) fn findings(&self) -> ReviewFindings<'_> {
        let groups = self.review.groups.iter().zip(&self.first);
        let groups = groups.map(|(group, first)| FoundGroup { group, first: first.clone() });
        ReviewFindings { review: &self.review, questions: Vec::new(), groups: groups.collect() }
    }
}

fn add_totals(sum: &mut ReviewTotals, totals: &ReviewTotals) {
    sum.count = sum.count.saturating_add(totals.count);
    add_amount(&mut sum.premium, &totals.premium);
    add_amount(&mut sum.taxes, &totals.taxes);
    add_amount(&mut sum.stamping, &totals.stamping);
    for state in &totals.states {
        match sum.states.iter_mut().find(|known| known.state == state.state) {
            Some(known) => add_state(known, state),
            None => sum.states.push(state.clone()),
        }
    }
    sum.states.sort_by(|a, b| a.state.cmp(&b.state));
}

fn add_state(sum: &mut StateTotal, state: &StateTotal) {
    sum.count = sum.count.saturating_add(state.count);
    add_amount(&mut sum.premium, &state.premium);
    add_amount(&mut sum.taxes, &state.taxes);
    add_amount(&mut sum.stamping, &state.stamping);
}

/// Adds amounts of a total, which are texts made from amounts. A sum beyond the largest amount is the largest one,
/// as in the totals of one chunk.
fn add_amount(sum: &mut String, amount: &str) {
    let added = Usd::parse(sum).ok().zip(Usd::parse(amount).ok());
    let added = added.and_then(|(a, b)| a.checked_add(b)).unwrap_or(Usd::MAX);
    *sum = added.to_string();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_of_chunks_add_up_by_state() {
        let state = |state: &str, count, premium: &str| StateTotal {
            state: state.into(),
            count,
            premium: premium.into(),
            taxes: "0.10".into(),
            stamping: "-0.05".into(),
        };
        let of = |states: Vec<StateTotal>, premium: &str| ReviewTotals {
            count: states.iter().map(|state| state.count).sum(),
            premium: premium.into(),
            taxes: "0.10".into(),
            stamping: "-0.05".into(),
            states,
        };
        let mut sum = of(vec![state("TX", 2, "1000.00")], "1000.00");
        add_totals(&mut sum, &of(vec![state("CA", 1, "-2.50"), state("TX", 1, "0.01")], "-2.49"));
        assert_eq!((sum.count, sum.premium.as_str(), sum.stamping.as_str()), (4, "997.51", "-0.10"));
        let states: Vec<_> =
            sum.states.iter().map(|s| (s.state.as_str(), s.count, s.premium.as_str())).collect();
        assert_eq!(states, [("CA", 1, "-2.50"), ("TX", 3, "1000.01")]);
    }
}
