//! The blank form of a state's document, as a PDF.

use bordereau_forms::{FormBook, PRACTICE_MARK};
use bordereau_pdf::{BODY, FontSet, LABEL, PageFlow, RowColumn, SMALL, WIDTH, render_pdf};

/// The blank form of a state's document: its own where there is a template, otherwise its name and fields to
/// fill in. `None` when the pages cannot be made.
pub(crate) fn form_pdf(state: &str, code: &str, name: &str) -> Option<Vec<u8>> {
    let own =
        |template: &&bordereau_forms::FormTemplate| template.state.code() == state && template.code == code;
    // Of several versions the newest comes last.
    if let Some(template) = FormBook::builtin().templates().iter().rfind(own) {
        return template.blank_form(PRACTICE_MARK).ok();
    }
    let fonts = FontSet::embedded()?;
    let mut flow = PageFlow::new(&fonts);
    flow.add_title(name);
    flow.add_space(4.0);
    flow.add_paragraph(&format!("{state}   document code {code}"), BODY);
    flow.add_space(8.0);
    flow.add_band(PRACTICE_MARK);
    flow.add_space(8.0);
    flow.add_paragraph("It replaces the state's own form.", SMALL);
    let labels =
        ["Named insured", "Policy number", "Policy period", "Insurer(s)", "Producer", "Date", "Signature"];
    for label in labels {
        flow.add_space(22.0);
        flow.add_row(&[(RowColumn::left_aligned(0.0, 110.0), label, LABEL)]);
        flow.writing_line(RowColumn::left_aligned(116.0, WIDTH - 116.0));
    }
    render_pdf(&fonts, &flow.finish_pages(PRACTICE_MARK), name)
}
