//! From a total back to the premium.
//!
//! The calculator itself is asked, cent by cent where it matters: a formula would miss minimums, limits of fees and
//! rounding. A total rises with its premium nearly everywhere. Where fees are shared among lines by premium it may fall
//! for a while, so the search begins at premiums of every size, and every answer on the way counts.

use bordereau_contract::TransactionType;
use bordereau_money::Usd;

use crate::{InputProblem, LocalTables, QuoteInput, RuleBook};

/// A premium and what the client pays with it, USD; both are positive, also for a credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PricedPremium {
    /// Premium of the line that was searched.
    pub premium: Usd,
    /// Premium, fees and all charges.
    pub total: Usd,
}

/// What a total comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PremiumForTotal {
    /// The quote with this premium comes to exactly the total.
    Exact(PricedPremium),
    /// Rounding leaves no premium for it: the nearest totals below and above.
    Nearest {
        /// `None` where already the fees and the other lines come to more.
        below: Option<PricedPremium>,
        /// `None` where a larger premium cannot be asked.
        above: Option<PricedPremium>,
    },
}

/// Even steps over the range, beside halves of halves of it.
const STEPS: i64 = 48;
/// Cents on either side of a crossing in which each cent is asked: rounding to whole dollars moves a total by less.
const NEAR: i64 = 120;

impl RuleBook {
    /// The premium of the line at `line` with which the whole quote comes to `total`, by the calculator itself.
    ///
    /// # Errors
    /// Everything wrong with the question, by field.
    pub fn find_premium(
        &self,
        input: &QuoteInput,
        line: usize,
        total: Usd,
        local: &LocalTables,
    ) -> Result<PremiumForTotal, Vec<InputProblem>> {
        let Some(target) = total.abs().to_cents().filter(|_| line < input.lines.len()) else {
            return Err(premium_problem("the total has more than two decimals, or no line is to be priced"));
        };
        if input.transaction_type == TransactionType::ZeroPremium {
            return Err(premium_problem(
                "a zero premium endorsement has no premium that a total could come from",
            ));
        }
        let mut search = TotalSearch {
            book: self,
            input: input.clone(),
            line,
            local,
            target,
            exact: None,
            below: None,
            above: None,
        };
        search.run()?;
        Ok(match search.exact {
            Some(found) => PremiumForTotal::Exact(found.priced()),
            None => PremiumForTotal::Nearest {
                below: search.below.map(CentPair::priced),
                above: search.above.map(CentPair::priced),
            },
        })
    }
}

fn premium_problem(message: &str) -> Vec<InputProblem> {
    vec![InputProblem { field: "transaction_line_of_business_coverage", line: None, message: message.into() }]
}

/// A premium and its total in cents.
#[derive(Clone, Copy, Debug)]
struct CentPair {
    premium: i64,
    total: i64,
}

impl CentPair {
    fn priced(self) -> PricedPremium {
        PricedPremium { premium: Usd::from_cents(self.premium), total: Usd::from_cents(self.total) }
    }
}

struct TotalSearch<'a> {
    book: &'a RuleBook,
    input: QuoteInput,
    line: usize,
    local: &'a LocalTables,
    /// In cents, positive.
    target: i64,
    exact: Option<CentPair>,
    /// The largest total below the target, and the smallest above it, of all that were asked.
    below: Option<CentPair>,
    above: Option<CentPair>,
}

impl TotalSearch<'_> {
    fn run(&mut self) -> Result<(), Vec<InputProblem>> {
        let mut before = self.ask(0)?;
        for premium in starting_points(self.target) {
            let next = self.ask(premium)?;
            if (before.total <= self.target) != (next.total <= self.target) {
                self.close_in(before, next)?;
            }
            if self.exact.is_some() {
                return Ok(());
            }
            before = next;
        }
        Ok(())
    }

    /// Halves the range until its ends are a cent apart, then asks each cent around.
    fn close_in(&mut self, first: CentPair, last: CentPair) -> Result<(), Vec<InputProblem>> {
        let (mut first, mut last) = (first, last);
        while self.exact.is_none() && last.premium - first.premium > 1 {
            let middle = self.ask(first.premium + (last.premium - first.premium) / 2)?;
            if (middle.total <= self.target) == (first.total <= self.target) {
                first = middle;
            } else {
                last = middle;
            }
        }
        for premium in (first.premium - NEAR).max(0)..=last.premium + NEAR {
            if self.exact.is_some() {
                break;
            }
            self.ask(premium)?;
        }
        Ok(())
    }

    fn ask(&mut self, premium: i64) -> Result<CentPair, Vec<InputProblem>> {
        self.input.lines[self.line].premium = Usd::from_cents(premium);
        let total = self.book.calculate_amounts(&self.input, self.local)?.total().abs().to_cents();
        let total = total.ok_or_else(|| premium_problem("the total has more than two decimals"))?;
        let pair = CentPair { premium, total };
        if total == self.target {
            self.exact = Some(pair);
        } else if total < self.target {
            self.below = self.below.filter(|best| best.total >= total).or(Some(pair));
        } else {
            self.above = self.above.filter(|best| best.total <= total).or(Some(pair));
        }
        Ok(pair)
    }
}

/// Premiums in rising order, up to one whose total is surely above: nothing but a premium makes a total smaller than
/// itself.
fn starting_points(target: i64) -> Vec<i64> {
    let most = target.saturating_add(1);
    let halves = std::iter::successors(Some(most), |points| (*points > 1).then_some(points / 2));
    let even = (1..=STEPS).map(|step| most / STEPS * step);
    let mut points: Vec<i64> = halves.chain(even).filter(|point| *point > 0).collect();
    points.sort_unstable();
    points.dedup();
    points
}
