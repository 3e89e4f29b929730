//! The answer of the built-in rules as the window shows it.

use bordereau_contract::StateDocument;
use bordereau_money::{Rate, Usd};
use bordereau_tax::{
    Amounts, ChargeTrace, Confidence, Field, Input, NoteLevel, Quote, RiskDetails, Source, StampWording,
    Titles,
};

use super::html;
use bordereau_api::{
    AnsweredBy, ChargeView, DocumentView, FieldAmount, NoteSeverity, NoteView, QuoteAnswer, QuoteDetails,
    SourceRef, StampView, Sureness,
};

/// The fields of the contract in the order they are shown.
pub(super) const FIELDS: [Field; 10] = [
    Field::SlTax,
    Field::StampingFee,
    Field::SlServiceCharge,
    Field::FmTax,
    Field::EmpaTax,
    Field::MunicipalFee,
    Field::CountyFee,
    Field::CollectionFee,
    Field::PremiumTax,
    Field::PremiumTaxLife,
];

/// The contract's name of a field.
pub(super) const fn name(field: Field) -> &'static str {
    match field {
        Field::SlTax => "sl_tax",
        Field::StampingFee => "stamping_fee",
        Field::SlServiceCharge => "sl_service_charge",
        Field::FmTax => "fm_tax",
        Field::EmpaTax => "empa_tax",
        Field::MunicipalFee => "municipal_fee",
        Field::CountyFee => "county_fee",
        Field::CollectionFee => "collection_fee",
        Field::PremiumTax => "premium_tax",
        Field::PremiumTaxLife => "premium_tax_life",
    }
}

/// The plain English title, where neither the service nor the rules give one.
pub(super) const fn plain_title(field: Field) -> &'static str {
    match field {
        Field::SlTax => "Surplus lines tax",
        Field::StampingFee => "Stamping fee",
        Field::SlServiceCharge => "Service charge",
        Field::FmTax => "Fire marshal tax",
        Field::EmpaTax => "EMPA tax",
        Field::MunicipalFee => "Municipal tax",
        Field::CountyFee => "County tax",
        Field::CollectionFee => "Collection fee",
        Field::PremiumTax => "Premium tax",
        Field::PremiumTaxLife => "Premium tax (life)",
    }
}

/// The title of a field in this state by the rules.
pub(super) fn title(titles: &Titles, field: Field) -> String {
    let title = match field {
        Field::SlTax => &titles.sl_tax,
        Field::StampingFee => &titles.stamping_fee,
        Field::SlServiceCharge => &titles.sl_service_charge,
        Field::FmTax => &titles.fm_tax,
        Field::EmpaTax => &titles.empa_tax,
        Field::MunicipalFee => &titles.municipal_fee,
        Field::CountyFee => &titles.county_fee,
        Field::CollectionFee => &titles.collection_fee,
        Field::PremiumTax => &titles.premium_tax,
        Field::PremiumTaxLife => &titles.premium_tax_life,
    };
    if title.trim().is_empty() { plain_title(field).to_owned() } else { title.to_string() }
}

/// The amount on a field; `None` where the state has no such field at all.
pub(super) fn amount(amounts: &Amounts, field: Field) -> Option<Usd> {
    match field {
        Field::SlTax => Some(amounts.sl_tax),
        Field::StampingFee => Some(amounts.stamping_fee),
        Field::SlServiceCharge => Some(amounts.sl_service_charge),
        Field::FmTax => Some(amounts.fm_tax),
        Field::EmpaTax => Some(amounts.empa_tax),
        Field::MunicipalFee => amounts.municipal_fee,
        Field::CountyFee => amounts.county_fee,
        Field::CollectionFee => Some(amounts.collection_fee),
        Field::PremiumTax => amounts.premium_tax,
        Field::PremiumTaxLife => amounts.premium_tax_life,
    }
}

/// When and how an answer is made.
pub(super) struct Made {
    pub(super) at: String,
    pub(super) answer_id: String,
}

/// The estimate.
pub(super) fn answer(quote: &Quote, input: &Input, made: Made) -> QuoteAnswer {
    let fields = fields(quote);
    QuoteAnswer {
        by: AnsweredBy::Estimate,
        at: made.at,
        profile: String::new(),
        state: input.state.code().into(),
        state_name: input.state.title().into(),
        transaction_type: input.transaction_type.code().into(),
        premium: quote.amounts.premium.to_string(),
        agency_fee: quote.amounts.agency_fee.to_string(),
        inspection_fee: quote.amounts.inspection_fee.to_string(),
        agency_fee_taxed: quote.agency_fee_taxable,
        inspection_fee_taxed: quote.inspection_fee_taxable,
        details: details(&input.details),
        taxes: taxes(quote).unwrap_or_default().to_string(),
        total: quote.total.to_string(),
        charges: charges(quote),
        differences: Vec::new(),
        notes: notes(quote),
        stamps: quote.stamps.iter().map(stamp).collect(),
        documents: documents(quote.documents.iter().map(|document| -> &StateDocument { document }), false),
        fields,
        took_ms: None,
        answer_id: made.answer_id,
    }
}

/// What was taken of the questions that only some states ask.
pub(super) fn details(details: &RiskDetails) -> QuoteDetails {
    QuoteDetails {
        fee_charged_by: details.fee_charged_by.map(|who| who.code().into()).unwrap_or_default(),
        occupancy: details.occupancy.map(|how| how.code().into()).unwrap_or_default(),
        assessment_rate: details.assessment_rate.map(|rate| rate.percent().to_string()).unwrap_or_default(),
    }
}

