//! The answer of the built-in rules as the window shows it.

use bordereau_contract::{Charge, StateDocument};
use bordereau_tax::{
    ChargeTrace, FieldTitles, NoteLevel, Quote, QuoteInput, QuoteNote, RiskDetails, RuleSource, StampWording,
};

use super::{document_filter, html};
use bordereau_api::{
    AnsweredBy, ChargeView, DocumentView, FieldAmount, NoteSeverity, NoteView, QuoteAnswer, QuoteDetails,
    SourceRef, StampView, rules_name,
};
use bordereau_contract::format_percent;

/// The title of a charge in this state by the rules.
pub(super) fn field_title(titles: &FieldTitles, charge: Charge) -> String {
    let title = titles.of(charge);
    if title.trim().is_empty() { charge.title().to_owned() } else { title.to_owned() }
}

/// The charges that the answer lists; the fees of the question have places of their own.
pub(super) fn listed_charges() -> impl Iterator<Item = Charge> {
    Charge::ALL.into_iter().filter(|charge| !charge.is_asked())
}

/// When and how an answer is made.
pub(super) struct AnswerStamp {
    pub(super) at: String,
    pub(super) rules_version: String,
    pub(super) rules_from_pack: bool,
    pub(super) answer_id: String,
}

impl AnswerStamp {
    /// The rules in words.
    pub(super) fn rules_name(&self) -> String {
        rules_name(self.rules_from_pack, &self.rules_version)
    }
}

/// The estimate.
pub(super) fn build_answer(quote: &Quote, input: &QuoteInput, made: AnswerStamp) -> QuoteAnswer {
    let fields = field_amounts(quote);
    QuoteAnswer {
        by: AnsweredBy::Estimate,
        at: made.at,
        profile: String::new(),
        state: input.state.code().into(),
        state_name: input.state.title().into(),
        transaction_type: input.transaction_type.code().into(),
        premium: quote.amounts.premium.to_string(),
        agency_fee: quote.amounts.of(Charge::AgencyFee).to_string(),
        inspection_fee: quote.amounts.of(Charge::InspectionFee).to_string(),
        agency_fee_taxed: quote.agency_fee_taxable,
        inspection_fee_taxed: quote.inspection_fee_taxable,
        details: quote_details(&input.details),
        taxes: Charge::sum_taxes(|charge| quote.amounts.charges.get(charge)).unwrap_or_default().to_string(),
        total: quote.total.to_string(),
        missing_amounts: missing_titles(quote),
        charges: charge_views(quote),
        differences: Vec::new(),
        rules: Vec::new(),
        notes: note_views(quote),
        stamps: quote.stamps.iter().map(stamp_view).collect(),
        documents: document_views(
            quote.documents.iter().map(|document| -> &StateDocument { document }),
            None,
            false,
        ),
        fields,
        took_ms: None,
        answer_id: made.answer_id,
        rules_version: made.rules_version,
        rules_from_pack: made.rules_from_pack,
    }
}

/// What was taken of the questions that only some states ask.
pub(super) fn quote_details(details: &RiskDetails) -> QuoteDetails {
    QuoteDetails {
        fee_charged_by: details.fee_charged_by.map(|who| who.code().into()).unwrap_or_default(),
        occupancy: details.occupancy.map(|how| how.code().into()).unwrap_or_default(),
        assessment_rate: details
            .assessment_rate
            .map(|rate| rate.to_percent().to_string())
            .unwrap_or_default(),
    }
}

fn field_amounts(quote: &Quote) -> Vec<FieldAmount> {
    let shown = |charge: Charge| {
        let amount = quote.amounts.charges.get(charge)?;
        let charged = quote.charges.iter().any(|trace| trace.field == charge);
        Some(FieldAmount {
            field: charge.name().into(),
            title: field_title(&quote.titles, charge),
            plain_title: charge.title().into(),
            amount: amount.to_string(),
            idle: amount.is_zero() && !charged,
        })
    };
    listed_charges().filter_map(shown).collect()
}

/// Titles of the charges that may be due and have no amount here.
fn missing_titles(quote: &Quote) -> Vec<String> {
    let title_of = |note: &QuoteNote| match &*note.code {
        // As the rules write it: the charge's title before the colon.
        "no_rate_in_force" => note.text.split_once(": ").map(|(title, _)| title.to_owned()),
        "local_tax_not_found" | "local_city_not_found" | "local_rate_not_found" => {
            Some(field_title(&quote.titles, Charge::MunicipalFee))
        }
        _ => None,
    };
    let mut titles: Vec<String> = quote.notes.iter().filter_map(|note| title_of(note)).collect();
    titles.dedup();
    titles
}

/// Every charge explained.
pub(super) fn charge_views(quote: &Quote) -> Vec<ChargeView> {
    quote.charges.iter().map(charge_view).collect()
}

