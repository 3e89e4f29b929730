//! A quote as text: a table for the terminal, tab-separated for a spreadsheet, JSON for scripts.

use std::str::FromStr;

use bordereau_contract::{Charge, FeeChargedBy, TransactionType};
use bordereau_money::Usd;
use serde_json::{Map, Value, json};

use bordereau_api::{AnsweredBy, ChargeView, Comparison, NoteSeverity, NoteView, QuoteAnswer, QuoteDetails};

pub use super::plain_text;
pub use super::premium_text::{
    cancellation_json, cancellation_table, endorsement_json, endorsement_table, payments_table,
};

/// The quote as a plain table for the terminal: amounts, stamp wording, documents, notes.
pub fn quote_table(answer: &QuoteAnswer) -> String {
    let mut lines = vec![answer_heading(answer), String::new()];
    let rows = amount_rows(answer);
    let name_width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or_default();
    let amount_width = rows.iter().map(|row| row.amount.len()).max().unwrap_or_default();
    for row in &rows {
        if row.name == "Total" {
            lines.push(format!("  {}", "-".repeat(name_width + 2 + amount_width)));
        }
        let remark = if row.remark.is_empty() { String::new() } else { format!("   {}", row.remark) };
        lines.push(format!("  {:name_width$}  {:>amount_width$}{remark}", row.name, row.amount));
    }
    for difference in &answer.differences {
        let (rules, estimate) = (answer.rules_name(), group_thousands(&difference.estimate));
        let said = match &difference.service {
            Some(service) => {
                let difference = group_thousands(&difference.difference);
                format!("the service {} (difference {difference})", group_thousands(service))
            }
            None => "the service gave none".to_owned(),
        };
        lines.push(format!("  ! {}: {rules} say {estimate}, {said}", difference.title));
    }
    if answer.rules.iter().any(|rule| rule.differs) {
        lines.extend([String::new(), "Rules of the service that differ from the built-in ones".into()]);
        lines.extend(answer.rules.iter().filter(|rule| rule.differs).map(|rule| {
            let builtin = rule.builtin.as_deref().unwrap_or_default();
            format!("  ! {}: the service {}, built in {builtin}", rule.title, rule.service)
        }));
    }
    for stamp in &answer.stamps {
        lines.extend([String::new(), "Stamp wording".into()]);
        lines.extend(stamp.text.lines().map(|line| format!("  {line}")));
        lines.extend(Some(&stamp.format).filter(|text| !text.is_empty()).map(|text| format!("  [{text}]")));
    }
    if !answer.documents.is_empty() {
        lines.extend([String::new(), "Documents".into()]);
        lines.extend(
            answer
                .documents
                .iter()
                .filter(|document| document.left_out.is_none())
                .map(|document| format!("  {}", document.name)),
        );
    }
    if !answer.notes.is_empty() {
        lines.extend([String::new(), "Notes".into()]);
        lines.extend(answer.notes.iter().map(|note| {
            format!(
                "  {}{}",
                note_mark(note),
                note_text(note).split_whitespace().collect::<Vec<_>>().join(" ")
            )
        }));
    }
    lines.join("\n") + "\n"
}

fn answer_heading(answer: &QuoteAnswer) -> String {
    let by = match answer.by {
        AnsweredBy::Estimate => format!("estimate of {}, not for filing", answer.rules_name()),
        AnsweredBy::Service => format!("answered by {}", answer.profile),
    };
    format!("{} ({}), {}, {by}", answer.state_name, answer.state, type_name(&answer.transaction_type))
}

const fn note_mark(note: &NoteView) -> &'static str {
    match note.severity {
        NoteSeverity::Warning => "! ",
        NoteSeverity::Info => "- ",
    }
}

struct AmountRow {
    name: String,
    amount: String,
    remark: String,
}

fn amount_rows(answer: &QuoteAnswer) -> Vec<AmountRow> {
    let row = |name: &str, amount: &str, remark: String| AmountRow {
        name: name.to_owned(),
        amount: group_thousands(amount),
        remark,
    };
    let mut rows = vec![row("Premium", &answer.premium, String::new())];
    let charger = charger_name(&answer.details).map(|who| format!("charged by the {}", who.to_lowercase()));
    for (name, amount, remark) in [
        ("Agency fee", &answer.agency_fee, charger.unwrap_or_default()),
        ("Inspection fee", &answer.inspection_fee, String::new()),
    ] {
        if Usd::parse(amount).is_ok_and(|amount| !amount.is_zero()) {
            rows.push(row(name, amount, remark));
        }
    }
    for field in answer.fields.iter().filter(|field| !field.idle) {
        let charges: Vec<&ChargeView> = answer.charges.iter().filter(|c| c.field == field.field).collect();
        let remark = charges.iter().map(|charge| charge.explanation.clone()).collect::<Vec<_>>().join("; ");
        rows.push(row(&field.title, &field.amount, remark));
    }
    rows.push(row("Taxes and state fees", &answer.taxes, String::new()));
    rows.push(row("Total", &answer.total, String::new()));
    rows
}

