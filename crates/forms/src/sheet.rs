//! The pages of a form.

use bordereau_contract::Confidence;
use bordereau_pdf::{
    BODY, BOLD, FontSet, InkColor, LABEL, LaidOutPages, PageFlow, RowColumn, SMALL, TextStyle, WIDTH,
};

use crate::data::{FormData, PARTS, declination_part, printed_text};
use crate::fill::part_label;
use crate::template::{FieldKind, FormTemplate, SectionBlock, TemplateField};

const GAP: f32 = 16.0;
const HALF: f32 = (WIDTH - GAP) / 2.0;
const FIRST: RowColumn = RowColumn::left_aligned(0.0, HALF);
const SECOND: RowColumn = RowColumn::left_aligned(HALF + GAP, HALF);
const WHOLE: RowColumn = RowColumn::left_aligned(0.0, WIDTH);
/// Room a label, a line of text and its rule take.
const FIELD_HEIGHT: f32 = 30.0;
/// Rows of the empty table where no number of declinations is known.
const BLANK_ROWS: usize = 3;

/// Number, carrier, NAIC, contact, date, reason.
const TABLE: [RowColumn; 6] = [
    RowColumn::left_aligned(0.0, 14.0),
    RowColumn::left_aligned(16.0, 124.0),
    RowColumn::left_aligned(146.0, 36.0),
    RowColumn::left_aligned(188.0, 118.0),
    RowColumn::left_aligned(312.0, 54.0),
    RowColumn::left_aligned(372.0, WIDTH - 372.0),
];

/// Lays the form out, filled or blank.
pub(crate) fn lay_out(
    fonts: &FontSet,
    template: &FormTemplate,
    data: Option<&FormData>,
    mark: &str,
) -> LaidOutPages {
    let mut flow = PageFlow::new(fonts);
    draw_head(&mut flow, template, mark);
    for section in &template.sections {
        flow.add_heading(&section.title);
        for text in &section.text {
            flow.add_paragraph(text, BODY);
            flow.add_space(4.0);
        }
        match &section.block {
            SectionBlock::Fields(fields) => self::draw_fields(&mut flow, fields, data),
            SectionBlock::Declinations => draw_declinations(&mut flow, template, data),
            SectionBlock::Signatures { signers, notary } => draw_signatures(&mut flow, signers, *notary),
        }
    }
    flow.finish_pages(&foot_text(template))
}

fn draw_head(flow: &mut PageFlow<'_>, template: &FormTemplate, mark: &str) {
    flow.add_paragraph(template.state.title(), BOLD);
    flow.add_space(2.0);
    flow.add_title(&template.title);
    flow.add_space(4.0);
    if !mark.is_empty() {
        flow.add_band(mark);
    }
    let text = format!(
        "Data prepared for: {}. These pages are in Bordereau's own words and are not the state's form: where \
         the state prescribes a form, copy the data to it.",
        template.prepares
    );
    flow.add_paragraph(&text, SMALL);
    let facts = [
        ("Exempt", &template.exemptions),
        ("Due", &template.due),
        ("Declinations", &template.declinations_text),
    ];
    for (label, text) in facts.into_iter().filter(|(_, text)| !text.is_empty()) {
        flow.add_paragraph(&format!("{label}: {text}"), SMALL);
    }
}

fn foot_text(template: &FormTemplate) -> String {
    let unsure = if template.checked.level == Confidence::Confirmed { "" } else { "NOT CONFIRMED: " };
    let sources: Vec<&str> = template.sources.iter().map(|source| source.title.as_str()).collect();
    format!(
        "{} {}. Source: {}. {unsure}{}.",
        template.state.code(),
        template.code,
        sources.join(", "),
        template.checked.text.trim_end_matches('.')
    )
}

fn draw_fields(flow: &mut PageFlow<'_>, fields: &[TemplateField], data: Option<&FormData>) {
    let mut rest = fields;
    while let Some((field, after)) = rest.split_first() {
        rest = after;
        if field.kind == FieldKind::YesNo {
            draw_choice(flow, field, data);
            continue;
        }
        match rest.split_first() {
            Some((beside, after)) if field.half && beside.half && beside.kind != FieldKind::YesNo => {
                rest = after;
                draw_pair(flow, &[(FIRST, field), (SECOND, beside)], data);
            }
            _ => draw_pair(flow, &[(if field.half { FIRST } else { WHOLE }, field)], data),
        }
    }
}