fn charge_view(charge: &ChargeTrace) -> ChargeView {
    ChargeView {
        field: charge.field.name().into(),
        kind: charge.kind.to_string(),
        title: charge.title.to_string(),
        on: charge.basis.summary_text(),
        rate: charge.rate.map_or_else(|| "flat".to_owned(), format_percent),
        amount: charge.amount.to_string(),
        explanation: charge.explanation.to_string(),
        from: charge.from.map(|date| date.to_string()),
        until: charge.until.map(|date| date.to_string()),
        dated_by: charge.dated_by.to_string(),
        lines: charge.lines.iter().map(ToString::to_string).collect(),
        sources: charge.sources.iter().map(source_ref).collect(),
        sureness: charge.checked.level,
        checked: charge.checked.text.to_string(),
        note: charge.note.as_ref().map(ToString::to_string),
    }
}

/// Where a rule is from, as it is shown.
pub fn source_ref(source: &RuleSource) -> SourceRef {
    SourceRef { title: source.title.to_string(), url: source.url.to_string() }
}

/// Notes, warnings first.
pub(super) fn note_views(quote: &Quote) -> Vec<NoteView> {
    let mut notes: Vec<NoteView> = quote
        .notes
        .iter()
        .map(|note| NoteView {
            severity: match note.level {
                NoteLevel::Info => NoteSeverity::Info,
                NoteLevel::Warning => NoteSeverity::Warning,
            },
            topic: topic_title(&note.code),
            html: html::from_plain(&note.text),
            source: note.source.as_ref().map(source_ref),
        })
        .collect();
    warnings_first(&mut notes);
    notes
}

pub(super) fn warnings_first(notes: &mut [NoteView]) {
    notes.sort_by_key(|note| note.severity == NoteSeverity::Info);
}

/// `outside_kept_years` as people read it: `Outside kept years`.
fn topic_title(code: &str) -> String {
    bordereau_session::failure::capitalize_first(&code.replace('_', " "))
}

fn stamp_view(wording: &StampWording) -> StampView {
    StampView {
        html: html::from_plain(&wording.text),
        text: wording.text.to_string(),
        instructions: wording.instructions.as_ref().map(ToString::to_string),
        font_size: wording.font_size,
        bold: wording.bold,
        italic: wording.italics,
        color: wording.color.as_ref().map(ToString::to_string),
        format: format_description(
            wording.font_size,
            wording.bold,
            wording.italics,
            wording.color.as_deref(),
        ),
    }
}

/// `12 pt bold black`; empty where the state says nothing.
pub(super) fn format_description(size: Option<u32>, bold: bool, italic: bool, color: Option<&str>) -> String {
    let parts = [
        size.map(|points| format!("{points} pt")),
        bold.then(|| "bold".to_owned()),
        italic.then(|| "italic".to_owned()),
        color.map(str::trim).filter(|color| !color.is_empty()).map(str::to_owned),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Documents with keys that are the same in the next answer to the same question.
pub(super) fn document_views<'a>(
    documents: impl Iterator<Item = &'a StateDocument>,
    asked: Option<&QuoteInput>,
    with_links: bool,
) -> Vec<DocumentView> {
    let mut views: Vec<DocumentView> = Vec::new();
    for document in documents {
        let key = key_of(document);
        let again =
            views.iter().filter(|view| view.key == key || view.key.starts_with(&format!("{key}#"))).count();
        let key = if again == 0 { key } else { format!("{key}#{}", again + 1) };
        let left_out = asked.and_then(|asked| document_filter::exclusion_reason(document, asked));
        views.push(document_view(document, key, left_out, with_links));
    }
    views
}

pub(super) fn key_of(document: &StateDocument) -> String {
    format!("{}|{}", document.code, document.name)
}

fn document_view(
    document: &StateDocument,
    key: String,
    left_out: Option<String>,
    with_links: bool,
) -> DocumentView {
    let said = |text: &Option<String>| text.as_deref().map(html::plain_text).filter(|text| !text.is_empty());
    DocumentView {
        key,
        name: html::plain_text(&document.name),
        code: document.code.clone(),
        group: document.document_group.clone(),
        note: said(&document.document_note),
        required_for_binding: document.required_for_binding,
        required_for_filing: document.required_for_filing,
        keep_on_hand: document.keep_on_hand,
        include_with_policy: document.include_with_policy,
        upload_required: document.upload_required,
        signature: said(&document.signature_requirements),
        downloadable: with_links
            && document.document_download_link.as_ref().is_some_and(|link| !link.is_empty()),
        include_in_diligent_effort: document.include_in_diligent_effort,
        transaction_types: document_filter::type_codes(document),
        active_from: said(&document.date_active_from),
        active_until: said(&document.date_active_to),
        edited_at: said(&document.last_edited_at),
        conditions: document_filter::conditions(document),
        left_out,
    }
}
