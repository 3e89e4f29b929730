//! Taxes recomputed and compared; documents the state requires.

use bordereau_contract::{Charge, TransactionType};
use bordereau_mapping::{CHARGE_FIELDS, Field};
use bordereau_money::Usd;
use bordereau_tax::{LineInput, Quote, QuoteInput, RiskDetails, RiskLocation, TaxCalculation};
use chrono::Datelike;

use super::{CheckSubject, CheckWorkspace, DocumentCopies};
use crate::issue::{Code, FindingData};
use crate::share;

pub(super) fn check_taxes<'c>(subject: &mut CheckSubject<'_, '_, 'c>, workspace: &mut CheckWorkspace<'c>) {
    let Some(input) = build_question(subject, workspace) else { return };
    match subject.checks.book.calculate_amounts(&input, subject.checks.local) {
        Ok(calculation) => {
            // A comparison with rates that are not kept would blame the row for what is not known.
            let past = input.policy_effective.year() < subject.checks.today.year();
            match past.then(|| calculation.outside_rate_years()).flatten() {
                Some(note) => {
                    let text = note.text.trim_end_matches('.').into();
                    subject.add_finding(
                        Field::PolicyEffectiveDate,
                        Code::NotCalculated,
                        FindingData::Text(text),
                    );
                }
                None => compare_amounts(subject, &calculation),
            }
            check_documents(subject, &calculation, &mut workspace.documents);
        }
        Err(problems) => {
            let reason = problems.into_iter().map(|p| p.message).collect::<Vec<_>>().join("; ");
            subject.add_finding(Field::SlTax, Code::NotCalculated, FindingData::Text(reason.into()));
        }
    }
    workspace.asked = input.lines;
}

/// The calculation itself, for the words that explain it.
pub(super) fn quote_subject(
    subject: &CheckSubject<'_, '_, '_>,
    workspace: &mut CheckWorkspace<'_>,
) -> Option<Quote> {
    let input = build_question(subject, workspace)?;
    subject.checks.book.calculate(&input, subject.checks.local).ok()
}

/// The question to the calculator; `None` where something it needs is an issue already. It has the lines of the
/// workspace.
fn build_question(
    subject: &CheckSubject<'_, '_, '_>,
    workspace: &mut CheckWorkspace<'_>,
) -> Option<QuoteInput> {
    let gathered = subject.gathered;
    let typed = &gathered.typed;
    let premium = typed.amount_cents(Field::Premium)?.checked_abs()?;
    // These are issues of their own, and the calculation would be of another transaction.
    if typed.transaction_type == Some(TransactionType::ZeroPremium) && premium != 0 {
        return None;
    }
    let policy_effective = typed.date(Field::PolicyEffectiveDate)?;
    let amount = |field: Field| match typed.amount_cents(field) {
        None if typed.is_present(field) => None,
        cents => Some(Usd::from_cents(cents.unwrap_or(0).saturating_abs())),
    };
    let flag = |field| typed.flag(field).unwrap_or(false);
    let text = |field| Some(subject.reader.field_text(gathered.row, field)).filter(|t| !t.is_empty());
    let state = typed.state?;
    // Only Kentucky's local taxes depend on the place.
    let location = if state == bordereau_contract::Jurisdiction::Ky {
        RiskLocation {
            address: text(Field::PhysicalAddress),
            city: text(Field::PhysicalCity),
            zip: text(Field::PhysicalZip),
            municipality: None,
        }
    } else {
        RiskLocation::default()
    };
    let (transaction_type, transaction_effective) = (typed.transaction_type?, typed.effective_date()?);
    let (agency_fee, inspection_fee) = (amount(Field::AgencyFee)?, amount(Field::InspectionFee)?);
    put_premiums(subject, workspace, premium)?;
    Some(QuoteInput {
        state,
        transaction_type,
        lines: std::mem::take(&mut workspace.asked),
        agency_fee,
        inspection_fee,
        policy_effective,
        transaction_effective,
        entity: typed.entity.unwrap_or(bordereau_contract::EntityType::Commercial),
        rpg: flag(Field::Rpg),
        tax_exempt: flag(Field::Exempt),
        ecp: flag(Field::Ecp),
        export_list: false,
        commission_received: flag(Field::CommissionReceived),
        admitted: false,
        written_as: typed.written_as,
        location,
        details: RiskDetails {
            fee_charged_by: typed.fee_charged_by.or(subject.checks.fee_charged_by),
            occupancy: typed.occupancy,
            assessment_rate: typed.assessment_rate(),
        },
        today: subject.checks.today,
    })
}

/// Puts the lines with their premiums into the workspace.
fn put_premiums(
    subject: &CheckSubject<'_, '_, '_>,
    workspace: &mut CheckWorkspace<'_>,
    premium: i64,
) -> Option<()> {
    let CheckWorkspace { lines, asked, .. } = workspace;
    let items = &subject.gathered.lines.items;
    if let ([_], [Some(line)]) = (items.as_slice(), lines.as_slice()) {
        put_line(asked, 0, &line.code, premium);
        asked.truncate(1);
        return Some(());
    }
    // The calculation of lines that do not add to the premium would be of another policy.
    if items.is_empty() || subject.gathered.lines.sum()?.checked_abs()? != premium {
        return None;
    }
    for (at, (item, line)) in items.iter().zip(lines).enumerate() {
        put_line(asked, at, &(*line)?.code, item.share?.checked_abs()?);
    }
    asked.truncate(items.len());
    Some(())
}

