//! Issues: what is wrong with a cell, in a small form for millions of them, and in words.

use std::sync::Arc;

use bordereau_contract::StateDocument;
use bordereau_mapping::Field;
use bordereau_money::Usd;
use bordereau_tables::{CellNote, NoteKind};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The row can be sent; the service will take it, perhaps with a warning.
    Warning,
    /// The row should not be sent as it is.
    Error,
}

macro_rules! codes {
    ($($variant:ident = $code:literal, $severity:ident, $title:literal;)+) => {
        /// What is wrong, by a stable code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum Code { $(#[doc = $title] #[serde(rename = $code)] $variant,)+ }

        impl Code {
            /// Every code, in the catalog's order.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)+];

            /// The code as it is written.
            pub const fn code(self) -> &'static str {
                match self { $(Code::$variant => $code,)+ }
            }

            /// What a group of such issues is called.
            pub const fn title(self) -> &'static str {
                match self { $(Code::$variant => $title,)+ }
            }

            /// How bad it is.
            pub const fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)+ }
            }
        }
    };
}

codes! {
    // Reading
    QuoteNotClosed = "quote_not_closed", Error, "A quote that does not close";
    CellCut = "cell_cut", Error, "A cell that was too long";
    CellError = "cell_error", Error, "A formula that failed";
    NotInEncoding = "not_in_encoding", Error, "Characters that could not be read";
    ExtraCells = "extra_cells", Warning, "Cells beyond the last column";
    RowHidden = "row_hidden", Warning, "A row that the sheet hides";
    RowStruckOut = "row_struck_out", Warning, "A row that is struck out in the sheet";
    NotBound = "not_bound", Warning, "A row that its status calls void, or not bound";
    OtherCurrency = "other_currency", Error, "A row in another currency";
    LooksLikeTotal = "looks_like_total", Error, "A line of totals, or of the report, among the rows";
    // Values
    AmountUnreadable = "amount_unreadable", Error, "An amount that cannot be read";
    AmountTooPrecise = "amount_too_precise", Error, "An amount with more than two decimals";
    AmountSplit = "amount_split", Error, "An amount whose comma has moved the cells";
    AmountTooLarge = "amount_too_large", Error, "An amount that is too large";
    DateUnreadable = "date_unreadable", Error, "A date that cannot be read";
    DateOrderOpen = "date_order_open", Error, "Dates that could be mm/dd or dd/mm";
    DateSerial = "date_serial", Warning, "A date shown as a number";
    DateOutOfRange = "date_out_of_range", Error, "A date in an unlikely year";
    FlagUnreadable = "flag_unreadable", Error, "An unreadable yes/no value";
    PercentUnreadable = "percent_unreadable", Error, "A percent that cannot be read";
    CodeUnknown = "code_unknown", Error, "A code that is not known";
    ValueMapped = "value_mapped", Warning, "A value mapped to a code";
    IdentifierRounded = "identifier_rounded", Error, "An identifier whose digits were lost";
    IdentifierShort = "identifier_short", Warning, "An identifier shorter than its neighbors";
    ZipZeroLost = "zip_zero_lost", Warning, "A ZIP code without its leading zero";
    ZipUnlikely = "zip_unlikely", Warning, "A ZIP code that looks wrong";
    ZipOfOtherState = "zip_of_other_state", Warning, "A ZIP code of another state";
    Untrimmed = "untrimmed", Warning, "Blanks around an identifier";
    TextTooLong = "text_too_long", Error, "A text that is too long";
    EmailUnlikely = "email_unlikely", Warning, "An e-mail address that looks wrong";
    PhoneUnlikely = "phone_unlikely", Warning, "A phone number that looks wrong";
    ChargeUnknown = "charge_unknown", Error, "An amount of a charge that is not matched";
    ColumnsDiffer = "columns_differ", Error, "Two columns of one field that differ";
    // Lists
    InsurerUnnumbered = "insurer_unnumbered", Warning, "An insurer without its number";
    InsurerNumberUnlikely = "insurer_number_unlikely", Warning, "An insurer number that looks wrong";
    LineUnknown = "line_unknown", Error, "A line of business that is not known";
    ShareUnreadable = "share_unreadable", Error, "A share that cannot be read";
    SharesMismatch = "shares_mismatch", Error, "The number of shares differs from the entries";
    SharesNotWhole = "shares_not_whole", Error, "Percentages that do not add to 100";
    SharesAreFractions = "shares_are_fractions", Warning, "Shares written as fractions";
    LinesNotPremium = "lines_not_premium", Error, "Line premiums that do not add to the premium";
    // Rules of a row
    Missing = "missing", Error, "A required value that is missing";
    MissingWanted = "missing_wanted", Warning, "A value that the service asks for";
    ExpiringMissing = "expiring_missing", Error, "A renewal without the policy it renews";
    EndorsementDateMissing = "endorsement_date_missing", Error, "A change of a policy without its date";
    TermNotDated = "term_not_dated", Warning, "A term without an expiration date";
    TransactionDateDiffers = "transaction_date_differs", Error, "A transaction date off the policy's start";
    DatesOutOfOrder = "dates_out_of_order", Error, "Dates in the wrong order";
    OutsidePolicy = "outside_policy", Warning, "A change outside the policy's dates";
    NegativePremium = "negative_premium", Error, "A negative premium on a charge";
    ReturnAsCharge = "return_as_charge", Error, "A return premium entered as a charge";
    CreditNegative = "credit_negative", Warning, "A credit written with a minus";
    PremiumNotZero = "premium_not_zero", Error, "A zero premium endorsement with a premium";
    // Taxes
    TaxDiffers = "tax_differs", Warning, "A tax that differs from the calculation";
    TaxMissing = "tax_missing", Warning, "A tax that is due and was not given";
    TotalDiffers = "total_differs", Warning, "A total that differs from the calculation";
    NotCalculated = "not_calculated", Warning, "Taxes that could not be calculated";
    // Documents, duplicates, rows of one transaction
    DocumentMissing = "document_missing", Warning, "A document that the state requires";
    DuplicateId = "duplicate_id", Error, "The same id twice";
    DuplicateTransaction = "duplicate_transaction", Warning, "The same transaction twice";
    PolicyBegunTwice = "policy_begun_twice", Warning, "A policy that begins twice";
    SentBefore = "sent_before", Error, "A transaction that was sent before";
    ReturnTooLarge = "return_too_large", Warning, "A return larger than the premium of its policy";
    GroupDiffers = "group_differs", Error, "Rows of one transaction that differ";
    RowRepeated = "row_repeated", Warning, "The same row twice in a transaction";
}

