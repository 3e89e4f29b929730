//! The content of the sheet, from top to bottom.

use bordereau_money::Usd;
use bordereau_pdf::{
    BODY, BOLD, FontSet, FontWeight, InkColor, LABEL, LaidOutPages, PageFlow, RowColumn, SMALL, TextStyle,
    WIDTH,
};

use super::PdfContext;
use super::template::fill_text;
use crate::installments::plan_payments;
use crate::read_request::read_date;
use crate::text::{charger_name, group_thousands, note_text, type_name};
use bordereau_api::{
    AnsweredBy, ChargeView, Confidence, DocumentView, Environment, NoteSeverity, QuoteAnswer, QuotePayments,
    QuoteRequest, SheetSection, SheetSectionKind,
};
use bordereau_contract::{format_day_text, format_long_day, format_money, format_money_text};
use bordereau_session::failure::capitalize_first;

/// Notes printed, and characters of each: the sheet is for the client, the window has them all.
const NOTES_MAX: usize = 8;
const NOTE_CHARS_MAX: usize = 400;

const NAME: RowColumn = RowColumn::left_aligned(0.0, 200.0);
const BASIS: RowColumn = RowColumn::left_aligned(208.0, 164.0);
const RATE: RowColumn = RowColumn::right_aligned(372.0, 56.0);
const AMOUNT: RowColumn = RowColumn::right_aligned(428.0, WIDTH - 428.0);

const DUE: RowColumn = RowColumn::left_aligned(208.0, 80.0);
const PART: RowColumn = RowColumn::right_aligned(288.0, 80.0);
const FEE: RowColumn = RowColumn::right_aligned(368.0, 60.0);

/// The most a logo takes, in points.
const LOGO_WIDTH: f32 = 150.0;
const LOGO_HEIGHT: f32 = 54.0;

/// The pages of a quote.
pub(super) fn lay_out(
    fonts: &FontSet,
    request: &QuoteRequest,
    answer: &QuoteAnswer,
    context: &PdfContext,
) -> LaidOutPages {
    let mut flow = PageFlow::new(fonts);
    draw_agency(&mut flow, context);
    flow.add_title(&fill_text(&context.template.title, request, answer));
    draw_environment(&mut flow, answer, context);
    for section in &context.template.section {
        draw_section(&mut flow, section, request, answer, context);
    }
    flow.finish_pages(&foot_text(answer, context))
}

/// A section without content is not printed, nor is its heading.
fn draw_section(
    flow: &mut PageFlow<'_>,
    section: &SheetSection,
    request: &QuoteRequest,
    answer: &QuoteAnswer,
    context: &PdfContext,
) {
    let is_empty = match section.show {
        SheetSectionKind::SubjectTo => request.sheet.subject_to.trim().is_empty(),
        SheetSectionKind::Stamp => answer.stamps.is_empty(),
        SheetSectionKind::Documents => !answer.documents.iter().any(is_for_client),
        SheetSectionKind::Notes => answer.notes.is_empty(),
        SheetSectionKind::Explanations => answer.charges.is_empty(),
        SheetSectionKind::Installments => payments_of(request, answer).payments.is_empty(),
        _ => false,
    };
    if is_empty {
        return;
    }
    if !section.title.trim().is_empty() {
        flow.add_heading(&fill_text(&section.title, request, answer));
    }
    match section.show {
        SheetSectionKind::Policy => draw_facts(flow, request, answer),
        SheetSectionKind::Lines => draw_lines(flow, request, context),
        SheetSectionKind::Amounts => draw_amounts(flow, answer),
        SheetSectionKind::SubjectTo => {
            let lines = request.sheet.subject_to.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.for_each(|line| flow.add_paragraph(&format!("• {line}"), BODY));
        }
        SheetSectionKind::Stamp => draw_stamps(flow, answer),
        SheetSectionKind::Documents => draw_documents(flow, answer),
        SheetSectionKind::Notes => draw_notes(flow, answer),
        SheetSectionKind::Explanations => draw_explanations(flow, answer),
        SheetSectionKind::Installments => draw_payments(flow, &payments_of(request, answer)),
        SheetSectionKind::Text => flow.add_paragraph(&fill_text(&section.text, request, answer), BODY),
    }
}