fn fee(answer: &QuoteAnswer, charge: Charge) -> Option<Usd> {
    let text = match charge {
        Charge::AgencyFee => &answer.agency_fee,
        Charge::InspectionFee => &answer.inspection_fee,
        _ => &answer.fields.iter().find(|field| field.field == charge.name())?.amount,
    };
    Usd::parse(text).ok()
}

/// A comparison as a plain table for the terminal: a row per state.
pub fn comparison_table(comparison: &Comparison) -> String {
    let mut rows =
        vec![["State".to_owned(), "Premium".into(), "Fees".into(), "Taxes".into(), "Total".into()]];
    let mut failed = Vec::new();
    for column in &comparison.columns {
        match (&column.answer, &column.error) {
            (Some(answer), _) => {
                rows.push([
                    column.state.clone(),
                    group_thousands(&answer.premium),
                    Charge::sum_fees(|charge| fee(answer, charge)).map(Usd::to_grouped).unwrap_or_default(),
                    group_thousands(&answer.taxes),
                    group_thousands(&answer.total),
                ]);
            }
            (None, Some(error)) => failed.push(format!("{}: {}", column.state, error.message)),
            (None, None) => {}
        }
    }
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or_default();
    let widths: [usize; 5] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let [state, amounts @ ..] = row;
        text.push_str(&format!("{state:<0$}", widths[0]));
        for (amount, width) in amounts.iter().zip(&widths[1..]) {
            text.push_str(&format!("  {amount:>width$}"));
        }
        text.push('\n');
    }
    for line in failed {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// The contract's field names with amounts as text, plus `total` and `trace`.
pub fn quote_json(answer: &QuoteAnswer) -> Value {
    let mut members = Map::new();
    let mut put = |name: &str, value: Value| members.insert(name.to_owned(), value);
    put("physical_state", json!(answer.state));
    put("transaction_type", json!(answer.transaction_type));
    put("answered_by", json!(answer.by));
    put("profile", json!(answer.profile));
    put("at", json!(answer.at));
    put("premium", json!(answer.premium));
    put("agency_fee", json!(answer.agency_fee));
    put("inspection_fee", json!(answer.inspection_fee));
    let details = &answer.details;
    for (name, text) in [
        ("agency_fee_charged_by", &details.fee_charged_by),
        ("occupancy", &details.occupancy),
        ("assessment_percent", &details.assessment_rate),
    ] {
        if !text.is_empty() {
            put(name, json!(text));
        }
    }
    for field in &answer.fields {
        put(&field.field, json!(field.amount));
    }
    put("taxes", json!(answer.taxes));
    put("total", json!(answer.total));
    let titles: Map<String, Value> =
        answer.fields.iter().map(|field| (field.field.clone(), json!(field.title))).collect();
    put("titles", Value::Object(titles));
    put("trace", json!(answer.charges));
    put("differences", json!(answer.differences));
    put("rules", json!(answer.rules));
    put("notes", answer.notes.iter().map(note_json).collect());
    put(
        "stamp_wording",
        answer.stamps.iter().map(|stamp| json!({"text": stamp.text, "format": stamp.format})).collect(),
    );
    put("documents", answer.documents.iter().map(|document| json!(document)).collect());
    put("took_ms", json!(answer.took_ms));
    Value::Object(members)
}

fn note_json(note: &NoteView) -> Value {
    json!({"severity": note.severity, "topic": note.topic, "text": note_text(note), "source": note.source})
}

/// The text of a note, without its formatting.
pub fn note_text(note: &NoteView) -> String {
    plain_text(&note.html)
}

/// Who charges the agency fee, by name, where it was answered.
pub fn charger_name(details: &QuoteDetails) -> Option<&'static str> {
    FeeChargedBy::from_str(&details.fee_charged_by).ok().map(FeeChargedBy::title)
}

/// The name of a transaction type; the code itself where it is not known.
pub fn type_name(code: &str) -> &str {
    TransactionType::from_str(code).map_or(code, |kind| kind.title())
}

/// An amount with its thousands apart; as it is where it is none.
pub fn group_thousands(amount: &str) -> String {
    Usd::parse(amount).map_or_else(|_| amount.to_owned(), Usd::to_grouped)
}
