//! Diligent effort forms and affidavits: what each state asks for, templates as data, checks, filled pages.
//!
//! A form is one file of `data/forms`; adding one needs no code. Nothing here does IO: a template of a
//! person's own comes as text, an agency's fillable PDF as bytes.

mod acroform;
mod book;
mod check;
mod data;
mod file;
mod fill;
mod load;
mod sheet;
mod template;

pub use acroform::{AcroFormError, PDF_BYTES_MAX, PdfFieldValue, fill_own_pdf};
pub use book::FormBook;
pub use check::{CheckFinding, FindingWeight, check_forms};
pub use data::FormData;
pub use fill::{CompletedForm, FillError, MissingField, PRACTICE_MARK};
pub use load::{FormProblem, TEMPLATE_BYTES_MAX};
pub use template::{
    CertaintyNote, EffortStatus, FieldKind, FormTemplate, MappedField, Section, SectionBlock,
    StateRequirement, TemplateField,
};