/// Name, address and license number on the left, the logo on the right.
fn draw_agency(flow: &mut PageFlow<'_>, context: &PdfContext) {
    let top = flow.position();
    if let Some(logo) = &context.logo {
        flow.add_image_right(logo, LOGO_WIDTH, LOGO_HEIGHT);
    }
    let column = RowColumn::left_aligned(0.0, WIDTH - LOGO_WIDTH - 20.0);
    let name = TextStyle { size: 12.0, ..BOLD };
    let license = match context.agency_license.trim() {
        "" => String::new(),
        number => format!("License {number}"),
    };
    let lines = [
        (context.agency.as_str(), name),
        (context.agency_address.as_str(), SMALL),
        (license.as_str(), SMALL),
    ];
    for (text, style) in lines.into_iter().filter(|(text, _)| !text.trim().is_empty()) {
        flow.add_row(&[(column, text.trim(), style)]);
    }
    let used = flow.position() - top;
    let needed = if context.logo.is_some() { LOGO_HEIGHT } else { 0.0 };
    flow.add_space((needed - used).max(0.0));
    if used > 0.0 || needed > 0.0 {
        flow.add_space(6.0);
        flow.add_rule(0.8, InkColor::Rule);
        flow.add_space(8.0);
    }
}

fn draw_environment(flow: &mut PageFlow<'_>, answer: &QuoteAnswer, context: &PdfContext) {
    flow.add_space(4.0);
    match (answer.by, context.environment) {
        (AnsweredBy::Estimate, _) | (_, None) => {
            let rules = answer.rules_name();
            flow.add_band(&format!("ESTIMATE from {rules}, not confirmed by a service. Not for filing."));
        }
        (_, Some(Environment::Practice)) => {
            flow.add_band("PRACTICE: calculated by the practice service on this computer. Not for filing.");
        }
        (_, Some(Environment::Sandbox)) => {
            flow.add_band("SANDBOX: calculated by a test site. Not for filing.")
        }
        (_, Some(Environment::Production)) => {}
    }
    flow.add_space(4.0);
}

fn draw_facts(flow: &mut PageFlow<'_>, request: &QuoteRequest, answer: &QuoteAnswer) {
    let sheet = &request.sheet;
    let policy = match (request.policy_effective.trim(), sheet.policy_expires.trim()) {
        ("", _) => format!("{} (date of the quote)", format_day_text(&answer.at)),
        (from, "") => typed_day(from),
        (from, until) => format!("{} to {}", typed_day(from), typed_day(until)),
    };
    let marks = [
        (request.rpg, "risk purchasing group"),
        (request.ecp, "exempt commercial purchaser"),
        (request.tax_exempt, "tax exempt"),
        (request.export_list, "on the export list"),
        (request.commission_received, "commission received"),
        (request.admitted, "admitted business"),
    ];
    let marks: Vec<&str> = marks.into_iter().filter(|(set, _)| *set).map(|(_, text)| text).collect();
    let location = [&request.address, &request.city, &request.zip, &request.municipality];
    let location: Vec<&str> =
        location.into_iter().map(|text| text.trim()).filter(|t| !t.is_empty()).collect();
    let facts = [
        ("Prepared for", request.insured.trim().to_owned()),
        ("Address", sheet.insured_address.trim().to_owned()),
        ("Carrier", sheet.carrier.trim().to_owned()),
        ("Quote number", sheet.quote_number.trim().to_owned()),
        ("Valid until", typed_day(sheet.valid_until.trim())),
        ("State", format!("{} ({})", answer.state_name, answer.state)),
        ("Transaction", format!("{} ({})", type_name(&answer.transaction_type), answer.transaction_type)),
        (if sheet.policy_expires.trim().is_empty() { "Policy effective" } else { "Policy period" }, policy),
        ("Transaction effective", typed_day(request.transaction_effective.trim())),
        ("Minimum earned", sheet.minimum_earned.trim().to_owned()),
        ("Agency fee charged by", charger_name(&answer.details).unwrap_or_default().to_owned()),
        ("Kind of insured", capitalize_first(&request.entity.trim().replace('_', " "))),
        ("Location", location.join(", ")),
        ("Marked", marks.join(", ")),
    ];
    for (label, text) in facts.iter().filter(|(_, text)| !text.is_empty()) {
        flow.add_row(&[
            (RowColumn::left_aligned(0.0, 120.0), label, TextStyle { ink: InkColor::Gray, ..BODY }),
            (RowColumn::left_aligned(124.0, WIDTH - 124.0), text, BODY),
        ]);
    }
}

/// `Feb 23, 2026` of a day typed any usual way; anything else as it was typed.
fn typed_day(text: &str) -> String {
    read_date(text).map_or_else(|| text.to_owned(), format_long_day)
}