/// Puts a line into its place; the text that is there is written over.
fn put_line(asked: &mut Vec<LineInput>, at: usize, code: &str, premium: i64) {
    let premium = Usd::from_cents(premium);
    match asked.get_mut(at) {
        Some(line) => {
            line.code.clear();
            line.code.push_str(code);
            line.premium = premium;
        }
        None => asked.push(LineInput { code: code.to_owned(), premium }),
    }
}

fn compare_amounts(subject: &mut CheckSubject<'_, '_, '_>, calculation: &TaxCalculation<'_>) {
    let gathered = subject.gathered;
    let typed = &gathered.typed;
    let claims = typed.is_present(Field::Total)
        || CHARGE_FIELDS.iter().any(|(charge, field)| !charge.is_asked() && typed.is_present(*field));
    let unknown = calculation.unknown_charges();
    let is_unknown = |charge| unknown.iter().any(|(of, _)| *of == charge);
    let unanswered = calculation.unanswered_charges();
    // What a charge is where the one that may be due or not isn't.
    let without = |of: Charge, calculated: i64| {
        let open = unanswered.iter().filter(|(charge, _)| *charge == of);
        calculated - open.map(|(_, amount)| whole_cents(*amount).abs()).sum::<i64>()
    };
    let (mut not_due, mut not_said) = (0, 0);
    for (charge, field) in CHARGE_FIELDS {
        let calculated = whole_cents(calculation.amounts().of(charge)).abs();
        let least = without(charge, calculated);
        match typed.amount_cents(field) {
            Some(provided) if provided.abs() == least => not_due += calculated - least,
            None if least == 0 && !typed.is_present(field) => not_said += calculated,
            // The part that is known says nothing against the whole.
            Some(provided) if is_unknown(charge) && provided.abs() > calculated => {}
            Some(provided) if provided.abs() != calculated => {
                let calculated = if provided < 0 { -calculated } else { calculated };
                subject.add_finding(field, Code::TaxDiffers, FindingData::Cents(provided, calculated));
            }
            None if claims && calculated != 0 && !typed.is_present(field) => {
                subject.add_finding(field, Code::TaxMissing, FindingData::Cents(0, calculated));
            }
            None if !charge.is_asked() => put_likely_amount(subject, field, calculated),
            _ => {}
        }
    }
    if let Some((charge, note)) = unknown.first() {
        let field =
            CHARGE_FIELDS.iter().find(|(of, _)| of == charge).map_or(Field::SlTax, |(_, field)| *field);
        let text = note.text.trim_end_matches('.').into();
        subject.add_finding(field, Code::NotCalculated, FindingData::Text(text));
    }
    // What nobody can compute counts in the total as it was given.
    let given = |(charge, field): &(Charge, Field)| {
        let provided = typed.amount_cents(*field).filter(|_| is_unknown(*charge))?;
        let calculated = whole_cents(calculation.amounts().of(*charge)).abs();
        Some(provided.abs().saturating_sub(calculated).max(0))
    };
    let beyond: i64 = CHARGE_FIELDS.iter().filter_map(given).sum();
    let total = || whole_cents(calculation.total()).abs().saturating_add(beyond) - not_due;
    match typed.amount_cents(Field::Total) {
        None => put_likely_amount(subject, Field::Total, total()),
        Some(provided) if !unknown.is_empty() && provided.abs() > total() => {}
        Some(provided) if provided.abs() == total() - not_said => {}
        Some(provided) if provided.abs() != total() => {
            let calculated = if provided < 0 { -total() } else { total() };
            subject.add_finding(Field::Total, Code::TotalDiffers, FindingData::Cents(provided, calculated));
        }
        Some(_) => {}
    }
}

/// An amount that is there and cannot be read is most likely the calculated one.
fn put_likely_amount(subject: &mut CheckSubject<'_, '_, '_>, field: Field, calculated: i64) {
    if subject.gathered.typed.is_present(field) {
        let data = FindingData::Cents(calculated, calculated);
        subject.put_likely_value(field, Code::AmountUnreadable, data);
    }
}

fn check_documents(
    subject: &mut CheckSubject<'_, '_, '_>,
    calculation: &TaxCalculation<'_>,
    own: &mut DocumentCopies,
) {
    let row = subject.gathered.row;
    let mut cell = None;
    for document in calculation.documents().filter(|d| d.required_for_filing && d.upload_required) {
        let cell = cell.get_or_insert_with(|| subject.reader.field_text(row, Field::Documents));
        let named = share::split_entries(cell).any(|part| code_of(part) == document.code);
        let attached = subject.checks.attached.get(&row);
        if !named && !attached.is_some_and(|codes| codes.contains(&document.code)) {
            subject.add_finding(
                Field::Documents,
                Code::DocumentMissing,
                FindingData::Document(own.own_copy(document)),
            );
        }
    }
}

/// `POLIC: policy.pdf` names the code before the file.
fn code_of(part: &str) -> &str {
    part.split_once([':', '=']).map_or(part, |(code, _)| code).trim()
}

/// Whole cents of a rounded amount.
fn whole_cents(amount: Usd) -> i64 {
    // Most taxes are zero in any one state.
    if amount.is_zero() {
        return 0;
    }
    let decimal = amount.as_decimal();
    let (mantissa, scale) = (decimal.mantissa(), decimal.scale());
    if scale == 2 {
        return i64::try_from(mantissa).unwrap_or(i64::MAX);
    }
    let value = match scale {
        0 => mantissa * 100,
        1 => mantissa * 10,
        2 => mantissa,
        _ => mantissa / 10i128.pow(scale - 2),
    };
    i64::try_from(value).unwrap_or(i64::MAX)
}