/// The life figure applies instead of the premium tax, not beside it: it is no part of the sum.
fn taxes(quote: &Quote) -> Option<Usd> {
    let counted = FIELDS.iter().filter(|field| !matches!(field, Field::PremiumTaxLife));
    Usd::checked_sum(counted.filter_map(|field| amount(&quote.amounts, *field)))
}

fn fields(quote: &Quote) -> Vec<FieldAmount> {
    let shown = |field: &Field| {
        let amount = amount(&quote.amounts, *field)?;
        let charged = quote.charges.iter().any(|charge| charge.field == *field);
        Some(FieldAmount {
            field: name(*field).into(),
            title: title(&quote.titles, *field),
            amount: amount.to_string(),
            idle: amount.is_zero() && !charged,
        })
    };
    FIELDS.iter().filter_map(shown).collect()
}

/// Every charge explained.
pub(super) fn charges(quote: &Quote) -> Vec<ChargeView> {
    quote.charges.iter().map(charge).collect()
}

fn charge(charge: &ChargeTrace) -> ChargeView {
    ChargeView {
        field: name(charge.field).into(),
        kind: charge.kind.to_string(),
        title: charge.title.to_string(),
        on: charge.basis.brief(),
        rate: charge.rate.map_or_else(|| "flat".to_owned(), percent),
        amount: charge.amount.to_string(),
        explanation: charge.explanation.to_string(),
        from: charge.from.map(|date| date.to_string()),
        until: charge.until.map(|date| date.to_string()),
        dated_by: charge.dated_by.to_string(),
        lines: charge.lines.iter().map(ToString::to_string).collect(),
        sources: charge.sources.iter().map(source).collect(),
        sureness: sureness(charge.checked.level),
        checked: charge.checked.text.to_string(),
        note: charge.note.as_ref().map(ToString::to_string),
    }
}

fn percent(rate: Rate) -> String {
    format!("{} %", rate.percent())
}

/// Where a rule is from, as it is shown.
pub fn source(source: &Source) -> SourceRef {
    SourceRef { title: source.title.to_string(), url: source.url.to_string() }
}

/// How sure a rule is, as it is shown.
pub fn sureness(level: Confidence) -> Sureness {
    match level {
        Confidence::Confirmed => Sureness::Confirmed,
        Confidence::Announced => Sureness::Announced,
        Confidence::Secondary => Sureness::Secondary,
        Confidence::Older => Sureness::Older,
        Confidence::Conflicting => Sureness::Conflicting,
        Confidence::NotFound => Sureness::NotFound,
    }
}

/// Notes, warnings first.
pub(super) fn notes(quote: &Quote) -> Vec<NoteView> {
    let mut notes: Vec<NoteView> = quote
        .notes
        .iter()
        .map(|note| NoteView {
            severity: match note.level {
                NoteLevel::Info => NoteSeverity::Info,
                NoteLevel::Warning => NoteSeverity::Warning,
            },
            topic: topic(&note.code),
            html: html::from_plain(&note.text),
            source: note.source.as_ref().map(source),
        })
        .collect();
    warnings_first(&mut notes);
    notes
}

pub(super) fn warnings_first(notes: &mut [NoteView]) {
    notes.sort_by_key(|note| note.severity == NoteSeverity::Info);
}

/// `outside_kept_years` as people read it: `Outside kept years`.
fn topic(code: &str) -> String {
    bordereau_session::failure::capital(&code.replace('_', " "))
}

fn stamp(wording: &StampWording) -> StampView {
    StampView {
        html: html::from_plain(&wording.text),
        text: wording.text.to_string(),
        instructions: wording.instructions.as_ref().map(ToString::to_string),
        font_size: wording.font_size,
        bold: wording.bold,
        italic: wording.italics,
        color: wording.color.as_ref().map(ToString::to_string),
        format: format(wording.font_size, wording.bold, wording.italics, wording.color.as_deref()),
    }
}

/// `12 pt bold black`; empty where the state says nothing.
pub(super) fn format(size: Option<u32>, bold: bool, italic: bool, color: Option<&str>) -> String {
    let parts = [
        size.map(|points| format!("{points} pt")),
        bold.then(|| "bold".to_owned()),
        italic.then(|| "italic".to_owned()),
        color.map(str::trim).filter(|color| !color.is_empty()).map(str::to_owned),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Documents with keys that are the same in the next answer to the same question.
pub(super) fn documents<'a>(
    documents: impl Iterator<Item = &'a StateDocument>,
    with_links: bool,
) -> Vec<DocumentView> {
    let mut views: Vec<DocumentView> = Vec::new();
    for document in documents {
        let key = key_of(document);
        let again =
            views.iter().filter(|view| view.key == key || view.key.starts_with(&format!("{key}#"))).count();
        let key = if again == 0 { key } else { format!("{key}#{}", again + 1) };
        views.push(document_view(document, key, with_links));
    }
    views
}

pub(super) fn key_of(document: &StateDocument) -> String {
    format!("{}|{}", document.code, document.name)
}

fn document_view(document: &StateDocument, key: String, with_links: bool) -> DocumentView {
    let said = |text: &Option<String>| text.as_deref().map(html::plain).filter(|text| !text.is_empty());
    DocumentView {
        key,
        name: html::plain(&document.name),
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
    }
}
