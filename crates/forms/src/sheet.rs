//! The pages of a form.

use bordereau_pdf::{BODY, BOLD, Column, Flow, Fonts, Ink, LABEL, Paper, SMALL, Style, WIDTH};

use crate::data::{FormData, PARTS, part};
use crate::fill::part_label;
use crate::template::{Block, Field, FieldKind, Level, Template};

const GAP: f32 = 16.0;
const HALF: f32 = (WIDTH - GAP) / 2.0;
const FIRST: Column = Column::left(0.0, HALF);
const SECOND: Column = Column::left(HALF + GAP, HALF);
const WHOLE: Column = Column::left(0.0, WIDTH);
/// Room a label, a line of text and its rule take.
const FIELD_HEIGHT: f32 = 30.0;
/// Rows of the empty table where no number of declinations is known.
const BLANK_ROWS: usize = 3;

/// Number, carrier, NAIC, contact, date, reason.
const TABLE: [Column; 6] = [
    Column::left(0.0, 14.0),
    Column::left(16.0, 124.0),
    Column::left(146.0, 36.0),
    Column::left(188.0, 118.0),
    Column::left(312.0, 54.0),
    Column::left(372.0, WIDTH - 372.0),
];

/// Lays the form out, filled or blank.
pub(crate) fn lay_out(fonts: &Fonts, template: &Template, data: Option<&FormData>, mark: &str) -> Paper {
    let mut flow = Flow::new(fonts);
    head(&mut flow, template, mark);
    for section in &template.sections {
        flow.heading(&section.title);
        for text in &section.text {
            flow.paragraph(text, BODY);
            flow.space(4.0);
        }
        match &section.block {
            Block::Fields(fields) => self::fields(&mut flow, fields, data),
            Block::Declinations => declinations(&mut flow, template, data),
            Block::Signatures { signers, notary } => signatures(&mut flow, signers, *notary),
        }
    }
    flow.finished(&foot(template))
}

fn head(flow: &mut Flow<'_>, template: &Template, mark: &str) {
    flow.paragraph(template.state.title(), BOLD);
    flow.space(2.0);
    flow.title(&template.title);
    flow.space(4.0);
    if !mark.is_empty() {
        flow.band(mark);
    }
    let text = format!(
        "Data prepared for: {}. These pages are in Bordereau's own words and are not the state's form: where \
         the state prescribes a form, copy the data to it.",
        template.prepares
    );
    flow.paragraph(&text, SMALL);
    let facts = [
        ("Exempt", &template.exemptions),
        ("Due", &template.due),
        ("Declinations", &template.declinations_text),
    ];
    for (label, text) in facts.into_iter().filter(|(_, text)| !text.is_empty()) {
        flow.paragraph(&format!("{label}: {text}"), SMALL);
    }
}

fn foot(template: &Template) -> String {
    let unsure = if template.checked.level == Level::Confirmed { "" } else { "NOT CONFIRMED: " };
    let sources: Vec<&str> = template.sources.iter().map(|source| source.title.as_str()).collect();
    format!(
        "{} {}. Source: {}. {unsure}{}.",
        template.state.code(),
        template.code,
        sources.join(", "),
        template.checked.text.trim_end_matches('.')
    )
}

fn fields(flow: &mut Flow<'_>, fields: &[Field], data: Option<&FormData>) {
    let mut rest = fields;
    while let Some((field, after)) = rest.split_first() {
        rest = after;
        if field.kind == FieldKind::YesNo {
            choice(flow, field, data);
            continue;
        }
        match rest.split_first() {
            Some((beside, after)) if field.half && beside.half && beside.kind != FieldKind::YesNo => {
                rest = after;
                pair(flow, &[(FIRST, field), (SECOND, beside)], data);
            }
            _ => pair(flow, &[(if field.half { FIRST } else { WHOLE }, field)], data),
        }
    }
}

