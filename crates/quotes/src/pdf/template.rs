//! The template of the client's sheet: data that an agency can change.

use bordereau_api::{QuoteAnswer, QuoteRequest};
use bordereau_contract::format_money_text;
use serde::Deserialize;

/// The template that comes with the program.
pub(super) const BUILT_IN: &str = include_str!("../../data/sheet.toml");

/// Bytes of a template.
const TEXT_MAX: usize = 20_000;
/// Sections of a template.
const SECTIONS_MAX: usize = 40;

/// What is on the sheet, from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetTemplate {
    /// Title of the sheet.
    pub(super) title: String,
    /// The sections in their order.
    #[serde(rename = "section")]
    pub(super) sections: Vec<TemplateSection>,
}

/// One section.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TemplateSection {
    /// What it shows.
    pub show: SectionKind,
    /// Its heading; empty for none.
    #[serde(default)]
    pub title: String,
    /// The text of a text section.
    #[serde(default)]
    pub text: String,
}

/// What a section shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SectionKind {
    Policy,
    Lines,
    Amounts,
    Installments,
    SubjectTo,
    Stamp,
    Documents,
    Notes,
    Explanations,
    Text,
}

impl SheetTemplate {
    /// Reads a template; says where it is wrong.
    pub(super) fn read(text: &str) -> Result<SheetTemplate, String> {
        if text.len() > TEXT_MAX {
            return Err(format!("The template is longer than {TEXT_MAX} characters. Shorten it."));
        }
        let template: SheetTemplate = toml::from_str(text).map_err(|error| error.to_string())?;
        if template.sections.len() > SECTIONS_MAX {
            return Err(format!("The template has more than {SECTIONS_MAX} sections."));
        }
        Ok(template)
    }
}

impl Default for SheetTemplate {
    /// The built-in one.
    fn default() -> SheetTemplate {
        SheetTemplate::read(BUILT_IN)
            .unwrap_or_else(|_| SheetTemplate { title: String::new(), sections: Vec::new() })
    }
}

/// A text of the template with what the quote says in place of its names.
pub(super) fn fill_text(text: &str, request: &QuoteRequest, answer: &QuoteAnswer) -> String {
    text.replace("{state}", &answer.state_name)
        .replace("{insured}", request.insured.trim())
        .replace("{carrier}", request.sheet.carrier.trim())
        .replace("{total}", &format_money_text(&answer.total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_template_is_read_and_a_wrong_one_says_where() {
        assert_eq!(SheetTemplate::read(BUILT_IN), Ok(SheetTemplate::default()));
        assert!(SheetTemplate::default().sections.len() >= 7);
        let wrong = SheetTemplate::read("title = \"x\"\n[[section]]\nshow = \"logo\"").unwrap_err();
        assert!(wrong.contains("line 3"), "{wrong}");
        assert!(SheetTemplate::read("title = \"x\"\nfont = 3").is_err());
        assert!(SheetTemplate::read(&"#".repeat(TEXT_MAX + 1)).is_err());
    }
}
