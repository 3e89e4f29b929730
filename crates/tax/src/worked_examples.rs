//! Published answers, to the cent: what rules are checked with before they are used.

use std::str::FromStr;

use bordereau_contract::{Charge, Jurisdiction, parse_calendar_day};
use bordereau_money::Usd;
use chrono::NaiveDate;

use crate::csv::{CsvTable, TableProblem};
use crate::{LineInput, LocalTables, QuoteInput, RuleBook};

/// The examples that come with the rules: state, lines of business, fees, effective date, amounts, and where they are
/// from.
pub const BUILTIN_EXAMPLES: &str = include_str!("../rules/examples.csv");

/// Fewer say nothing about rules of 53 jurisdictions.
const EXAMPLES_MIN: usize = 10;
const COLUMNS: [&str; 7] =
    ["state", "lines", "agency_fee", "inspection_fee", "effective", "expected", "source"];

struct WorkedExample {
    input: QuoteInput,
    expected: Vec<(Charge, Usd)>,
}

/// Calculates a table of examples with the rules.
///
/// # Errors
/// The first example that the rules do not meet, or what cannot be read.
pub fn check_worked_examples(table: &str, book: &RuleBook) -> Result<(), String> {
    let first = |problems: Vec<TableProblem>| problems.first().map(ToString::to_string).unwrap_or_default();
    let read = CsvTable::read(table).map_err(first)?;
    let mut places = [0; COLUMNS.len()];
    for (place, name) in places.iter_mut().zip(COLUMNS) {
        *place = read.required_column(name).map_err(first)?;
    }
    let local = LocalTables::default();
    for (row, cells) in &read.rows {
        let texts = places.map(|place| cells.get(place).map_or("", |cell| cell.trim()));
        let [state, lines, .., effective, _, source] = texts;
        let example = WorkedExample::read(texts).ok_or_else(|| format!("row {row} cannot be read"))?;
        let answer = book.calculate(&example.input, &local).map_err(|problems| {
            let why = problems.first().map(|problem| problem.message.to_string()).unwrap_or_default();
            format!("row {row} has no answer: {why}")
        })?;
        for (charge, expected) in example.expected {
            let found = answer.amounts.charges.get(charge).unwrap_or(Usd::ZERO);
            if found != expected {
                let name = charge.name();
                return Err(format!(
                    "{state} {lines} on {effective}: {name} is {found}, {expected} expected ({source})"
                ));
            }
        }
    }
    if read.rows.len() < EXAMPLES_MIN {
        return Err(format!("fewer than {EXAMPLES_MIN} examples are given"));
    }
    Ok(())
}

impl WorkedExample {
    fn read([state, lines, agency, inspection, effective, expected, _]: [&str; 7]) -> Option<WorkedExample> {
        let lines = lines.split('|').map(read_line).collect::<Option<Vec<_>>>()?;
        let effective: NaiveDate = parse_calendar_day(effective)?;
        let input = QuoteInput {
            agency_fee: Usd::parse(agency).ok()?,
            inspection_fee: Usd::parse(inspection).ok()?,
            ..QuoteInput::new_policy(Jurisdiction::from_str(state).ok()?, lines, effective)
        };
        let expected = expected.split_whitespace().map(read_amount).collect::<Option<Vec<_>>>()?;
        Some(WorkedExample { input, expected })
    }
}

/// `GEN-1002=9521`.
fn read_line(text: &str) -> Option<LineInput> {
    let (code, premium) = text.trim().split_once('=')?;
    Some(LineInput { code: code.to_owned(), premium: Usd::parse(premium).ok()? })
}

/// `sl_tax=485.00`.
fn read_amount(text: &str) -> Option<(Charge, Usd)> {
    let (name, amount) = text.split_once('=')?;
    let charge = Charge::ALL.into_iter().find(|charge| charge.name() == name)?;
    Some((charge, Usd::parse(amount).ok()?))
}
