//! Taxes recomputed and compared with what was provided.

use bordereau_contract::{
    Charge, EntityType, ImportTransaction, Jurisdiction, StateDocument, TransactionType, WrittenAs,
    message_key, parse_day,
};
use bordereau_money::Usd;
use bordereau_tax::{LineInput, LocalTables, Quote, QuoteInput, RiskDetails, RiskLocation, RuleBook};
use chrono::NaiveDate;

use super::assess::AssessmentMessages;
use super::form::nonblank_text;

/// First words of a message as far as the contract has them (section 3); the others are of the same form.
fn words_for(charge: Charge) -> &'static str {
    match charge {
        Charge::SlTax => "SL tax",
        Charge::SlServiceCharge => "SL service charge",
        Charge::MunicipalFee => "Municipal fee",
        Charge::CountyFee => "County fee",
        Charge::FmTax => "FM tax",
        Charge::EmpaTax => "EMPA tax",
        _ => charge.title(),
    }
}

/// Compares what was provided with the calculation. Returns the documents the state asks for, where
/// there was enough to calculate with.
pub(super) fn compare_taxes(
    row: &ImportTransaction,
    rules: &RuleBook,
    local: &LocalTables,
    today: NaiveDate,
    warnings: &mut AssessmentMessages,
) -> Vec<std::sync::Arc<StateDocument>> {
    let Some(input) = build_question(row, today, warnings) else { return Vec::new() };
    // Only the amounts: the words of a whole quote would be made for every row and discarded.
    let calculation = match rules.calculate_amounts(&input, local) {
        Ok(calculation) => calculation,
        Err(problems) => {
            for problem in problems {
                if problem.field == "transaction_line_of_business_list" {
                    warnings.add_message("lineOfBusiness", "Line of business is invalid.");
                } else {
                    warnings.add_message(key_of(problem.field), problem.message);
                }
            }
            return Vec::new();
        }
    };
    // What nobody can compute is taken as it comes, and the total with it.
    let unknown = calculation.unknown_charges();
    let unanswered = calculation.unanswered_charges();
    let mut total = calculation.total();
    let mut not_said = Usd::ZERO;
    for charge in Charge::ALL.into_iter().filter(|charge| unknown.iter().all(|(of, _)| of != charge)) {
        let mut calculated = calculation.amounts().of(charge);
        // One that may be due or not is taken as it comes.
        for (_, amount) in unanswered.iter().filter(|(of, _)| *of == charge) {
            let less = calculated.checked_sub(*amount).zip(total.checked_sub(*amount));
            match row.charge(charge) {
                None => not_said = *amount,
                Some(provided) => {
                    if let Some(both) = less.filter(|(least, _)| provided.abs() == least.abs()) {
                        (calculated, total) = both;
                    }
                }
            }
        }
        warn_of_difference(charge.name(), words_for(charge), row.charge(charge), calculated, warnings);
    }
    if row.total.is_some() && row.total == total.checked_sub(not_said) {
        total = row.total.unwrap_or(total);
    }
    if unknown.is_empty() {
        warn_of_difference("total", "Transaction total", row.total, total, warnings);
    }
    calculation.documents().cloned().collect()
}

/// A credit is provided as the positive difference and calculated below zero: the size counts.
fn warn_of_difference(
    field: &str,
    words: &str,
    provided: Option<Usd>,
    calculated: Usd,
    warnings: &mut AssessmentMessages,
) {
    let Some(provided) = provided.filter(|provided| provided.abs() != calculated.abs()) else { return };
    let calculated = if provided.is_negative() { calculated.abs().negated() } else { calculated.abs() };
    warnings.add_message(
        message_key(field),
        format!("{words} values don't match. Provided - {provided}. Calculated - {calculated}"),
    );
}

