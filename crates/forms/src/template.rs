//! What a template and a state's requirement say, once loaded.

use bordereau_contract::{Confidence, Jurisdiction, SourceRef, TransactionType};
use chrono::NaiveDate;
use serde::Deserialize;

/// How sure something is, and the words for it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertaintyNote {
    /// The grade.
    pub level: Confidence,
    /// The words.
    pub text: String,
}

/// Whether a state asks for a diligent effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffortStatus {
    /// It does.
    Required,
    /// It did once.
    Repealed,
    /// Nothing was found.
    NotFound,
}

impl EffortStatus {
    /// The word on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            EffortStatus::Required => "required",
            EffortStatus::Repealed => "repealed",
            EffortStatus::NotFound => "not_found",
        }
    }
}

/// What a state asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRequirement {
    /// The state.
    pub state: Jurisdiction,
    /// Whether it asks at all.
    pub status: EffortStatus,
    /// Since when no longer, where the day is known.
    pub since: Option<NaiveDate>,
    /// The rule in a sentence or two.
    pub text: String,
    /// Where it was read; at least one.
    pub sources: Vec<SourceRef>,
    /// How sure it is.
    pub checked: CertaintyNote,
}

impl StateRequirement {
    /// Its status on a day: what was repealed later was still required then.
    pub fn status_on(&self, day: NaiveDate) -> EffortStatus {
        match (self.status, self.since) {
            (EffortStatus::Repealed, Some(since)) if day < since => EffortStatus::Required,
            (status, _) => status,
        }
    }
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// A line of text.
    Text,
    /// Text of several lines.
    Long,
    /// A date, `yyyy-mm-dd`.
    Date,
    /// An amount in US dollars, as text.
    Amount,
    /// `yes` or `no`.
    YesNo,
    /// The state of the request.
    State,
    /// The transaction type of the request.
    Transaction,
}

/// A field of a form.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateField {
    /// Its name in the values.
    pub name: String,
    /// The label beside it.
    pub label: String,
    /// What it holds.
    pub kind: FieldKind,
    /// Whether the form is incomplete without it.
    #[serde(default)]
    pub required: bool,
    /// Half the width of the page.
    #[serde(default)]
    pub half: bool,
}

/// What a section is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SectionBlock {
    /// Fields.
    Fields(Vec<TemplateField>),
    /// The table of carriers that declined.
    Declinations,
    /// Lines to sign on.
    Signatures {
        /// Who signs.
        signers: Vec<String>,
        /// Whether a notary does too.
        notary: bool,
    },
}

/// A section of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Heading.
    pub title: String,
    /// Paragraphs below it.
    pub text: Vec<String>,
    /// What it is made of.
    pub block: SectionBlock,
}

/// A field of an agency's own PDF and what goes into it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MappedField {
    /// Full name of the field in the PDF.
    pub pdf: String,
    /// Name of the value: `insured_name`, or `declinations/0/carrier`.
    pub from: String,
    /// For a check box: the value that ticks it; without it the field takes text.
    pub when: Option<String>,
}

/// An agency's own PDF in place of our pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnPdf {
    /// Name of the file beside the template.
    pub file: String,
    /// Its fields.
    pub fields: Vec<MappedField>,
}

/// A form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormTemplate {
    /// Its key: the name of its file without the ending.
    pub key: String,
    /// State.
    pub state: Jurisdiction,
    /// Document code, such as `DEF`.
    pub code: String,
    /// Title.
    pub title: String,
    /// The state's form that this prepares data for.
    pub prepares: String,
    /// Transactions it belongs to.
    pub transactions: Vec<TransactionType>,
    /// First day of the policy for which it is used.
    pub from: Option<NaiveDate>,
    /// Last day.
    pub until: Option<NaiveDate>,
    /// For exempt commercial purchasers: 0 no, 1 only, 2 both.
    pub ecp: u8,
    /// For coverages on the export list: 0 no, 1 only, 2 both.
    pub export_list: u8,
    /// Declinations the state asks for; `None` where no number was found.
    pub declinations: Option<usize>,
    /// Values that lower the number: when the field says yes (or anything, where it is no choice).
    pub fewer: Vec<(String, usize)>,
    /// What else there is to say on the number.
    pub declinations_text: String,
    /// Who is exempt.
    pub exemptions: String,
    /// When it is due.
    pub due: String,
    /// Where it was read; at least one.
    pub sources: Vec<SourceRef>,
    /// How sure it is.
    pub checked: CertaintyNote,
    /// Sections in order.
    pub sections: Vec<Section>,
    /// An agency's own PDF to be filled instead of our pages.
    pub own_pdf: Option<OwnPdf>,
}

impl FormTemplate {
    /// Its fields in order.
    pub fn fields(&self) -> impl Iterator<Item = &TemplateField> {
        self.sections.iter().flat_map(|section| match &section.block {
            SectionBlock::Fields(fields) => fields.as_slice(),
            SectionBlock::Declinations | SectionBlock::Signatures { .. } => &[],
        })
    }

    /// Whether it lists the carriers that declined.
    pub fn lists_declinations(&self) -> bool {
        self.sections.iter().any(|section| section.block == SectionBlock::Declinations)
    }

    /// Whether it belongs to a transaction.
    pub fn applies_to(
        &self,
        transaction: TransactionType,
        day: NaiveDate,
        ecp: bool,
        export_list: bool,
    ) -> bool {
        let flag = |rule: u8, set: bool| rule == 2 || (rule == 1) == set;
        self.transactions.contains(&transaction)
            && self.from.is_none_or(|from| from <= day)
            && self.until.is_none_or(|until| day <= until)
            && flag(self.ecp, ecp)
            && flag(self.export_list, export_list)
    }
}
