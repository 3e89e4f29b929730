//! From the body to the calculator's input, with every field at fault named.

use std::borrow::Cow;

use bordereau_contract::{
    EntityType, FeeChargedBy, Jurisdiction, Occupancy, TransactionType, WrittenAs, describe_fault,
    describe_raw, parse_calendar_day, split_list,
};
use bordereau_money::{Rate, Usd};
use bordereau_tax::{LineInput, QuoteInput, RiskDetails, RiskLocation};
use chrono::{Datelike, NaiveDate};
use serde::Deserialize;

use super::fields::{BodyFields, parse};
use crate::refusal::Refusal;

/// Lines of business one request may have \[ours].
const LINES_MAX: usize = 100;
/// Bytes of a list of lines or premiums.
const LIST_BYTES_MAX: usize = 8_192;
/// Bytes of any other text.
const TEXT_BYTES_MAX: usize = 255;

/// A question as far as it could be read. With `problems` the input holds stand-ins and only serves
/// to find what else is wrong.
pub(super) struct ParsedQuestion {
    pub(super) input: QuoteInput,
    pub(super) echo: AnswerEcho,
    pub(super) problems: Vec<bordereau_contract::FieldProblem>,
    /// The line came in the legacy single-line form.
    pub(super) single_line: bool,
}

/// What the answer repeats as it came.
pub(super) struct AnswerEcho {
    pub(super) line_of_business: String,
    pub(super) continuous_coverage: bool,
}

/// Reads a question. Unknown fields are ignored.
///
/// # Errors
/// A refusal when it is no JSON object, or too little of it could be read to ask the calculator.
pub(super) fn read(text: &str, today: NaiveDate) -> Result<ParsedQuestion, Refusal> {
    let mut fields = parse(text)?;
    let state = read_code::<Jurisdiction>(&mut fields, "physical_state", true);
    let transaction_type = read_code::<TransactionType>(&mut fields, "transaction_type", true);
    let single_line = is_single_line(&fields);
    let (line_of_business, lines) = if single_line { one_line(&mut fields) } else { read_lines(&mut fields) };
    let agency_fee = read_fee(&mut fields, "agency_fee");
    let inspection_fee = read_fee(&mut fields, "inspection_fee");
    let policy_date = read_date(&mut fields, "policy_effective_date");
    let transaction_date = read_date(&mut fields, "transaction_effective_date");
    let entity = read_code(&mut fields, "mailing_entity_type", false).unwrap_or(EntityType::Commercial);
    let written_as = read_code::<WrittenAs>(&mut fields, "account_written_as", false);
    let admitted = fields.flag_field("admitted");
    if admitted && state.is_some_and(|state| state != Jurisdiction::Ky) {
        fields.add_fault("admitted", "1 is possible only for Kentucky (KY).");
    }
    let policy_effective = policy_date.unwrap_or(today);
    let starts = transaction_type.is_some_and(TransactionType::starts_policy);
    let transaction_effective = transaction_date.unwrap_or(if starts { policy_effective } else { today });
    if let Some(kind) = transaction_type.filter(|_| starts && transaction_effective != policy_effective) {
        fields.add_fault(
            "transaction_effective_date",
            format!("{transaction_effective} differs from the policy's {policy_effective}; for {kind} they are the same."),
        );
    }
    let input = QuoteInput {
        // Stand-ins where the field is at fault: the answer is refused then.
        state: state.unwrap_or(Jurisdiction::Tx),
        transaction_type: transaction_type.unwrap_or(TransactionType::New),
        lines,
        agency_fee,
        inspection_fee,
        policy_effective,
        transaction_effective,
        entity,
        rpg: fields.flag_field("rpg"),
        tax_exempt: fields.flag_field("tax_exempt"),
        ecp: fields.flag_field("ecp"),
        export_list: fields.flag_field("export_list"),
        commission_received: fields.flag_field("commission_received"),
        admitted,
        written_as,
        location: read_location(&mut fields),
        details: RiskDetails {
            fee_charged_by: read_code::<FeeChargedBy>(&mut fields, "agency_fee_charged_by", false),
            occupancy: read_code::<Occupancy>(&mut fields, "occupancy", false),
            assessment_rate: read_rate(&mut fields, "assessment_rate"),
        },
        today,
    };
    let echo = AnswerEcho { line_of_business, continuous_coverage: fields.flag_field("continuous_coverage") };
    // A stand-in state or type would make the calculator complain about what no one asked.
    if state.is_none() || transaction_type.is_none() {
        return Err(Refusal::invalid_fields(fields.problems));
    }
    Ok(ParsedQuestion { input, echo, problems: fields.problems, single_line })
}