/// The question to the calculator; `None` where something it needs is missing.
fn build_question(
    row: &ImportTransaction,
    today: NaiveDate,
    warnings: &mut AssessmentMessages,
) -> Option<QuoteInput> {
    let transaction_type: TransactionType = nonblank_text(row.transaction_type.as_deref())?.parse().ok()?;
    let state: Jurisdiction = nonblank_text(row.physical_state.as_deref())?.parse().ok()?;
    let policy_effective = parse_day(nonblank_text(row.policy_effective_date.as_deref())?)?;
    let effective = nonblank_text(row.transaction_effective_date.as_deref()).and_then(parse_day);
    let transaction_effective = if transaction_type.starts_policy() { policy_effective } else { effective? };
    let flag = |flag: Option<u8>| flag == Some(1);
    let text = |text: &Option<String>| nonblank_text(text.as_deref()).map(str::to_owned);
    Some(QuoteInput {
        state,
        transaction_type,
        lines: build_lines(row, transaction_type, warnings)?,
        agency_fee: row.agency_fee.unwrap_or_default().abs(),
        inspection_fee: row.inspection_fee.unwrap_or_default().abs(),
        policy_effective,
        transaction_effective,
        entity: row.insured_entity.as_deref().and_then(|e| e.parse().ok()).unwrap_or(EntityType::Commercial),
        rpg: flag(row.rpg),
        tax_exempt: flag(row.exempt),
        ecp: flag(row.ecp),
        export_list: false,
        commission_received: flag(row.commission_received),
        admitted: false,
        written_as: row.account_written_as.as_deref().and_then(|code| code.parse::<WrittenAs>().ok()),
        details: RiskDetails {
            fee_charged_by: row.agency_fee_charged_by.as_deref().and_then(|code| code.parse().ok()),
            occupancy: row.occupancy.as_deref().and_then(|code| code.parse().ok()),
            assessment_rate: row.assessment_rate,
        },
        location: if state == Jurisdiction::Ky {
            RiskLocation {
                address: text(&row.physical_address),
                city: text(&row.physical_city),
                zip: text(&row.physical_zip_code),
                municipality: None,
            }
        } else {
            RiskLocation::default()
        },
        today,
    })
}

/// The lines with their premiums. A single line without one has the whole premium.
fn build_lines(
    row: &ImportTransaction,
    kind: TransactionType,
    warnings: &mut AssessmentMessages,
) -> Option<Vec<LineInput>> {
    let zero = if kind == TransactionType::ZeroPremium { Some(Usd::ZERO) } else { None };
    let whole = row.premium.or(zero).map(Usd::abs);
    let list = &row.line_of_business_list;
    if let [line] = list.as_slice() {
        let premium = line.coverage.map(Usd::abs).or(whole)?;
        warn_premium(whole, Some(premium), warnings);
        return Some(vec![LineInput { code: line.item.trim().to_owned(), premium }]);
    }
    let lines: Vec<LineInput> = list
        .iter()
        .map(|line| {
            let premium = line.coverage.map(Usd::abs).or(zero)?;
            Some(LineInput { code: line.item.trim().to_owned(), premium })
        })
        .collect::<Option<_>>()?;
    warn_premium(whole, Usd::checked_sum(lines.iter().map(|line| line.premium)), warnings);
    Some(lines).filter(|lines| !lines.is_empty())
}

fn warn_premium(whole: Option<Usd>, sum: Option<Usd>, warnings: &mut AssessmentMessages) {
    if let (Some(whole), Some(sum)) = (whole, sum) {
        warn_of_difference("premium", "Premium", Some(whole), sum, warnings);
    }
}

fn key_of(field: &str) -> &'static str {
    match field {
        "transaction_line_of_business_coverage" | "premium" => "premium",
        "transaction_effective_date" => "transactionEffectiveDate",
        "policy_effective_date" => "policyEffectiveDate",
        "agency_fee" => "agencyFee",
        "inspection_fee" => "inspectionFee",
        "physical_state" => "physicalState",
        "transaction_type" => "transactionType",
        _ => "slTax",
    }
}

/// The calculator's whole answer for a transaction; `None` where there is not enough to calculate with.
pub(crate) fn calculate_quote(
    row: &ImportTransaction,
    rules: &RuleBook,
    local: &LocalTables,
    today: NaiveDate,
) -> Option<Quote> {
    let input = build_question(row, today, &mut AssessmentMessages::default())?;
    rules.calculate(&input, local).ok()
}
