//! Rows of a batch to be corrected, with the service's messages on them.

use std::collections::BTreeMap;

use bordereau_contract::ImportTransaction;
use bordereau_money::Usd;
use bordereau_spreadsheets::{Field, SOURCE_COLUMN, ValueKind};
use serde_json::{Number, Value};

use super::draft::DraftState;
use super::load::{Input, start_review};
use super::sent_before::correction_rows;
use bordereau_api::{BoundaryError, ReviewView};
use bordereau_session::Context;
use bordereau_store::batches::rows::BatchCorrection;

/// A review of what came back from a batch.
pub async fn review_of_batch(ctx: &Context, batch: &str) -> Result<ReviewView, BoundaryError> {
    let correction = correction_rows(ctx, batch).await?;
    review_from_batch(ctx, correction).await
}

/// A review whose rows are these, each with what the service said of it. Only rows that are changed are
/// sent again.
pub async fn review_from_batch(
    ctx: &Context,
    correction: BatchCorrection,
) -> Result<ReviewView, BoundaryError> {
    let (headers, rows) = as_table(&correction);
    // Line 1 has the headers; the rows of the table are counted with it.
    let lines = std::iter::once(1).chain(correction.rows.iter().map(|row| row.line)).collect();
    let said = correction.rows.iter().enumerate().filter(|(_, row)| !row.messages.is_empty());
    let at = |row: usize| u32::try_from(row + 1).unwrap_or(u32::MAX);
    let draft = DraftState {
        batch: Some(correction.batch.clone()),
        is_single: correction.is_single,
        lines,
        messages: said.map(|(row, said)| (at(row), said.messages.clone())).collect(),
        ..DraftState::default()
    };
    let mut text = bordereau_session::csv::csv_line(headers.iter().copied());
    for row in &rows {
        text.push_str(&bordereau_session::csv::csv_line(row.iter().map(String::as_str)));
    }
    let input = Input::Correction { name: correction.name, bytes: text.into_bytes(), draft: Box::new(draft) };
    start_review(ctx, input).await
}

/// Transactions as a table with the template's names, of the fields that any of them has.
pub fn as_table(correction: &BatchCorrection) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let cells: Vec<BTreeMap<Field, String>> =
        correction.rows.iter().map(|row| transaction_cells(&row.transaction)).collect();
    let is_used = |field: &&Field| cells.iter().any(|row| row.contains_key(field));
    let fields: Vec<Field> = Field::ALL.iter().filter(is_used).copied().collect();
    let row = |row: &BTreeMap<Field, String>| -> Vec<String> {
        fields.iter().map(|field| row.get(field).cloned().unwrap_or_default()).collect()
    };
    let mut headers: Vec<&str> = fields.iter().map(|field| field.name()).collect();
    let mut rows: Vec<Vec<String>> = cells.iter().map(row).collect();
    if correction.rows.iter().any(|row| !row.source.is_empty()) {
        headers.push(SOURCE_COLUMN);
        rows.iter_mut().zip(&correction.rows).for_each(|(row, of)| row.push(of.source.clone()));
    }
    (headers, rows)
}

fn transaction_cells(transaction: &ImportTransaction) -> BTreeMap<Field, String> {
    let mut cells = BTreeMap::new();
    let Ok(Value::Object(values)) = serde_json::to_value(transaction) else { return cells };
    for (name, value) in values {
        let Some(field) = Field::by_name(&name) else { continue };
        match value {
            // A fraction on the wire, a percent in a table.
            Value::Number(_) if field == Field::AssessmentRate => {
                let percent = transaction.assessment_rate.map(|rate| format!("{}%", rate.to_percent()));
                cells.insert(field, percent.unwrap_or_default());
            }
            Value::String(text) if !text.is_empty() => {
                cells.insert(field, text);
            }
            Value::Number(number) => {
                cells.insert(field, number_text(field, &number));
            }
            Value::Array(items) if field != Field::Documents => {
                let part = |key: &str, field: Field| -> Vec<String> {
                    items.iter().map(|item| text_of(field, &item[key])).collect()
                };
                cells.insert(field, part("item", field).join(" | "));
                if let Some(of_list) = field.shares_field() {
                    let shares = part("coverage", of_list);
                    if shares.iter().any(|share| !share.is_empty()) {
                        cells.insert(of_list, shares.join(" | "));
                    }
                }
            }
            _ => {}
        }
    }
    cells
}

fn text_of(field: Field, value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number_text(field, number),
        _ => String::new(),
    }
}

/// A number as a person writes it: the wire has `10000.0`, a table `10000.00`, and 60 percent is `60`.
fn number_text(field: Field, number: &Number) -> String {
    let text = number.to_string();
    let is_money = field.kind() == ValueKind::Amount || field == Field::LinePremium;
    match Usd::parse(&text) {
        Ok(amount) if is_money => amount.to_string(),
        Ok(amount) => amount.as_decimal().normalize().to_string(),
        Err(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_wire_are_written_as_in_a_table() {
        for (field, wire, text) in [
            (Field::Premium, "10000.0", "10000.00"),
            (Field::AgencyFee, "0.0", "0.00"),
            (Field::StampingFee, "4.04", "4.04"),
            (Field::LinePremium, "1250.5", "1250.50"),
            (Field::InsurerShare, "100.0", "100"),
            (Field::InsurerShare, "33.34", "33.34"),
        ] {
            let number: Number = serde_json::from_str(wire).unwrap();
            assert_eq!(number_text(field, &number), text, "{} {wire}", field.name());
        }
    }
}
