//! Diligent effort forms and affidavits: a state's requirements, filling, preview, saving and uploading.

use std::collections::BTreeMap;

use bordereau_contract::{Confidence, Declination, SourceRef};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::QuoteRequest;

/// The transaction that forms are needed for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct FormsQuestion {
    /// State code of two letters, such as `TX`.
    pub state: String,
    /// Such as `PN`.
    pub transaction_type: String,
    /// `yyyy-mm-dd`; today where it is empty.
    pub policy_effective_date: String,
    /// Exempt commercial purchaser.
    pub ecp: bool,
    /// On the state's export list.
    pub export_list: bool,
}

/// A state's requirements, and its forms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormList {
    /// State code of two letters, such as `TX`.
    pub state: String,
    pub state_name: String,
    /// `required`, `repealed` or `not_found`.
    pub status: String,
    /// Since when repealed, or null.
    pub since: Option<String>,
    /// The rule in a sentence.
    pub text: String,
    /// Where it was read.
    pub sources: Vec<SourceRef>,
    /// How reliable the source is.
    pub sureness: Confidence,
    /// The words for it.
    pub checked: String,
    pub forms: Vec<FormView>,
    /// Own templates that cannot be read, each with its reason.
    pub refused: Vec<String>,
    /// Carriers that declined before, newest first.
    pub carriers: Vec<KnownCarrier>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormView {
    pub key: String,
    /// Document code.
    pub code: String,
    pub title: String,
    /// The state's form it prepares data for.
    pub prepares: String,
    /// Declinations required, or null where no number was found.
    pub declinations: Option<u32>,
    /// What else there is to say on the number; may be empty.
    pub declinations_text: String,
    /// Who is exempt; may be empty.
    pub exemptions: String,
    /// When due; may be empty.
    pub due: String,
    /// Where it was read.
    pub sources: Vec<SourceRef>,
    /// How reliable the source is.
    pub sureness: Confidence,
    /// The words for it.
    pub checked: String,
    /// Whether it is the person's own template.
    pub own: bool,
    /// Sections in order.
    pub sections: Vec<FormSection>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormSection {
    /// Heading.
    pub title: String,
    /// Paragraphs.
    pub text: Vec<String>,
    /// `fields`, `declinations` or `signatures`.
    pub kind: String,
    pub fields: Vec<FormField>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormField {
    /// Name in the values.
    pub name: String,
    pub label: String,
    /// `text`, `long`, `date`, `amount`, `yes_no`, `state` or `transaction`.
    pub kind: String,
    /// Whether the form is incomplete without it.
    pub required: bool,
    /// Half the width.
    pub half: bool,
}

/// A carrier that declined before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KnownCarrier {
    pub carrier: String,
    /// NAIC code, or empty.
    pub naic: String,
    /// Contact, or empty.
    pub contact: String,
    /// Reason it gave last, or empty.
    pub reason: String,
}

/// A carrier that declined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct FormDeclination {
    pub carrier: String,
    /// NAIC code, five digits.
    pub naic: String,
    /// Who declined, and how to reach them.
    pub contact: String,
    /// `yyyy-mm-dd`.
    pub date: String,
    /// The reason, as a sentence.
    pub reason: String,
}

impl From<Declination> for FormDeclination {
    fn from(given: Declination) -> FormDeclination {
        let Declination { carrier, naic, contact, date, reason } = given;
        FormDeclination { carrier, naic, contact, date, reason }
    }
}

/// The values to fill in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct FormsRequest {
    /// State code of two letters, such as `TX`.
    pub state: String,
    /// Such as `PN`.
    pub transaction_type: String,
    /// `yyyy-mm-dd`.
    pub policy_effective_date: String,
    /// Exempt commercial purchaser.
    pub ecp: bool,
    /// On the state's export list.
    pub export_list: bool,
    /// Keys of the forms wanted; all that apply where it is empty.
    pub keys: Vec<String>,
    /// Values by the field's name; yes or no is `yes` or `no`.
    pub values: BTreeMap<String, String>,
    /// Carriers that declined.
    pub declinations: Vec<FormDeclination>,
    /// Fill here, without the service.
    pub offline: bool,
}

/// The source of a form's values: one of the two.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct FormsPrefill {
    /// A quote, or null.
    pub quote: Option<QuoteRequest>,
    /// The service's number of a transaction, or empty.
    pub transaction_id: String,
}

/// Something not in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormFinding {
    /// JSON pointer into the request.
    pub pointer: String,
    /// It is an error; otherwise a warning.
    pub problem: bool,
    /// Found, expected.
    pub message: String,
}

/// Something a form is incomplete without.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormMissing {
    /// Name: `insured_name`, `declinations`, `declinations/1/date`.
    pub name: String,
    /// Label, as shown.
    pub label: String,
}

/// The status of a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormStatus {
    pub key: String,
    pub title: String,
    /// Declinations required for the current values.
    pub asked: u32,
    /// What is missing; complete where it is empty.
    pub missing: Vec<FormMissing>,
}

/// Invalid and missing values of each form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormsCheck {
    /// Not in order.
    pub findings: Vec<FormFinding>,
    pub forms: Vec<FormStatus>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FilledForms {
    /// Why the service did not fill them, or another remark; may be empty.
    pub note: String,
    pub forms: Vec<FilledFormView>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FilledFormView {
    pub handle: String,
    /// Key of the template; empty for a form only the service knows.
    pub key: String,
    /// Title.
    pub name: String,
    /// Document code.
    pub code: String,
    /// Filled by the service; otherwise on this computer.
    pub service: bool,
    /// Whether nothing is missing.
    pub complete: bool,
    pub missing: Vec<FormMissing>,
    pub file_name: String,
    /// Size in bytes.
    pub bytes: u32,
    /// Its pages for the window; empty where only the file itself shows them.
    pub pages: Vec<FormPage>,
}

/// A page for the window; lengths are points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FormPage {
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// The page's content, in reading order.
    pub marks: Vec<PageMark>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PageMark {
    /// Left edge in points.
    pub x: f32,
    /// Base line of a text, upper edge of a box.
    pub y: f32,
    /// Width in points.
    pub width: f32,
    /// Height of a box, size of a text.
    pub height: f32,
    /// `black`, `gray`, `rule`, `alert` or `alert_ground`.
    pub ink: String,
    pub bold: bool,
    /// The text, or null for a box or a picture.
    pub text: Option<String>,
    /// A picture as a `data:` address, or null.
    pub image: Option<String>,
}

/// A filled form by its handle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct FormHandle {
    pub handle: String,
}

/// A filled form for a transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct FormUpload {
    pub handle: String,
    /// The service's number as digits.
    pub transaction_id: String,
    /// The confirmation word that the person typed, for production.
    pub typed: String,
}
