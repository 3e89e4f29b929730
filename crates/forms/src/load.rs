//! From the text of a file to a template, refusing whatever is not complete.

use std::collections::BTreeSet;

use bordereau_contract::{SourceRef, parse_calendar_day};
use chrono::NaiveDate;
use serde::de::DeserializeOwned;

use crate::file::{BlockFile, BlocksFile, SectionFile, SectionLayout, StatesFile, TemplateFile};
use crate::template::{
    CertaintyNote, FieldKind, FormTemplate, OwnPdf, Section, SectionBlock, StateRequirement,
};

/// Bytes of a template file.
pub const TEMPLATE_BYTES_MAX: usize = 256 * 1024;
/// Sections, fields of a section, paragraphs, signers.
const ENTRIES_MAX: usize = 200;
/// Characters of any text in a template.
const TEXT_CHARS_MAX: usize = 4_000;
/// Declinations a form can ask for.
const DECLINATIONS_ASKED_MAX: usize = 20;

/// Why a file is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {why}")]
pub struct FormProblem {
    /// Name of the file.
    pub file: String,
    /// What was found, what is expected.
    pub why: String,
}

/// Reads one kind of file with its problems.
pub(crate) struct TemplateReader<'a> {
    pub file: &'a str,
}

impl TemplateReader<'_> {
    fn fail_with<T>(&self, why: impl Into<String>) -> Result<T, FormProblem> {
        Err(FormProblem { file: self.file.to_owned(), why: why.into() })
    }

    fn parse<T: DeserializeOwned>(&self, text: &str) -> Result<T, FormProblem> {
        if text.len() > TEMPLATE_BYTES_MAX {
            return self.fail_with(format!("the file is larger than {TEMPLATE_BYTES_MAX} bytes"));
        }
        toml::from_str(text).or_else(|error| self.fail_with(error.to_string().trim().to_owned()))
    }

    fn check_sources(&self, sources: &[SourceRef], checked: &CertaintyNote) -> Result<(), FormProblem> {
        let good = |source: &SourceRef| !source.title.trim().is_empty() && source.url.starts_with("http");
        if sources.is_empty() || !sources.iter().all(good) {
            return self.fail_with("a source with title and address is missing");
        }
        if checked.text.trim().is_empty() {
            return self.fail_with("checked has no words");
        }
        Ok(())
    }

    fn read_date(&self, text: Option<&str>) -> Result<Option<NaiveDate>, FormProblem> {
        let Some(text) = text else { return Ok(None) };
        match parse_calendar_day(text) {
            Some(date) => Ok(Some(date)),
            None => self.fail_with(format!("\"{text}\" is not a date such as 2026-01-01")),
        }
    }

    fn require_text(&self, what: &str, text: &str) -> Result<(), FormProblem> {
        if text.trim().is_empty() {
            return self.fail_with(format!("{what} is empty"));
        }
        if text.chars().count() > TEXT_CHARS_MAX {
            return self.fail_with(format!("{what} is longer than {TEXT_CHARS_MAX} characters"));
        }
        Ok(())
    }

    /// The sections that forms share.
    pub(crate) fn read_blocks(&self, text: &str) -> Result<Vec<BlockFile>, FormProblem> {
        Ok(self.parse::<BlocksFile>(text)?.block)
    }

    /// What each state asks for.
    pub(crate) fn read_states(&self, text: &str) -> Result<Vec<StateRequirement>, FormProblem> {
        let file: StatesFile = self.parse(text)?;
        let mut seen = BTreeSet::new();
        file.state
            .into_iter()
            .map(|state| {
                if !seen.insert(state.code) {
                    return self.fail_with(format!("{} is listed twice", state.code));
                }
                self.require_text("text", &state.text)?;
                self.check_sources(&state.source, &state.checked)?;
                Ok(StateRequirement {
                    state: state.code,
                    status: state.status,
                    since: self.read_date(state.since.as_deref())?,
                    text: state.text,
                    sources: state.source,
                    checked: state.checked,
                })
            })
            .collect()
    }

    /// A form.
    pub(crate) fn read_template(
        &self,
        text: &str,
        blocks: &[BlockFile],
    ) -> Result<FormTemplate, FormProblem> {
        let file: TemplateFile = self.parse(text)?;
        self.check_head(&file)?;
        let sections = file
            .section
            .into_iter()
            .map(|section| self.read_section(section, blocks))
            .collect::<Result<_, _>>()?;
        let own_pdf = match file.own_pdf {
            Some(own) if own.file.contains(['/', '\\', ':']) || own.file.starts_with('.') => {
                return self.fail_with("own_pdf: file is a name in the same folder, without a path");
            }
            own => own.map(|own| OwnPdf { file: own.file, fields: own.field }),
        };
        let key = self.file.strip_suffix(".toml").unwrap_or(self.file).to_owned();
        let template = FormTemplate {
            key,
            state: file.state,
            code: file.code,
            title: file.title,
            prepares: file.prepares,
            transactions: file.transactions,
            from: self.read_date(file.from.as_deref())?,
            until: self.read_date(file.until.as_deref())?,
            ecp: file.ecp,
            export_list: file.export_list,
            declinations: file.declinations,
            fewer: file.fewer.into_iter().map(|fewer| (fewer.field, fewer.declinations)).collect(),
            declinations_text: file.declinations_text,
            exemptions: file.exemptions,
            due: file.due,
            sources: file.source,
            checked: file.checked,
            sections,
            own_pdf,
        };
        self.check_consistency(&template)?;
        Ok(template)
    }

    fn check_head(&self, file: &TemplateFile) -> Result<(), FormProblem> {
        self.check_sources(&file.source, &file.checked)?;
        for (what, text) in [("title", &file.title), ("prepares", &file.prepares)] {
            self.require_text(what, text)?;
        }
        let code = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
        if file.code.is_empty() || file.code.len() > 12 || !file.code.chars().all(code) {
            return self.fail_with("code is capital letters, digits and hyphens, at most 12, such as DEF");
        }
        if file.transactions.is_empty() {
            return self.fail_with("transactions names none");
        }
        if file.ecp > 2 || file.export_list > 2 {
            return self.fail_with("ecp and export_list are 0 (no), 1 (only) or 2 (both)");
        }
        if file.declinations.is_some_and(|asked| asked > DECLINATIONS_ASKED_MAX) {
            return self.fail_with(format!("declinations is at most {DECLINATIONS_ASKED_MAX}"));
        }
        if file.section.is_empty() || file.section.len() > ENTRIES_MAX {
            return self.fail_with(format!("1 to {ENTRIES_MAX} sections are expected"));
        }
        Ok(())
    }

    fn read_section(&self, file: SectionFile, blocks: &[BlockFile]) -> Result<Section, FormProblem> {
        if let Some(id) = &file.block {
            let Some(block) = blocks.iter().find(|block| block.id == *id) else {
                return self.fail_with(format!("there is no block \"{id}\""));
            };
            let title = file.title.unwrap_or_else(|| block.title.clone());
            let fields = block.field.iter().cloned().chain(file.field).collect();
            return self.build_section(title, file.text, block.layout, fields, file.signers, file.notary);
        }
        let Some(title) = file.title else { return self.fail_with("a section needs a title or a block") };
        self.build_section(title, file.text, file.layout, file.field, file.signers, file.notary)
    }

    fn build_section(
        &self,
        title: String,
        text: Vec<String>,
        layout: SectionLayout,
        fields: Vec<crate::template::TemplateField>,
        signers: Vec<String>,
        notary: bool,
    ) -> Result<Section, FormProblem> {
        self.require_text("the title of a section", &title)?;
        if text.len() > ENTRIES_MAX || fields.len() > ENTRIES_MAX || signers.len() > ENTRIES_MAX {
            return self.fail_with(format!("section \"{title}\" has more than {ENTRIES_MAX} entries"));
        }
        for paragraph in text.iter().chain(&signers) {
            self.require_text(&format!("a text of section \"{title}\""), paragraph)?;
        }
        let block = match layout {
            SectionLayout::Fields => SectionBlock::Fields(fields),
            SectionLayout::Declinations => SectionBlock::Declinations,
            SectionLayout::Signatures if signers.is_empty() => {
                return self.fail_with(format!("section \"{title}\" names no signers"));
            }
            SectionLayout::Signatures => SectionBlock::Signatures { signers, notary },
        };
        Ok(Section { title, text, block })
    }

    fn check_consistency(&self, template: &FormTemplate) -> Result<(), FormProblem> {
        let mut seen = BTreeSet::new();
        for field in template.fields() {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            if field.name.is_empty() || field.name.len() > 60 || !field.name.chars().all(plain) {
                return self.fail_with(format!(
                    "\"{}\" is no name of a field: write it like insured_name",
                    field.name
                ));
            }
            self.require_text(&format!("the label of {}", field.name), &field.label)?;
            // What a person wrote is read by the name alone, without the form (`data.rs`).
            if (field.kind == FieldKind::Date) != field.name.ends_with("_date") {
                return self.fail_with(format!(
                    "{}: a field is a date if, and only if, its name ends in _date",
                    field.name
                ));
            }
            if !seen.insert(field.name.as_str()) {
                return self.fail_with(format!("the field {} is listed twice", field.name));
            }
        }
        if let Some((field, _)) = template.fewer.iter().find(|(field, _)| !seen.contains(field.as_str())) {
            return self.fail_with(format!("fewer: there is no field {field}"));
        }
        if template.declinations.is_some() && !template.lists_declinations() {
            return self.fail_with("declinations are asked for, but no section lists them");
        }
        if let (Some(from), Some(until)) = (template.from, template.until)
            && until < from
        {
            return self.fail_with("until is before from");
        }
        Ok(())
    }
}
