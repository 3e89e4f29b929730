//! The columns of the table: their names, titles, and what a cell holds. What the table shows and what is
//! exported is one list.

use bordereau_contract::{Charge, TransactionRecord};
use bordereau_money::Usd;

use super::facts::{date_day, payment_state, payment_title, shown_sums, shown_taxes, total_fees};
use super::record_reading::RecordReading;
use bordereau_api::{BoundaryError, TransactionColumnInfo, TransactionColumnKind, TransactionSort};

/// What a cell holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ColumnValue {
    Text(String),
    /// `yyyy-mm-dd`; shown as a date.
    Date(String),
    Amount(Usd),
    Number(i64),
    Empty,
}

/// A column that the table on screen can show.
struct TableColumn {
    kind: TransactionColumnKind,
    is_usual: bool,
    sort: Option<TransactionSort>,
}

/// A column.
pub(super) struct RecordColumn {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// How the table on screen offers it; `None` where only an export and the details have it.
    table: Option<TableColumn>,
    cell: fn(&TransactionRecord, &RecordReading) -> ColumnValue,
}

impl RecordColumn {
    pub(super) fn value_of(&self, record: &TransactionRecord, reading: &RecordReading) -> ColumnValue {
        (self.cell)(record, reading)
    }
}

fn text_value(text: &Option<String>) -> ColumnValue {
    match text.as_deref().map(str::trim) {
        None | Some("") => ColumnValue::Empty,
        Some(text) => ColumnValue::Text(text.to_owned()),
    }
}

/// What is no date stays as it came.
fn date_value(date: &Option<String>) -> ColumnValue {
    date_day(date.as_deref()).map_or_else(|| text_value(date), ColumnValue::Date)
}

fn amount_value(amount: Option<Usd>) -> ColumnValue {
    amount.map_or(ColumnValue::Empty, ColumnValue::Amount)
}

macro_rules! table_column {
    () => { None };
    (@sort) => { None };
    (@sort $sort:ident) => { Some(TransactionSort::$sort) };
    (@usual Usual) => { true };
    (@usual Offered) => { false };
    ($shown:ident $kind:ident $($sort:ident)?) => {
        Some(TableColumn {
            kind: TransactionColumnKind::$kind,
            is_usual: table_column!(@usual $shown),
            sort: table_column!(@sort $($sort)?),
        })
    };
}

macro_rules! columns {
    ($($name:literal, $title:expr, [$($table:tt)*] $cell:expr;)+) => {
        /// All columns in the order of an export.
        pub(super) const COLUMNS: &[RecordColumn] = &[$(
            RecordColumn { name: $name, title: $title, table: table_column!($($table)*), cell: $cell },
        )+];
    };
}

