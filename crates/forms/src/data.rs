//! What is to be filled in, read from the wire and bounded.

use std::collections::BTreeMap;

use bordereau_contract::{
    DECLINATIONS_MAX, Declination, DiligentRequest, FORM_VALUE_CHARS_MAX, FORM_VALUES_MAX, FieldProblem,
    Jurisdiction, TransactionType, format_day, parse_day,
};
use chrono::NaiveDate;

/// Characters of a text of a declination.
const DECLINATION_CHARS_MAX: usize = 500;

/// What goes into forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormData {
    /// State.
    pub state: Jurisdiction,
    /// Transaction.
    pub transaction: TransactionType,
    /// First day of the policy.
    pub policy_effective: NaiveDate,
    /// Exempt commercial purchaser.
    pub ecp: bool,
    /// On the export list.
    pub export_list: bool,
    /// Codes of the forms wanted; all where it is empty.
    pub wanted: Vec<String>,
    values: BTreeMap<String, String>,
    declinations: Vec<Declination>,
}

/// Collects what cannot be read.
struct DataReader(Vec<FieldProblem>);

impl DataReader {
    fn add_fault(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.0.push(FieldProblem { pointer: pointer.into(), detail: detail.into() });
    }

    fn read_date(&mut self, pointer: &str, text: &str) -> Option<NaiveDate> {
        let date = parse_date(text);
        if date.is_none() {
            let shown: String = text.chars().take(40).collect();
            self.add_fault(pointer, format!("\"{shown}\" is not a date; write it like 2026-02-23."));
        }
        date
    }

    fn check_length(&mut self, pointer: &str, text: &str, most: usize) {
        // Bytes are never fewer than characters, so most texts need no counting.
        if text.len() > most && text.chars().count() > most {
            self.add_fault(pointer, format!("The text is longer than {most} characters."));
        }
    }
}

/// `yyyy-mm-dd` between 1900 and 2199.
pub(crate) fn parse_date(text: &str) -> Option<NaiveDate> {
    parse_day(text.trim())
}

impl FormData {
    /// Reads a request.
    ///
    /// # Errors
    /// Every field that cannot be read or is out of bounds, by JSON pointer.
    pub fn read(request: &DiligentRequest) -> Result<FormData, Vec<FieldProblem>> {
        let mut reading = DataReader(Vec::new());
        let state: Option<Jurisdiction> = request.state.trim().parse().ok();
        if state.is_none() {
            reading.add_fault("/state", "The two letters of a state, DC, PR or VI are expected.");
        }
        let transaction: Option<TransactionType> = request.transaction_type.trim().parse().ok();
        if transaction.is_none() {
            reading.add_fault("/transaction_type", "A transaction type such as PN or PR is expected.");
        }
        let policy_effective = reading.read_date("/policy_effective_date", &request.policy_effective_date);
        for (flag, name) in [(request.ecp, "ecp"), (request.export_list, "export_list")] {
            if flag > 1 {
                reading.add_fault(format!("/{name}"), format!("0 or 1 is expected, found {flag}."));
            }
        }
        if request.forms.len() > FORM_VALUES_MAX {
            reading.add_fault("/forms", format!("At most {FORM_VALUES_MAX} forms are possible."));
        }
        let values = values(request, &mut reading);
        let declinations = read_declinations(request, &mut reading);
        match (state, transaction, policy_effective) {
            (Some(state), Some(transaction), Some(policy_effective)) if reading.0.is_empty() => {
                Ok(FormData {
                    state,
                    transaction,
                    policy_effective,
                    ecp: request.ecp == 1,
                    export_list: request.export_list == 1,
                    wanted: request.forms.clone(),
                    values,
                    declinations,
                })
            }
            _ => Err(reading.0),
        }
    }

    /// The text of a field, trimmed; empty where there is none.
    pub fn field_value(&self, name: &str) -> &str {
        match name {
            "state" => self.state.title(),
            "transaction_type" => self.transaction.title(),
            _ => self.values.get(name).map_or("", |value| value.trim()),
        }
    }