fn read_code<T: std::str::FromStr<Err = bordereau_contract::CodeError>>(
    fields: &mut BodyFields<'_>,
    name: &str,
    required: bool,
) -> Option<T> {
    let before = fields.problems.len();
    let Some(text) = fields.text_field(name, TEXT_BYTES_MAX) else {
        if required && fields.problems.len() == before {
            fields.add_fault(name, format!("{name} is required."));
        }
        return None;
    };
    match text.parse() {
        Ok(code) => Some(code),
        Err(error) => {
            fields.add_fault(name, format!("{name} must be {}, found \"{}\".", error.expected, error.found));
            None
        }
    }
}

/// The legacy form counts only where nothing of the list form is there.
fn is_single_line(fields: &BodyFields<'_>) -> bool {
    fields.raw_field("transaction_line_of_business_list").is_none()
        && fields.raw_field("transaction_line_of_business_coverage").is_none()
        && fields.raw_field("line_of_business").is_some()
}

/// The lines of the list form with their premiums.
fn read_lines(fields: &mut BodyFields<'_>) -> (String, Vec<LineInput>) {
    let before = fields.problems.len();
    let codes = required_text(fields, "transaction_line_of_business_list");
    let premiums = required_text(fields, "transaction_line_of_business_coverage");
    if fields.problems.len() > before {
        return (String::new(), Vec::new());
    }
    let (codes, premiums) = (split_list(&codes), split_list(&premiums));
    if codes.len() > LINES_MAX {
        let detail = format!("{} lines are given; at most {LINES_MAX} are allowed.", codes.len());
        fields.add_fault("transaction_line_of_business_list", detail);
        return (String::new(), Vec::new());
    }
    if codes.len() != premiums.len() {
        let detail = format!(
            "{} premiums are given for {} lines of business; one for each line is expected.",
            premiums.len(),
            codes.len()
        );
        fields.add_fault("transaction_line_of_business_coverage", detail);
        return (String::new(), Vec::new());
    }
    let mut lines = Vec::with_capacity(codes.len());
    for (at, (code, premium)) in codes.iter().zip(&premiums).enumerate() {
        if code.is_empty() {
            let detail = format!("Line {} has no code.", at + 1);
            fields.add_fault("transaction_line_of_business_list", detail);
        }
        let premium = listed_amount(premium).unwrap_or_else(|why| {
            let detail = format!("Premium {}: {why}", at + 1);
            fields.add_fault("transaction_line_of_business_coverage", detail);
            Usd::ZERO
        });
        lines.push(LineInput { code: (*code).to_owned(), premium });
    }
    check_total(fields, &lines);
    (codes.join(" | "), lines)
}

/// Besides the list form `premium` says nothing new; if it is there it must agree.
fn check_total(fields: &mut BodyFields<'_>, lines: &[LineInput]) {
    if fields.raw_field("premium").is_none() {
        return;
    }
    let before = fields.problems.len();
    let Some(given) = read_amount(fields, "premium") else { return };
    let sum = Usd::checked_sum(lines.iter().map(|line| line.premium));
    if fields.problems.len() == before && sum != Some(given) {
        fields.add_fault("premium", format!("{given} is not the sum of the lines' premiums."));
    }
}

