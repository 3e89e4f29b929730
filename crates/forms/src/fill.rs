//! A form filled: what is missing, and its pages.

use bordereau_pdf::{FontSet, LaidOutPages, render_pdf};

use crate::acroform::{AcroFormError, PdfFieldValue, fill_own_pdf};
use crate::check::find_unfit;
use crate::data::{FormData, PARTS, declination_part};
use crate::sheet;
use crate::template::{FieldKind, FormTemplate, MappedField};

/// What every form says at its head that the practice service filled.
pub const PRACTICE_MARK: &str = "Form of the practice service: practice with it, do not file it.";

/// Something the form is incomplete without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingField {
    /// Its name: `insured_name`, `declinations` or `declinations/1/date`.
    pub name: String,
    /// What to tell the person.
    pub label: String,
}

/// A filled form.
#[derive(Clone, Debug)]
pub struct CompletedForm {
    /// What is missing; complete where it is empty.
    pub missing: Vec<MissingField>,
    /// The PDF.
    pub pdf: Vec<u8>,
    /// Its pages as they were laid out; `None` for an agency's own PDF.
    pub paper: Option<LaidOutPages>,
}

/// Why a form cannot be filled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FillError {
    /// The embedded typeface or the PDF library failed.
    #[error("the pages could not be made")]
    Pages,
    /// The template wants an agency's own PDF and none was given.
    #[error("the form {0} is an agency's own PDF, and that file is not there")]
    OwnPdfMissing(String),
    /// The agency's own PDF.
    #[error(transparent)]
    AcroForm(#[from] AcroFormError),
}

impl FormTemplate {
    /// How many declinations are asked for, as things stand.
    pub fn declinations_required(&self, data: &FormData) -> usize {
        if !self.lists_declinations() {
            return 0;
        }
        let says = |name: &str| match data.field_value(name) {
            "" | "no" => false,
            "yes" => true,
            _ => self.fields().any(|field| field.name == name && field.kind != FieldKind::YesNo),
        };
        let lowered = self.fewer.iter().filter(|(name, _)| says(name)).map(|(_, count)| *count).min();
        // Where no number was found, a search that names nobody is still no search.
        lowered.unwrap_or_else(|| self.declinations.unwrap_or(1))
    }

    /// Everything the form is incomplete without.
    pub fn missing_fields(&self, data: &FormData) -> Vec<MissingField> {
        let empty = self.fields().filter(|field| field.required && data.field_value(&field.name).is_empty());
        let mut missing: Vec<MissingField> = empty
            .map(|field| MissingField { name: field.name.clone(), label: field.label.clone() })
            .collect();
        if !self.lists_declinations() {
            return missing;
        }
        let unfit = find_unfit(data, None);
        let mut counted = 0;
        for (at, declination) in data.declinations() {
            counted += usize::from(!unfit.iter().any(|unfit| unfit.at == at));
            for name in PARTS.into_iter().filter(|name| declination_part(declination, name).is_empty()) {
                let label = format!("{} of declination {}", part_label(name), at + 1);
                missing.push(MissingField { name: format!("declinations/{at}/{name}"), label });
            }
        }
        let asked = self.declinations_required(data);
        if counted < asked {
            let words = if asked == 1 { "declination" } else { "declinations" };
            let label = format!("{asked} {words} of different carriers in time; {counted} can be counted");
            missing.push(MissingField { name: "declinations".into(), label });
        }
        missing
    }

    /// Fills the form. `mark` is a line at the head of our own pages, such as that it is practice; empty for
    /// none. `own_pdf` is the agency's file where the template names one.
    pub fn fill_form(
        &self,
        data: &FormData,
        mark: &str,
        own_pdf: Option<&[u8]>,
    ) -> Result<CompletedForm, FillError> {
        self.fill_form_with(data, mark, own_pdf, fill_own_pdf)
    }

    /// As [`FormTemplate::fill_form`]; the agency's PDF is filled by what is given, such as another process.
    ///
    /// # Errors
    /// [`FillError`].
    pub fn fill_form_with(
        &self,
        data: &FormData,
        mark: &str,
        own_pdf: Option<&[u8]>,
        fill: impl FnOnce(&[u8], &[PdfFieldValue]) -> Result<Vec<u8>, AcroFormError>,
    ) -> Result<CompletedForm, FillError> {
        let missing = self.missing_fields(data);
        if let Some(own) = &self.own_pdf {
            let bytes = own_pdf.ok_or_else(|| FillError::OwnPdfMissing(own.file.clone()))?;
            let value = |field: &MappedField| PdfFieldValue {
                field: field.pdf.clone(),
                value: data.value_at(&field.from).unwrap_or_default().to_owned(),
                when: field.when.clone(),
            };
            let values: Vec<PdfFieldValue> = own.fields.iter().map(value).collect();
            let pdf = fill(bytes, &values)?;
            return Ok(CompletedForm { missing, pdf, paper: None });
        }
        let fonts = FontSet::embedded().ok_or(FillError::Pages)?;
        let paper = sheet::lay_out(&fonts, self, Some(data), mark);
        let pdf = render_pdf(&fonts, &paper, &self.title_with_state()).ok_or(FillError::Pages)?;
        Ok(CompletedForm { missing, pdf, paper: Some(paper) })
    }

    /// The form with nothing filled in.
    pub fn blank_form(&self, mark: &str) -> Result<Vec<u8>, FillError> {
        let fonts = FontSet::embedded().ok_or(FillError::Pages)?;
        let paper = sheet::lay_out(&fonts, self, None, mark);
        render_pdf(&fonts, &paper, &self.title_with_state()).ok_or(FillError::Pages)
    }

    fn title_with_state(&self) -> String {
        format!("{}, {}", self.title, self.state.title())
    }
}

/// The heading of a part of a declination.
pub(crate) fn part_label(name: &str) -> &'static str {
    match name {
        "carrier" => "Carrier",
        "naic" => "NAIC",
        "contact" => "Contact",
        "date" => "Date",
        _ => "Reason",
    }
}
