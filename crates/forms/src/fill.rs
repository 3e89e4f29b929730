//! A form filled: what is missing, and its pages.

use bordereau_pdf::{Fonts, Paper, pdf};

use crate::acroform::{self, AcroFormError};
use crate::check::unfit;
use crate::data::{FormData, PARTS, part};
use crate::sheet;
use crate::template::{FieldKind, Template};

/// What every form says at its head that the practice service filled.
pub const PRACTICE_MARK: &str = "Form of the practice service: practice with it, do not file it.";

/// Something the form is incomplete without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Its name: `insured_name`, `declinations` or `declinations/1/date`.
    pub name: String,
    /// What to tell the person.
    pub label: String,
}

/// A filled form.
#[derive(Clone, Debug)]
pub struct Filled {
    /// What is missing; complete where it is empty.
    pub missing: Vec<Missing>,
    /// The PDF.
    pub pdf: Vec<u8>,
    /// Its pages as they were laid out; `None` for an agency's own PDF.
    pub paper: Option<Paper>,
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

impl Template {
    /// How many declinations are asked for, as things stand.
    #[must_use]
    pub fn asked(&self, data: &FormData) -> usize {
        if !self.lists_declinations() {
            return 0;
        }
        let says = |name: &str| match data.value(name) {
            "" | "no" => false,
            "yes" => true,
            _ => self.fields().any(|field| field.name == name && field.kind != FieldKind::YesNo),
        };
        let lowered = self.fewer.iter().filter(|(name, _)| says(name)).map(|(_, count)| *count).min();
        // Where no number was found, a search that names nobody is still no search.
        lowered.unwrap_or_else(|| self.declinations.unwrap_or(1))
    }

    /// Everything the form is incomplete without.
    #[must_use]
    pub fn missing(&self, data: &FormData) -> Vec<Missing> {
        let empty = self.fields().filter(|field| field.required && data.value(&field.name).is_empty());
        let mut missing: Vec<Missing> =
            empty.map(|field| Missing { name: field.name.clone(), label: field.label.clone() }).collect();
        if !self.lists_declinations() {
            return missing;
        }
        let unfit = unfit(data, None);
        let mut counted = 0;
        for (at, declination) in data.declinations() {
            counted += usize::from(!unfit.iter().any(|unfit| unfit.at == at));
            for name in PARTS.into_iter().filter(|name| part(declination, name).is_empty()) {
                let label = format!("{} of declination {}", part_label(name), at + 1);
                missing.push(Missing { name: format!("declinations/{at}/{name}"), label });
            }
        }
        let asked = self.asked(data);
        if counted < asked {
            let words = if asked == 1 { "declination" } else { "declinations" };
            let label = format!("{asked} {words} of different carriers in time; {counted} can be counted");
            missing.push(Missing { name: "declinations".into(), label });
        }
        missing
    }

    /// Fills the form. `mark` is a line at the head of our own pages, such as that it is practice; empty for
    /// none. `own_pdf` is the agency's file where the template names one.
    ///
    /// # Errors
    /// [`FillError`].
    pub fn fill(&self, data: &FormData, mark: &str, own_pdf: Option<&[u8]>) -> Result<Filled, FillError> {
        let missing = self.missing(data);
        if let Some(own) = &self.own_pdf {
            let bytes = own_pdf.ok_or_else(|| FillError::OwnPdfMissing(own.file.clone()))?;
            let pdf = acroform::fill(bytes, &own.fields, data)?;
            return Ok(Filled { missing, pdf, paper: None });
        }
        let fonts = Fonts::embedded().ok_or(FillError::Pages)?;
        let paper = sheet::lay_out(&fonts, self, Some(data), mark);
        let pdf = pdf(&fonts, &paper, &self.title_with_state()).ok_or(FillError::Pages)?;
        Ok(Filled { missing, pdf, paper: Some(paper) })
    }

    /// The form with nothing filled in.
    ///
    /// # Errors
    /// [`FillError::Pages`].
    pub fn blank(&self, mark: &str) -> Result<Vec<u8>, FillError> {
        let fonts = Fonts::embedded().ok_or(FillError::Pages)?;
        let paper = sheet::lay_out(&fonts, self, None, mark);
        pdf(&fonts, &paper, &self.title_with_state()).ok_or(FillError::Pages)
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