/// What a finding says beyond its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FindingData {
    None,
    /// Provided and calculated, or found and expected, in cents.
    Cents(i64, i64),
    /// Two dates, or one twice.
    Dates(NaiveDate, NaiveDate),
    /// A text: an expected value, a name, a reason.
    Text(Box<str>),
    /// A document of the state.
    Document(Arc<StateDocument>),
    /// Another row of the table.
    Row(u32),
    /// A line of the file that is in none of the table's rows.
    Line(u32),
    /// Millionths of a percent found.
    Percent(i64),
    /// Counts found and expected.
    Counts(u32, u32),
}

/// No column: the finding is about the row.
pub(crate) const NO_COLUMN: u16 = u16::MAX;

/// One issue in its small form: a few dozen bytes, words are made when somebody looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub(crate) row: u32,
    pub(crate) column: u16,
    pub(crate) field: Option<Field>,
    pub(crate) code: Code,
    pub(crate) data: FindingData,
}

impl Finding {
    /// A finding that is of no field yet.
    pub(crate) fn at_cell(code: Code, row: usize, column: usize) -> Finding {
        Finding {
            row: u32::try_from(row).unwrap_or(u32::MAX),
            column: u16::try_from(column).unwrap_or(NO_COLUMN),
            field: None,
            code,
            data: FindingData::None,
        }
    }

    /// The row of the table it is about.
    pub fn row(&self) -> usize {
        self.row as usize
    }

    /// The column of the table it is about; `None` when it is about the row.
    pub fn column(&self) -> Option<usize> {
        (self.column != NO_COLUMN).then_some(usize::from(self.column))
    }

    /// The field it is about.
    pub fn field(&self) -> Option<Field> {
        self.field
    }

