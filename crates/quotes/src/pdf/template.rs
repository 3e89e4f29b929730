//! The template of the client's sheet: data that an agency can change.

use bordereau_api::{QuoteAnswer, QuoteRequest, SheetSection, SheetSectionKind, SheetTemplate};
use bordereau_contract::format_money_text;

/// The template that comes with the program.
pub(super) const BUILT_IN: &str = include_str!("../../data/sheet.toml");

/// Bytes of a template.
const TEXT_MAX: usize = 20_000;
/// Sections of a template.
const SECTIONS_MAX: usize = 40;

/// What the built-in template leaves out, with the usual headings.
const NOT_BUILT_IN: [(SheetSectionKind, &str); 2] =
    [(SheetSectionKind::Notes, "Notes"), (SheetSectionKind::Explanations, "How each number came")];

/// Reads a template; says where it is wrong.
pub(super) fn read_template(text: &str) -> Result<SheetTemplate, String> {
    if text.len() > TEXT_MAX {
        return Err(format!("The template is longer than {TEXT_MAX} characters. Shorten it."));
    }
    let template: SheetTemplate = toml::from_str(text).map_err(|error| error.to_string())?;
    if template.section.len() > SECTIONS_MAX {
        return Err(format!("The template has more than {SECTIONS_MAX} sections."));
    }
    Ok(template)
}

/// The template as TOML, with the explanation that the built-in one begins with.
pub(super) fn write_template(template: &SheetTemplate) -> String {
    let mut lines: Vec<String> =
        BUILT_IN.lines().take_while(|line| line.starts_with('#')).map(str::to_owned).collect();
    lines.push(format!("title = {}", toml_string(&template.title)));
    if template.section.is_empty() {
        lines.push("section = []".to_owned());
    }
    for section in &template.section {
        lines.extend([String::new(), "[[section]]".to_owned()]);
        lines.extend(serde_json::to_string(&section.show).map(|kind| format!("show = {kind}")));
        let texts = [("title", &section.title), ("text", &section.text)];
        let given = texts.into_iter().filter(|(_, text)| !text.is_empty());
        lines.extend(given.map(|(name, text)| format!("{name} = {}", toml_string(text))));
    }
    lines.join("\n") + "\n"
}

/// TOML escapes as JSON does, and the one control character that JSON lets stand.
fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// The kinds of section that a template doesn't have.
pub(super) fn excluded_sections(template: &SheetTemplate) -> Vec<SheetSection> {
    let more =
        NOT_BUILT_IN.map(|(show, title)| SheetSection { show, title: title.into(), text: String::new() });
    let all = built_in_template().section.into_iter().chain(more);
    all.filter(|known| template.section.iter().all(|own| own.show != known.show)).collect()
}

/// The template that comes with the program.
pub(super) fn built_in_template() -> SheetTemplate {
    read_template(BUILT_IN).unwrap_or_else(|_| SheetTemplate { title: String::new(), section: Vec::new() })
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
        assert_eq!(read_template(BUILT_IN), Ok(built_in_template()));
        assert!(built_in_template().section.len() >= 7);
        let wrong = read_template("title = \"x\"\n[[section]]\nshow = \"logo\"").unwrap_err();
        assert!(wrong.contains("line 3"), "{wrong}");
        assert!(read_template("title = \"x\"\nfont = 3").is_err());
        assert!(read_template(&"#".repeat(TEXT_MAX + 1)).is_err());
    }

    #[test]
    fn a_template_that_is_written_reads_as_it_was() {
        assert_eq!(write_template(&built_in_template()), BUILT_IN, "the built-in one to the letter");
        let odd = "\"Quoted\" \\ {insured}\n'''three''' \"\"\" \u{1}\u{7f}é";
        let section = |title: &str| SheetSection {
            show: SheetSectionKind::Text,
            title: title.into(),
            text: format!("{title}\n# [[section]]\n"),
        };
        for sections in [vec![section(odd), section(""), section("=")], Vec::new()] {
            let template = SheetTemplate { title: odd.into(), section: sections };
            assert_eq!(read_template(&write_template(&template)), Ok(template));
        }
    }

    #[test]
    fn what_is_left_out_is_each_kind_once_and_no_text() {
        let kinds = |text: &str| {
            let sections = excluded_sections(&read_template(text).unwrap());
            sections.into_iter().map(|section| section.show).collect::<Vec<_>>()
        };
        assert_eq!(kinds(BUILT_IN), [SheetSectionKind::Notes, SheetSectionKind::Explanations]);
        assert_eq!(kinds("title = \"x\"\nsection = []").len(), 9);
    }
}
