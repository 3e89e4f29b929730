//! The blank form of a state's document, as a PDF.

use bordereau_forms::{FormBook, PRACTICE_MARK};
use bordereau_pdf::{BODY, Column, Flow, Fonts, LABEL, SMALL, WIDTH, pdf};

/// The blank form of a state's document: its own where there is a template, otherwise its name and fields to
/// fill in. `None` when the pages cannot be made.
pub(crate) fn form_pdf(state: &str, code: &str, name: &str) -> Option<Vec<u8>> {
    let own = |template: &&bordereau_forms::Template| template.state.code() == state && template.code == code;
    // Of several versions the newest comes last.
    if let Some(template) = FormBook::builtin().templates().iter().rfind(own) {
        return template.blank(PRACTICE_MARK).ok();
    }
    let fonts = Fonts::embedded()?;
    let mut flow = Flow::new(&fonts);
    flow.title(name);
    flow.space(4.0);
    flow.paragraph(&format!("{state}   document code {code}"), BODY);
    flow.space(8.0);
    flow.band(PRACTICE_MARK);
    flow.space(8.0);
    flow.paragraph("It replaces the state's own form.", SMALL);
    let labels =
        ["Named insured", "Policy number", "Policy period", "Insurer(s)", "Producer", "Date", "Signature"];
    for label in labels {
        flow.space(22.0);
        flow.row(&[(Column::left(0.0, 110.0), label, LABEL)]);
        flow.writing_line(Column::left(116.0, WIDTH - 116.0));
    }
    pdf(&fonts, &flow.finished(PRACTICE_MARK), name)
}