columns! {
    "id", "Transaction", [Offered Number Id] |r, _| ColumnValue::Number(r.id);
    "policy_number", "Policy", [Usual Text PolicyNumber] |r, _| text_value(&r.policy_number);
    "insured", "Insured", [Usual Text Insured] |r, _| text_value(&r.mailing_insured_name);
    "state", "State", [Usual Text State] |r, _| text_value(&r.physical_state);
    "transaction_type", "Type", [Usual Text TransactionType] |r, _| text_value(&r.transaction_type);
    "status", "Status", [Usual Text Status] |r, reading| ColumnValue::Text(reading.words.status_title(&r.transaction_status));
    "invoice_number", "Invoice", [Offered Text Invoice] |r, _| text_value(&r.extra_invoice_number);
    "policy_effective", "Policy effective", [Offered Date PolicyEffective] |r, _| date_value(&r.policy_effective_date);
    "transaction_effective", "Effective", [Usual Date TransactionEffective] |r, _| date_value(&r.transaction_effective_date);
    "policy_expiration", "Policy expires", [] |r, _| date_value(&r.policy_expiration_date);
    "ready", "Ready to file", [] |r, _| date_value(&r.date_ready_to_file);
    "date_filed", "Filed", [Offered Date Filed] |r, _| date_value(&r.date_filed);
    "premium", "Premium", [Usual Amount Premium] |r, _| amount_value(r.signed_premium());
    "agency_fee", Charge::AgencyFee.title(), [] |r, _| amount_value(r.charge(Charge::AgencyFee));
    "inspection_fee", Charge::InspectionFee.title(), [] |r, _| amount_value(r.charge(Charge::InspectionFee));
    "fees", "Fees", [Offered Amount] |r, _| ColumnValue::Amount(total_fees(r));
    "sl_tax", Charge::SlTax.title(), [] |r, _| amount_value(r.charge(Charge::SlTax));
    "stamping_fee", Charge::StampingFee.title(), [] |r, _| amount_value(r.charge(Charge::StampingFee));
    "sl_service_charge", Charge::SlServiceCharge.title(), [] |r, _| amount_value(r.charge(Charge::SlServiceCharge));
    "municipal_fee", Charge::MunicipalFee.title(), [] |r, _| amount_value(r.charge(Charge::MunicipalFee));
    "county_fee", Charge::CountyFee.title(), [] |r, _| amount_value(r.charge(Charge::CountyFee));
    "fm_tax", Charge::FmTax.title(), [] |r, _| amount_value(r.charge(Charge::FmTax));
    "empa_tax", Charge::EmpaTax.title(), [] |r, _| amount_value(r.charge(Charge::EmpaTax));
    "collection_fee", Charge::CollectionFee.title(), [] |r, _| amount_value(r.charge(Charge::CollectionFee));
    "taxes", "Taxes", [Usual Amount Taxes] |r, _| amount_value(shown_taxes(r));
    "total", "Total", [Usual Amount Total] |r, _| ColumnValue::Amount(shown_sums(r)[2]);
    "paid", "Payment", [Usual Text] |r, _| ColumnValue::Text(payment_title(payment_state(r)).to_owned());
    "due", "Filing due", [Usual Date Due] |r, reading| crate::due::filing_due(r, reading.calendar()).map_or(ColumnValue::Empty, |day| ColumnValue::Date(day.to_string()));
    "sl_tax_paid", "Tax paid", [] |r, _| date_value(&r.sl_tax_paid_date);
    "stamping_fee_paid", "Stamping fee paid", [] |r, _| date_value(&r.stamping_fee_paid_date);
    "other_paid", "Other paid", [] |r, _| date_value(&r.other_taxes_paid_date);
    "sl_tax_invoice", "Tax invoice", [] |r, _| text_value(&r.sl_tax_invoice_id);
    "stamping_fee_invoice", "Stamping fee invoice", [] |r, _| text_value(&r.stamping_fee_invoice_id);
    "state_number", "State number", [Offered Text] |r, _| text_value(&r.transaction_id_number);
    "license_name", "Filed under", [] |r, _| text_value(&r.filed_under_license_name);
    "license_number", "License", [] |r, _| text_value(&r.filed_under_license_number);
    "municipality", "Municipality", [] |r, _| text_value(&r.municipal_name);
    "municipal_category", "Municipal category", [] |r, _| text_value(&r.municipal_category);
    "own_id", "Your ID", [Offered Text] |r, _| text_value(&r.unique_id);
    "documents", "Documents", [Offered Number Documents] |r, _| ColumnValue::Number(i64::try_from(r.transaction_documents.len()).unwrap_or(i64::MAX));
    "gl_moved", "Moved to ledger", [] |r, _| date_value(&r.gl_moved_date);
    "created_by", "Created by", [] |r, _| text_value(&r.created_by);
    "created", "Created", [] |r, _| text_value(&r.created_date);
}

/// The columns that the table on screen can show, in its order.
pub(super) fn table_columns() -> Vec<TransactionColumnInfo> {
    let info = |column: &RecordColumn| {
        let TableColumn { kind, is_usual, sort } = column.table.as_ref()?;
        let (name, title) = (column.name.to_owned(), column.title.to_owned());
        Some(TransactionColumnInfo { name, title, kind: *kind, is_usual: *is_usual, sort: *sort })
    };
    COLUMNS.iter().filter_map(info).collect()
}

/// The columns of these names in this order; all of them where none is named.
pub(super) fn choose_columns(names: &[String]) -> Result<Vec<&'static RecordColumn>, BoundaryError> {
    if names.is_empty() {
        return Ok(COLUMNS.iter().collect());
    }
    let of = |name: &String| {
        COLUMNS.iter().find(|column| column.name == name).ok_or_else(|| {
            let message = format!("There is no column \"{}\".", name.chars().take(40).collect::<String>());
            BoundaryError::invalid_field("/columns", message)
        })
    };
    names.iter().map(of).collect()
}