/// Fields side by side: labels, their text, a line below.
fn draw_pair(flow: &mut PageFlow<'_>, cells: &[(RowColumn, &TemplateField)], data: Option<&FormData>) {
    flow.keep_together(FIELD_HEIGHT);
    let labels: Vec<(RowColumn, &str, TextStyle)> =
        cells.iter().map(|(column, field)| (*column, field.label.as_str(), LABEL)).collect();
    flow.add_row(&labels);
    let said: Vec<(String, TextStyle)> = cells.iter().map(|(_, field)| shown_value(field, data)).collect();
    let values: Vec<(RowColumn, &str, TextStyle)> = cells
        .iter()
        .zip(&said)
        .map(|((column, _), (text, style))| (*column, text.as_str(), *style))
        .collect();
    flow.add_row(&values);
    for (at, (column, _)) in cells.iter().enumerate() {
        if at > 0 {
            flow.add_space(-4.0);
        }
        flow.writing_line(*column);
    }
}

/// An empty text would take no room: a line is to be written on.
fn shown_value(field: &TemplateField, data: Option<&FormData>) -> (String, TextStyle) {
    let Some(data) = data else { return ("\u{a0}".into(), BODY) };
    let value = data.field_value(&field.name);
    if value.is_empty() {
        let text = if field.required { "missing" } else { "\u{a0}" };
        return (text.into(), TextStyle { ink: InkColor::Alert, ..SMALL });
    }
    (printed_text(&field.name, value), BODY)
}

fn draw_choice(flow: &mut PageFlow<'_>, field: &TemplateField, data: Option<&FormData>) {
    let value = data.map_or("", |data| data.field_value(&field.name));
    let missing = data.is_some() && field.required && value.is_empty();
    let remark = match value {
        "no" => " (no)",
        _ if missing => " (missing)",
        _ => "",
    };
    flow.add_checkbox(value == "yes", &format!("{}{remark}", field.label));
    flow.add_space(2.0);
}

fn draw_declinations(flow: &mut PageFlow<'_>, template: &FormTemplate, data: Option<&FormData>) {
    let headings: Vec<(RowColumn, &str, TextStyle)> = TABLE
        .iter()
        .zip(std::iter::once("").chain(PARTS.into_iter().map(part_label)))
        .map(|(column, heading)| (*column, heading, LABEL))
        .collect();
    flow.add_row(&headings);
    flow.add_rule(0.5, InkColor::Rule);
    let style = TextStyle { size: 8.5, ..BODY };
    let mut rows = 0;
    for (_, declination) in data.iter().flat_map(|data| data.declinations()) {
        rows += 1;
        let number = rows.to_string();
        let parts = PARTS.map(|name| printed_text(name, declination_part(declination, name)));
        let texts = std::iter::once(number.as_str()).chain(parts.iter().map(String::as_str));
        let cells: Vec<(RowColumn, &str, TextStyle)> =
            TABLE.iter().zip(texts).map(|(column, text)| (*column, text, style)).collect();
        flow.add_row(&cells);
        flow.add_rule(0.3, InkColor::Rule);
    }
    let asked = data.map_or_else(
        || template.declinations.unwrap_or(BLANK_ROWS),
        |data| template.declinations_required(data),
    );
    for number in rows + 1..=asked {
        let number = number.to_string();
        flow.add_row(&[(TABLE[0], &number, style)]);
        flow.add_space(6.0);
        flow.add_rule(0.3, InkColor::Rule);
    }
}

fn draw_signatures(flow: &mut PageFlow<'_>, signers: &[String], notary: bool) {
    for signer in signers {
        flow.keep_together(96.0);
        flow.add_paragraph(signer, BOLD);
        draw_lines(flow, "Signature", "Date");
        draw_lines(flow, "Name in print", "Title or license number");
        flow.add_space(6.0);
    }
    if notary {
        flow.keep_together(96.0);
        flow.add_paragraph("Sworn before me", BOLD);
        draw_lines(flow, "Notary public", "Date");
        draw_lines(flow, "State and county", "Commission expires");
    }
}

/// Two lines to write on, each with what belongs there below it.
fn draw_lines(flow: &mut PageFlow<'_>, first: &str, second: &str) {
    flow.add_space(22.0);
    flow.writing_line(FIRST);
    flow.add_space(-4.0);
    flow.writing_line(SECOND);
    flow.add_row(&[(FIRST, first, LABEL), (SECOND, second, LABEL)]);
}