/// The line of the legacy form.
fn one_line(fields: &mut BodyFields<'_>) -> (String, Vec<LineInput>) {
    let code = required_text(fields, "line_of_business");
    let code = code.trim();
    if code.contains('|') {
        fields.add_fault(
            "line_of_business",
            "One line is expected here; several belong in transaction_line_of_business_list.",
        );
    }
    if fields.raw_field("premium").is_none() {
        fields.add_fault("premium", "premium is required with line_of_business.");
    }
    let premium = read_amount(fields, "premium").unwrap_or(Usd::ZERO);
    (code.to_owned(), vec![LineInput { code: code.to_owned(), premium }])
}

fn required_text<'a>(fields: &mut BodyFields<'a>, name: &str) -> Cow<'a, str> {
    let before = fields.problems.len();
    let text = fields.text_field(name, LIST_BYTES_MAX);
    if text.is_none() && fields.problems.len() == before {
        fields.add_fault(name, format!("{name} is required."));
    }
    text.unwrap_or_default()
}

/// A premium of the list: plain digits, not below zero, at most two decimals.
fn listed_amount(text: &str) -> Result<Usd, String> {
    let amount = Usd::parse(text).map_err(|error| format!("{error}."))?;
    check_amount(amount)
}

fn check_amount(amount: Usd) -> Result<Usd, String> {
    if amount.is_negative() {
        Err(format!("{amount} is below zero; a credit is submitted as the positive difference."))
    } else if !amount.is_whole_cents() {
        Err(format!("{amount} has more than two decimals."))
    } else {
        Ok(amount)
    }
}

/// A JSON number, read by its digits.
fn read_amount(fields: &mut BodyFields<'_>, name: &str) -> Option<Usd> {
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct ExactAmount(#[serde(with = "bordereau_money::json_number")] Usd);

    let raw = fields.raw_field(name)?;
    let read = if raw.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        Usd::parse(raw).map_err(|error| format!("{name}: {error}."))
    } else {
        let read = serde_json::from_str::<ExactAmount>(raw).map(|exact| exact.0);
        read.map_err(|error| describe_fault(name, raw, &error))
    };
    match read.and_then(check_amount) {
        Ok(amount) => Some(amount),
        Err(why) => {
            fields.add_fault(name, why);
            None
        }
    }
}

/// A fraction from 0 to 1.
fn read_rate(fields: &mut BodyFields<'_>, name: &str) -> Option<Rate> {
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct ExactRate(#[serde(with = "bordereau_money::json_rate_option")] Option<Rate>);

    let raw = fields.raw_field(name)?;
    match serde_json::from_str::<ExactRate>(raw) {
        Ok(exact) => exact.0,
        Err(_) => {
            let found = describe_raw(raw);
            fields.add_fault(
                name,
                format!("{name} must be a fraction from 0 to 1, such as 0.06 for 6%, found {found}."),
            );
            None
        }
    }
}

fn read_fee(fields: &mut BodyFields<'_>, name: &str) -> Usd {
    read_amount(fields, name).unwrap_or(Usd::ZERO)
}

/// `yyyy-mm-dd`, a day of the calendar.
fn read_date(fields: &mut BodyFields<'_>, name: &str) -> Option<NaiveDate> {
    let text = fields.text_field(name, TEXT_BYTES_MAX)?;
    match parse_calendar_day(&text) {
        Some(date) if (1900..=2199).contains(&date.year()) => Some(date),
        Some(_) => {
            fields.add_fault(name, format!("\"{text}\" is not between 1900 and 2199."));
            None
        }
        None => {
            let text: String = text.chars().take(40).collect();
            fields.add_fault(name, format!("\"{text}\" is not a date; write it like 2026-02-23."));
            None
        }
    }
}

fn read_location(fields: &mut BodyFields<'_>) -> RiskLocation {
    let mut text = |name| fields.text_field(name, TEXT_BYTES_MAX).map(Cow::into_owned);
    RiskLocation {
        address: text("physical_address"),
        city: text("physical_city"),
        zip: text("physical_zip_code"),
        municipality: text("municipality_name"),
    }
}