    /// The declinations that say anything, each with its place in the request.
    pub fn declinations(&self) -> impl Iterator<Item = (usize, &Declination)> {
        let said = |declination: &Declination| {
            PARTS.iter().any(|name| !declination_part(declination, name).is_empty())
        };
        self.declinations.iter().enumerate().filter(move |(_, declination)| said(declination))
    }

    /// The date in a field.
    pub fn field_day(&self, name: &str) -> Option<NaiveDate> {
        parse_date(self.field_value(name))
    }

    /// A value by its path: `insured_name`, or `declinations/0/carrier`; `None` for what is no path.
    pub fn value_at(&self, path: &str) -> Option<&str> {
        let Some(rest) = path.strip_prefix("declinations/") else { return Some(self.field_value(path)) };
        let (at, field) = rest.split_once('/')?;
        let declination = self.declinations.get(at.parse::<usize>().ok()?);
        let text = declination.map_or("", |declination| declination_part(declination, field));
        Some(text)
    }
}

/// A value as it is printed: a day of a field of days is written 02/23/2026.
pub(crate) fn printed_text(name: &str, value: &str) -> String {
    let day = if name == "date" || name.ends_with("_date") { parse_date(value) } else { None };
    day.map_or_else(|| value.to_owned(), format_day)
}

/// A text of a declination by name.
pub(crate) fn declination_part<'a>(declination: &'a Declination, field: &str) -> &'a str {
    match field {
        "carrier" => declination.carrier.trim(),
        "naic" => declination.naic.trim(),
        "contact" => declination.contact.trim(),
        "date" => declination.date.trim(),
        "reason" => declination.reason.trim(),
        _ => "",
    }
}

/// The parts of a declination, in the order of the form.
pub(crate) const PARTS: [&str; 5] = ["carrier", "naic", "contact", "date", "reason"];

fn values(request: &DiligentRequest, reading: &mut DataReader) -> BTreeMap<String, String> {
    if request.values.len() > FORM_VALUES_MAX {
        reading.add_fault("/values", format!("At most {FORM_VALUES_MAX} values are possible."));
        return BTreeMap::new();
    }
    for (name, value) in &request.values {
        let shown: String = name.chars().take(60).collect();
        let pointer = format!("/values/{}", shown.replace('~', "~0").replace('/', "~1"));
        reading.check_length(&pointer, name, 60);
        reading.check_length(&pointer, value, FORM_VALUE_CHARS_MAX);
        if name.ends_with("_date") && !value.trim().is_empty() {
            reading.read_date(&pointer, value);
        }
    }
    let mut values = request.values.clone();
    values.insert("policy_effective_date".into(), request.policy_effective_date.trim().to_owned());
    values
}

fn read_declinations(request: &DiligentRequest, reading: &mut DataReader) -> Vec<Declination> {
    if request.declinations.len() > DECLINATIONS_MAX {
        reading.add_fault("/declinations", format!("At most {DECLINATIONS_MAX} declinations are possible."));
        return Vec::new();
    }
    for (at, declination) in request.declinations.iter().enumerate() {
        for name in PARTS {
            let pointer = format!("/declinations/{at}/{name}");
            reading.check_length(&pointer, declination_part(declination, name), DECLINATION_CHARS_MAX);
        }
        let (naic, day) = (declination.naic.trim(), declination.date.trim());
        if !naic.is_empty() && !is_naic(naic) {
            let pointer = format!("/declinations/{at}/naic");
            reading.add_fault(pointer, "A NAIC company code has five digits, such as 12345.");
        }
        if !day.is_empty() {
            reading.read_date(&format!("/declinations/{at}/date"), day);
        }
    }
    request.declinations.clone()
}

/// Five digits.
pub(crate) fn is_naic(text: &str) -> bool {
    text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit())
}