fn draw_lines(flow: &mut PageFlow<'_>, request: &QuoteRequest, context: &PdfContext) {
    for line in &request.lines {
        let premium = Usd::parse_typed(&line.premium).map_or_else(|_| line.premium.clone(), format_money);
        let code = line.code.trim();
        let named = context.line_names.iter().find(|(known, _)| known.eq_ignore_ascii_case(code));
        let name = named.map_or("", |(_, name)| name.as_str());
        flow.add_row(&[
            (RowColumn::left_aligned(0.0, 70.0), code, BODY),
            (RowColumn::left_aligned(76.0, 340.0), name, BODY),
            (AMOUNT, &premium, BODY),
        ]);
    }
}

fn draw_amounts(flow: &mut PageFlow<'_>, answer: &QuoteAnswer) {
    flow.add_row(&[
        (NAME, "Item", LABEL),
        (BASIS, "On", LABEL),
        (RATE, "Rate", LABEL),
        (AMOUNT, "Amount", LABEL),
    ]);
    flow.add_space(2.0);
    for (name, amount, taxed) in [
        ("Premium", &answer.premium, None),
        ("Agency fee", &answer.agency_fee, Some(answer.agency_fee_taxed)),
        ("Inspection fee", &answer.inspection_fee, Some(answer.inspection_fee_taxed)),
    ] {
        let remark = match taxed {
            None => "",
            Some(_) if is_zero(amount) => continue,
            Some(Some(true)) => "taxable",
            Some(Some(false)) => "not taxable",
            Some(None) => "taxability not found",
        };
        flow.add_row(&[
            (NAME, name, BODY),
            (BASIS, remark, SMALL),
            (AMOUNT, &format_money_text(amount), BODY),
        ]);
    }
    for field in answer.fields.iter().filter(|field| !field.idle) {
        field_rows(flow, answer, &field.field, &field.title, &field.amount);
    }
    flow.add_row(&[(NAME, "Taxes and state fees", BOLD), (AMOUNT, &format_money_text(&answer.taxes), BOLD)]);
    flow.add_rule(1.0, InkColor::Black);
    flow.keep_together(20.0);
    let total = TextStyle { size: 12.0, weight: FontWeight::Bold, ink: InkColor::Black };
    flow.add_row(&[
        (NAME, "Total", total),
        (RowColumn::right_aligned(300.0, WIDTH - 300.0), &format_money_text(&answer.total), total),
    ]);
    if !answer.missing_amounts.is_empty() {
        let text = format!("Not included in the total: {}.", answer.missing_amounts.join(", "));
        flow.add_paragraph(&text, TextStyle { ink: InkColor::Alert, ..BOLD });
    }
}

/// One row where one charge makes the amount, otherwise the amount with each charge below it.
fn field_rows(flow: &mut PageFlow<'_>, answer: &QuoteAnswer, field: &str, title: &str, amount: &str) {
    let charges: Vec<&ChargeView> = answer.charges.iter().filter(|charge| charge.field == field).collect();
    if let [charge] = charges.as_slice()
        && charge.amount == amount
    {
        flow.add_row(&[
            (NAME, title, BODY),
            (BASIS, &charge.on, SMALL),
            (RATE, &charge.rate, SMALL),
            (AMOUNT, &format_money_text(amount), BODY),
        ]);
        return;
    }
    flow.add_row(&[(NAME, title, BODY), (AMOUNT, &format_money_text(amount), BODY)]);
    for charge in charges {
        let each = format!("{} {}", charge.rate, format_money_text(&charge.amount));
        flow.add_row(&[
            (RowColumn::left_aligned(12.0, 188.0), &charge.title, SMALL),
            (BASIS, &charge.on, SMALL),
            (RowColumn::right_aligned(340.0, 100.0), &each, SMALL),
        ]);
    }
}

/// A plan that cannot be read is refused before a sheet is laid out.
fn payments_of(request: &QuoteRequest, answer: &QuoteAnswer) -> QuotePayments {
    plan_payments(request, answer).unwrap_or_default()
}

