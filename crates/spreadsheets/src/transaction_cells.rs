//! A transaction as it is sent, written as cells again.

use std::collections::BTreeMap;

use bordereau_contract::{ImportTransaction, format_day, parse_day};
use bordereau_mapping::{Field, ValueKind};
use bordereau_money::Usd;
use serde_json::{Number, Value};

/// The cells of a transaction, as an American office writes them.
pub fn transaction_cells(transaction: &ImportTransaction) -> BTreeMap<Field, String> {
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
                let day = parse_day(&text).filter(|_| field.kind() == ValueKind::Date);
                cells.insert(field, day.map_or(text, format_day));
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

/// A number as a person writes it: the wire has `10000.0`, a table `10,000.00`, and 60 percent is `60`.
fn number_text(field: Field, number: &Number) -> String {
    let text = number.to_string();
    let is_money = field.kind() == ValueKind::Amount || field == Field::LinePremium;
    match Usd::parse(&text) {
        Ok(amount) if is_money => amount.to_grouped(),
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
            (Field::Premium, "10000.0", "10,000.00"),
            (Field::AgencyFee, "0.0", "0.00"),
            (Field::StampingFee, "4.04", "4.04"),
            (Field::LinePremium, "1250.5", "1,250.50"),
            (Field::InsurerShare, "100.0", "100"),
            (Field::InsurerShare, "33.34", "33.34"),
        ] {
            let number: Number = serde_json::from_str(wire).unwrap();
            assert_eq!(number_text(field, &number), text, "{} {wire}", field.name());
        }
    }
}