/// Fields side by side: labels, their text, a line below.
fn pair(flow: &mut Flow<'_>, cells: &[(Column, &Field)], data: Option<&FormData>) {
    flow.keep_together(FIELD_HEIGHT);
    let labels: Vec<(Column, &str, Style)> =
        cells.iter().map(|(column, field)| (*column, field.label.as_str(), LABEL)).collect();
    flow.row(&labels);
    let said: Vec<(String, Style)> = cells.iter().map(|(_, field)| shown(field, data)).collect();
    let values: Vec<(Column, &str, Style)> = cells
        .iter()
        .zip(&said)
        .map(|((column, _), (text, style))| (*column, text.as_str(), *style))
        .collect();
    flow.row(&values);
    for (at, (column, _)) in cells.iter().enumerate() {
        if at > 0 {
            flow.space(-4.0);
        }
        flow.writing_line(*column);
    }
}

/// An empty text would take no room: a line is to be written on.
fn shown(field: &Field, data: Option<&FormData>) -> (String, Style) {
    let Some(data) = data else { return ("\u{a0}".into(), BODY) };
    let value = data.value(&field.name);
    if value.is_empty() {
        let text = if field.required { "missing" } else { "\u{a0}" };
        return (text.into(), Style { ink: Ink::Alert, ..SMALL });
    }
    (value.to_owned(), BODY)
}

fn choice(flow: &mut Flow<'_>, field: &Field, data: Option<&FormData>) {
    let value = data.map_or("", |data| data.value(&field.name));
    let missing = data.is_some() && field.required && value.is_empty();
    let remark = match value {
        "no" => " (no)",
        _ if missing => " (missing)",
        _ => "",
    };
    flow.tick(value == "yes", &format!("{}{remark}", field.label));
    flow.space(2.0);
}

fn declinations(flow: &mut Flow<'_>, template: &Template, data: Option<&FormData>) {
    let headings: Vec<(Column, &str, Style)> = TABLE
        .iter()
        .zip(std::iter::once("").chain(PARTS.into_iter().map(part_label)))
        .map(|(column, heading)| (*column, heading, LABEL))
        .collect();
    flow.row(&headings);
    flow.rule(0.5, Ink::Rule);
    let style = Style { size: 8.5, ..BODY };
    let mut rows = 0;
    for (_, declination) in data.iter().flat_map(|data| data.declinations()) {
        rows += 1;
        let number = rows.to_string();
        let texts =
            std::iter::once(number.as_str()).chain(PARTS.into_iter().map(|name| part(declination, name)));
        let cells: Vec<(Column, &str, Style)> =
            TABLE.iter().zip(texts).map(|(column, text)| (*column, text, style)).collect();
        flow.row(&cells);
        flow.rule(0.3, Ink::Rule);
    }
    let asked = data.map_or_else(|| template.declinations.unwrap_or(BLANK_ROWS), |data| template.asked(data));
    for number in rows + 1..=asked {
        let number = number.to_string();
        flow.row(&[(TABLE[0], &number, style)]);
        flow.space(6.0);
        flow.rule(0.3, Ink::Rule);
    }
}

fn signatures(flow: &mut Flow<'_>, signers: &[String], notary: bool) {
    for signer in signers {
        flow.keep_together(96.0);
        flow.paragraph(signer, BOLD);
        lines(flow, "Signature", "Date");
        lines(flow, "Name in print", "Title or license number");
        flow.space(6.0);
    }
    if notary {
        flow.keep_together(96.0);
        flow.paragraph("Sworn before me", BOLD);
        lines(flow, "Notary public", "Date");
        lines(flow, "State and county", "Commission expires");
    }
}

/// Two lines to write on, each with what belongs there below it.
fn lines(flow: &mut Flow<'_>, first: &str, second: &str) {
    flow.space(22.0);
    flow.writing_line(FIRST);
    flow.space(-4.0);
    flow.writing_line(SECOND);
    flow.row(&[(FIRST, first, LABEL), (SECOND, second, LABEL)]);
}