/// One row for each payment; the fees in a column of their own, where there are any.
fn draw_payments(flow: &mut PageFlow<'_>, plan: &QuotePayments) {
    let has_fees = !is_zero(&plan.fees);
    let fee_text = |fee: &str| if has_fees { format_money_text(fee) } else { String::new() };
    let [part, fee] = if has_fees { ["Of the total", "Fee"] } else { ["", ""] };
    let row = |flow: &mut PageFlow<'_>, texts: [&str; 5], style: TextStyle| {
        let columns = [NAME, DUE, PART, FEE, AMOUNT];
        let cells: Vec<_> =
            columns.into_iter().zip(texts).map(|(column, text)| (column, text, style)).collect();
        flow.add_row(&cells);
    };
    row(flow, ["Payment", "Due", part, fee, "Amount"], LABEL);
    flow.add_space(2.0);
    for payment in &plan.payments {
        let amount = if has_fees { format_money_text(&payment.amount) } else { String::new() };
        let (due, fee) = (format_day_text(&payment.due), fee_text(&payment.fee));
        row(flow, [&payment.title, &due, &amount, &fee, &format_money_text(&payment.payment)], BODY);
    }
    flow.add_rule(0.8, InkColor::Rule);
    row(flow, ["All payments", "", "", &fee_text(&plan.fees), &format_money_text(&plan.total)], BOLD);
}

fn draw_stamps(flow: &mut PageFlow<'_>, answer: &QuoteAnswer) {
    for (at, stamp) in answer.stamps.iter().enumerate() {
        if at > 0 {
            flow.add_space(4.0);
            flow.add_paragraph("or", SMALL);
        }
        let weight = if stamp.bold { FontWeight::Bold } else { FontWeight::Regular };
        flow.add_paragraph(&stamp.text, TextStyle { weight, ..BODY });
    }
}

fn draw_documents(flow: &mut PageFlow<'_>, answer: &QuoteAnswer) {
    for document in answer.documents.iter().filter(|document| is_for_client(document)) {
        let when = document_occasions(document).join(", ");
        flow.add_row(&[
            (RowColumn::left_aligned(0.0, 330.0), &document.name, BODY),
            (RowColumn::left_aligned(340.0, WIDTH - 340.0), &when, SMALL),
        ]);
    }
}

/// What is only for filing, or to be kept on hand, is the office's.
fn is_for_client(document: &DocumentView) -> bool {
    document.left_out.is_none() && (document.required_for_binding || document.include_with_policy)
}

fn document_occasions(document: &DocumentView) -> Vec<&'static str> {
    let all = [
        (document.required_for_binding, "before binding"),
        (document.include_with_policy, "with the policy"),
    ];
    all.into_iter().filter(|(set, _)| *set).map(|(_, text)| text).collect()
}

fn draw_notes(flow: &mut PageFlow<'_>, answer: &QuoteAnswer) {
    for note in answer.notes.iter().take(NOTES_MAX) {
        let mut text = note_text(note).split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() > NOTE_CHARS_MAX {
            text = text.chars().take(NOTE_CHARS_MAX).chain(['…']).collect();
        }
        let (mark, style) = match note.severity {
            NoteSeverity::Warning => ("Warning", TextStyle { size: SMALL.size, ..BOLD }),
            NoteSeverity::Info => ("Note", SMALL),
        };
        flow.add_row(&[
            (RowColumn::left_aligned(0.0, 50.0), mark, style),
            (RowColumn::left_aligned(54.0, WIDTH - 54.0), &text, SMALL),
        ]);
        flow.add_space(2.0);
    }
    if answer.notes.len() > NOTES_MAX {
        let more = answer.notes.len() - NOTES_MAX;
        flow.add_paragraph(&format!("{more} more notes are shown in Bordereau."), SMALL);
    }
}

fn draw_explanations(flow: &mut PageFlow<'_>, answer: &QuoteAnswer) {
    for charge in &answer.charges {
        flow.add_row(&[
            (RowColumn::left_aligned(0.0, 150.0), &charge.title, SMALL),
            (RowColumn::left_aligned(156.0, WIDTH - 156.0), &explain_charge(charge), SMALL),
        ]);
        flow.add_space(2.0);
    }
    if !answer.differences.is_empty() {
        flow.add_space(4.0);
        for difference in &answer.differences {
            let (rules, estimate) = (answer.rules_name(), group_thousands(&difference.estimate));
            let text = match &difference.service {
                Some(service) => format!(
                    "{}: the service says {}, {rules} {estimate} (difference {}).",
                    difference.title,
                    group_thousands(service),
                    group_thousands(&difference.difference)
                ),
                None => format!("{}: the service gave no amount, {rules} {estimate}.", difference.title),
            };
            flow.add_paragraph(&text, TextStyle { ink: InkColor::Alert, ..SMALL });
        }
    }
}

