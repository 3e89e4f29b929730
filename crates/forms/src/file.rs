//! The files as they are written. Unknown keys are refused.

use bordereau_contract::{Jurisdiction, SourceRef, TransactionType};
use serde::Deserialize;

use crate::template::{CertaintyNote, EffortStatus, MappedField, TemplateField};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TemplateFile {
    pub state: Jurisdiction,
    pub code: String,
    pub title: String,
    pub prepares: String,
    pub transactions: Vec<TransactionType>,
    pub from: Option<String>,
    pub until: Option<String>,
    #[serde(default = "both")]
    pub ecp: u8,
    #[serde(default = "both")]
    pub export_list: u8,
    pub declinations: Option<usize>,
    #[serde(default)]
    pub fewer: Vec<FewerFile>,
    #[serde(default)]
    pub declinations_text: String,
    #[serde(default)]
    pub exemptions: String,
    #[serde(default)]
    pub due: String,
    pub checked: CertaintyNote,
    pub source: Vec<SourceRef>,
    pub section: Vec<SectionFile>,
    pub own_pdf: Option<OwnPdfFile>,
}

const fn both() -> u8 {
    2
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FewerFile {
    pub field: String,
    pub declinations: usize,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SectionLayout {
    #[default]
    Fields,
    Declinations,
    Signatures,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SectionFile {
    pub block: Option<String>,
    pub title: Option<String>,
    #[serde(default)]
    pub layout: SectionLayout,
    #[serde(default)]
    pub text: Vec<String>,
    #[serde(default)]
    pub field: Vec<TemplateField>,
    #[serde(default)]
    pub signers: Vec<String>,
    #[serde(default)]
    pub notary: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnPdfFile {
    pub file: String,
    pub field: Vec<MappedField>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlocksFile {
    pub block: Vec<BlockFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlockFile {
    pub id: String,
    pub title: String,
    #[serde(default)]
    pub layout: SectionLayout,
    #[serde(default)]
    pub field: Vec<TemplateField>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatesFile {
    pub state: Vec<StateFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StateFile {
    pub code: Jurisdiction,
    pub status: EffortStatus,
    pub since: Option<String>,
    pub text: String,
    pub checked: CertaintyNote,
    pub source: Vec<SourceRef>,
}