    /// What is wrong.
    pub fn code(&self) -> Code {
        self.code
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The word, name or reason it is about; empty where it is about none.
    pub fn text(&self) -> &str {
        match &self.data {
            FindingData::Text(text) => text,
            FindingData::Document(document) => &document.name,
            _ => "",
        }
    }

    /// Its title with the field it is about.
    pub fn title(&self) -> String {
        match self.field {
            Some(field) => format!("{} ({})", self.code.title(), field.title()),
            None => self.code.title().to_owned(),
        }
    }

    /// Whether a message on its cell, or on a document, says the same: the same document, the same amount, or that
    /// nothing is there.
    pub fn has_same_cause(&self, document: Option<&str>, calculated: Option<&str>) -> bool {
        match (document, calculated, self.amounts()) {
            (Some(code), ..) => {
                matches!(&self.data, FindingData::Document(missing) if missing.code == code)
            }
            (None, Some(told), Some((_, own))) => told == own.to_string(),
            (None, told, _) => told.is_none() && matches!(self.code, Code::Missing | Code::MissingWanted),
        }
    }

    /// Whether the row itself says what a value that cannot be read most likely is.
    pub fn has_likely_value(&self) -> bool {
        matches!(
            (self.code, &self.data),
            (Code::DateUnreadable, FindingData::Dates(..)) | (Code::AmountUnreadable, FindingData::Cents(..))
        )
    }

    /// Provided and calculated in USD, for the codes that compare amounts.
    pub fn amounts(&self) -> Option<(Usd, Usd)> {
        match self.data {
            FindingData::Cents(provided, calculated) => {
                Some((Usd::from_cents(provided), Usd::from_cents(calculated)))
            }
            _ => None,
        }
    }
}

impl Finding {
    /// What a reader's note says of a row or a cell; a hidden column is no issue of its cells.
    pub(crate) fn from_note(note: &CellNote) -> Option<Finding> {
        let code = match note.kind {
            NoteKind::QuoteNotClosed => Code::QuoteNotClosed,
            NoteKind::CellCut => Code::CellCut,
            NoteKind::NotInEncoding => Code::NotInEncoding,
            NoteKind::ExtraCells => Code::ExtraCells,
            NoteKind::RowHidden => Code::RowHidden,
            NoteKind::RowStruckOut => Code::RowStruckOut,
            NoteKind::ColumnHidden => return None,
        };
        // What is said of a row holds whichever of its cells is changed.
        let is_of_row = matches!(note.kind, NoteKind::RowHidden | NoteKind::RowStruckOut);
        let column = if is_of_row { usize::MAX } else { note.column as usize };
        Some(Finding::at_cell(code, note.row as usize, column))
    }
}

/// Where an issue is, as a person finds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueLocation {
    /// The file's name.
    pub file: String,
    /// The sheet, for a workbook.
    pub sheet: Option<String>,
    /// The row as the file counts it, from 1.
    pub row: u32,
    /// The column's letters, such as `AB`; `None` for an issue of the row, or of a column that is not there.
    pub column: Option<String>,
    /// The column's header as found.
    pub header: Option<String>,
    /// The cell's text as found.
    pub found: String,
}

/// One change of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellChange {
    /// Row of the table.
    pub row: usize,
    /// Column of the table.
    pub column: usize,
    /// The new text.
    pub text: String,
}

/// What a repair does, the same for all that can be done together.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr, strum::EnumString,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RepairKind {
    /// Takes blanks away that do not belong to an identifier.
    Trim,
    /// Puts the code in the place of its word.
    MapValue,
    /// Writes an insurer's number as it has to be.
    InsurerNumber,
    /// Puts leading zeros back that other rows have.
    PadZeros,
    /// Puts the leading zero of a ZIP code back.
    ZipZero,
    /// Sets a date.
    SetDate,
    /// Takes the policy's effective date.
    UsePolicyDate,
    /// Sets what a date that cannot be read most likely is, by the row's other dates.
    LikelyDate,
    /// Empties a cell that nothing asks for.
    ClearCell,
    /// Adds the row to an id that another transaction has.
    OwnId,
    /// Takes the calculated amount.
    UseCalculated,
    /// Rounds to the cent.
    Round,
    /// Writes a limit such as 1.5M with all its digits.
    WriteOut,
    /// Takes the minus away.
    RemoveMinus,
    /// Makes an additional premium below zero the return that it is.
    MakeReturn,
    /// Sets an amount to zero.
    SetZero,
    /// Writes fractions as percentages.
    Percentages,
    /// Answers a question with no.
    SetNo,
    /// Excludes the row.
    Exclude,
    /// Has words matched to codes, one by one.
    MatchValues,
    /// Makes an id of policy number and line.
    FillId,
    /// Takes the policy number for the invoice number.
    FillPolicyNumber,
    /// Makes the premium the sum of its lines.
    UseLineSum,
    /// Takes the state that the ZIP code of the risk is in.
    UseZipState,
    /// Takes the mailing address's state as the risk's.
    UseMailingState,
    /// Takes the value of the rows above, where a report leaves out what repeats.
    FillAbove,
    /// Cuts a text to what the field takes.
    Shorten,
    /// Gives all rows a value that a person types.
    SetValue,
}

/// A repair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueRepair {
    /// What the button says, such as `Use calculated 93.26`.
    pub label: String,
    /// What it does.
    pub kind: RepairKind,
    /// Whether it can be done for all at once without looking at each.
    pub certain: bool,
    /// Cells to change.
    pub changes: Vec<CellChange>,
    /// Row to exclude, instead of changing cells.
    pub exclude: Option<usize>,
}

/// An issue in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// What is wrong.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// Where it is.
    pub location: IssueLocation,
    /// The contract's field, where the issue is about one.
    pub field: Option<Field>,
    /// Where, found, expected, what to do; complete sentences.
    pub message: String,
    /// What was expected; without a full stop.
    pub expected: String,
    /// What to do; without a full stop.
    pub advice: String,
    /// Provided amount in USD, for codes that compare.
    pub provided: Option<Usd>,
    /// Calculated amount in USD, for codes that compare.
    pub calculated: Option<Usd>,
    /// Calculated minus provided in USD.
    pub difference: Option<Usd>,
    /// One click that repairs it, where there is one.
    pub fix: Option<IssueRepair>,
}