fn explain_charge(charge: &ChargeView) -> String {
    let mut parts = vec![charge.explanation.clone()];
    match (&charge.from, &charge.until) {
        (Some(from), Some(until)) => {
            parts.push(format!("in effect {} to {}", format_day_text(from), format_day_text(until)));
        }
        (Some(from), None) => parts.push(format!("in effect since {}", format_day_text(from))),
        (None, Some(until)) => parts.push(format!("in effect until {}", format_day_text(until))),
        (None, None) => {}
    }
    if charge.sureness == Confidence::Confirmed {
        parts.push(charge.checked.clone());
    } else {
        parts.push(format!("NOT CONFIRMED: {}", charge.checked));
    }
    parts.extend(charge.sources.first().map(|source| source.title.clone()));
    parts.retain(|part| !part.trim().is_empty());
    parts.join("; ")
}

fn foot_text(answer: &QuoteAnswer, context: &PdfContext) -> String {
    let who = match answer.by {
        AnsweredBy::Estimate if answer.rules_from_pack => {
            format!("Estimated by Bordereau from {}", answer.rules_name())
        }
        AnsweredBy::Estimate => "Estimated by Bordereau from its built-in rules".to_owned(),
        AnsweredBy::Service => {
            let environment = match context.environment {
                Some(Environment::Practice) => "practice, not for filing",
                Some(Environment::Sandbox) => "sandbox, not for filing",
                Some(Environment::Production) => "production",
                None => "environment unknown, not for filing",
            };
            format!("Calculated by the service of profile \"{}\" ({environment})", answer.profile)
        }
    };
    let printed =
        if context.printed.is_empty() { String::new() } else { format!(" Printed {}.", context.printed) };
    format!("{who} on {}.{printed}", context.answered)
}

fn is_zero(amount: &str) -> bool {
    Usd::parse(amount).is_ok_and(Usd::is_zero)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use bordereau_pdf::PageElement;

    use bordereau_api::{FieldAmount, QuoteDetails};

    #[test]
    fn who_charges_the_fee_is_printed_where_it_was_answered() {
        let fonts = FontSet::embedded().unwrap();
        for (code, expected) in [("", false), ("retail_agent", true)] {
            let details = QuoteDetails { fee_charged_by: code.into(), ..QuoteDetails::default() };
            let answer = QuoteAnswer { details, ..answer(1) };
            let paper = lay_out(&fonts, &QuoteRequest::default(), &answer, &PdfContext::default());
            let is_there = |words: &str| {
                let mut marks = paper.pages.iter().flatten();
                marks.any(|mark| matches!(mark, PageElement::Text { text, .. } if text == words))
            };
            assert_eq!(is_there("Agency fee charged by"), expected, "{code}");
            assert_eq!(is_there("Retail agent"), expected, "{code}");
            assert!(is_there("Taxes and state fees"), "the figure that the window shows");
        }
    }

    /// An answer with so many charges.
    pub(crate) fn answer(charges: usize) -> QuoteAnswer {
        let charge = |at: usize| ChargeView {
            field: "sl_tax".into(),
            kind: "premium_tax".into(),
            title: format!("Charge {at}"),
            on: "premium 100.00".into(),
            rate: "4.85%".into(),
            amount: "4.85".into(),
            explanation: "100.00 × 4.85% = 4.85, to the cent, half up".into(),
            from: Some("2020-01-01".into()),
            until: None,
            dated_by: "policy effective date".into(),
            lines: Vec::new(),
            sources: Vec::new(),
            sureness: Confidence::Confirmed,
            checked: "confirmed 2026".into(),
            note: None,
        };
        QuoteAnswer {
            by: AnsweredBy::Service,
            at: "2026-02-23T10:00:00Z".into(),
            profile: "Practice".into(),
            state: "TX".into(),
            state_name: "Texas".into(),
            transaction_type: "PN".into(),
            premium: "100.00".into(),
            agency_fee: "0.00".into(),
            inspection_fee: "0.00".into(),
            agency_fee_taxed: None,
            inspection_fee_taxed: None,
            details: QuoteDetails::default(),
            fields: vec![FieldAmount {
                field: "sl_tax".into(),
                title: "Tax".into(),
                plain_title: "Surplus lines tax".into(),
                amount: "4.85".into(),
                idle: false,
            }],
            taxes: "4.85".into(),
            total: "104.85".into(),
            missing_amounts: Vec::new(),
            charges: (0..charges).map(charge).collect(),
            differences: Vec::new(),
            rules: Vec::new(),
            notes: Vec::new(),
            stamps: Vec::new(),
            documents: Vec::new(),
            took_ms: Some(5),
            answer_id: "1".into(),
            rules_version: "2026-11-22.34".into(),
            rules_from_pack: false,
        }
    }
}
