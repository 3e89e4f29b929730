//! Is the question one that can be answered? Every fault is named by the contract's field.

use bordereau_contract::{Jurisdiction, TransactionType};
use bordereau_contract::{format_long_day, pluralize};
use bordereau_money::Usd;
use chrono::NaiveDate;

use super::CaseLine;
use crate::rulebook::LocalTables;
use crate::rules::StateRules;
use crate::trace::LineSet;
use crate::{InputProblem, QuoteInput};

/// The most lines one question may have.
const LINES_MAX: usize = 100;
const _: () = assert!(LINES_MAX <= LineSet::MAX);
/// The largest premium and fees together, USD: leaves room for every charge on top.
const LARGEST: i64 = 100_000_000_000;

/// The contract's field names (section 2).
mod field {
    pub(super) const LINES: &str = "transaction_line_of_business_list";
    pub(super) const PREMIUMS: &str = "transaction_line_of_business_coverage";
    pub(super) const AGENCY_FEE: &str = "agency_fee";
    pub(super) const INSPECTION_FEE: &str = "inspection_fee";
    pub(super) const POLICY_DATE: &str = "policy_effective_date";
    pub(super) const TRANSACTION_DATE: &str = "transaction_effective_date";
    pub(super) const ADMITTED: &str = "admitted";
}

pub(super) fn too_large() -> Vec<InputProblem> {
    vec![input_problem(field::PREMIUMS, "premium and fees together are larger than 100,000,000,000.00")]
}

fn input_problem(field: &'static str, message: impl Into<String>) -> InputProblem {
    InputProblem { field, line: None, message: message.into() }
}

/// The lines of the table with their premium.
pub(super) fn resolve_lines<'a>(
    rules: &StateRules,
    input: &QuoteInput,
    local: &'a LocalTables,
) -> Result<Vec<CaseLine<'a>>, Vec<InputProblem>> {
    let mut problems = Vec::new();
    check_dates(input, &mut problems);
    check_amounts(input, &mut problems);
    if input.admitted && input.state != Jurisdiction::Ky {
        problems.push(input_problem(
            field::ADMITTED,
            "admitted business is calculated for Kentucky only; send 0",
        ));
    }
    let mut lines = Vec::with_capacity(input.lines.len().min(LINES_MAX));
    for (at, asked) in input.lines.iter().enumerate().take(LINES_MAX) {
        match local.lines.find(&asked.code, input.state) {
            Some(line) => {
                let premium = asked.premium;
                let base = rules.premium_rounding.map_or(premium, |how| premium.round(how));
                lines.push(CaseLine { line, names: line.names_in(input.state), premium, base });
            }
            None => problems.push(unknown_line(at, &asked.code, input.state)),
        }
    }
    if problems.is_empty() { Ok(lines) } else { Err(problems) }
}

fn unknown_line(at: usize, code: &str, state: Jurisdiction) -> InputProblem {
    let found: String = code.chars().take(40).collect();
    let message = format!(
        "\"{found}\" is neither a line of business nor a code of {} for one. Enter a code such as GEN-1002",
        state.title()
    );
    InputProblem { field: field::LINES, line: Some(at), message }
}

/// The days a question may be about.
const FIRST_DAY: NaiveDate = NaiveDate::from_ymd_opt(1990, 1, 1).unwrap();
const LAST_DAY: NaiveDate = NaiveDate::from_ymd_opt(2100, 12, 31).unwrap();

fn check_dates(input: &QuoteInput, problems: &mut Vec<InputProblem>) {
    let (first, last) = (FIRST_DAY, LAST_DAY);
    let outside = |date: NaiveDate| date < first || date > last;
    let say = |date: NaiveDate| {
        let [date, first, last] = [date, first, last].map(format_long_day);
        format!("{date} is not between {first} and {last}")
    };
    if outside(input.policy_effective) {
        problems.push(input_problem(field::POLICY_DATE, say(input.policy_effective)));
    }
    if outside(input.transaction_effective) {
        problems.push(input_problem(field::TRANSACTION_DATE, say(input.transaction_effective)));
    } else if input.transaction_effective < input.policy_effective {
        let message = format!(
            "{} is before the policy's effective date {}",
            format_long_day(input.transaction_effective),
            format_long_day(input.policy_effective)
        );
        problems.push(input_problem(field::TRANSACTION_DATE, message));
    }
}

fn check_amounts(input: &QuoteInput, problems: &mut Vec<InputProblem>) {
    if input.lines.is_empty() {
        problems.push(input_problem(field::LINES, "at least one line of business is needed"));
    }
    if input.lines.len() > LINES_MAX {
        let found = input.lines.len();
        problems.push(input_problem(
            field::LINES,
            format!("{}; at most {LINES_MAX} are accepted", pluralize(found, "line")),
        ));
    }
    let mut sum = Some(Usd::ZERO);
    for (at, line) in input.lines.iter().enumerate().take(LINES_MAX) {
        if let Some(message) = amount_fault(line.premium, input.transaction_type, "premium") {
            problems.push(InputProblem { field: field::PREMIUMS, line: Some(at), message });
        }
        if input.transaction_type == TransactionType::ZeroPremium && !line.premium.is_zero() {
            let message = format!("a zero premium endorsement has premium 0; found {}", line.premium);
            problems.push(InputProblem { field: field::PREMIUMS, line: Some(at), message });
        }
        sum = sum.and_then(|sum| sum.checked_add(line.premium));
    }
    for (name, fee, words) in [
        (field::AGENCY_FEE, input.agency_fee, "agency fee"),
        (field::INSPECTION_FEE, input.inspection_fee, "inspection fee"),
    ] {
        if let Some(message) = amount_fault(fee, input.transaction_type, words) {
            problems.push(input_problem(name, message));
        }
        sum = sum.and_then(|sum| sum.checked_add(fee));
    }
    if sum.is_none_or(|sum| sum > Usd::from_cents(LARGEST * 100)) {
        problems.extend(too_large());
    }
}

fn amount_fault(amount: Usd, transaction: TransactionType, words: &str) -> Option<String> {
    if amount.is_negative() {
        let advice = if transaction.is_credit() {
            "send the positive difference, it is applied as a credit"
        } else {
            "use a return transaction such as RPE with the positive difference"
        };
        return Some(format!("the {words} {amount} is negative; {advice}"));
    }
    (!amount.is_whole_cents()).then(|| format!("the {words} {amount} has more than two decimals"))
}
