//! From the calculator's quote to the contract's answer.

use bordereau_contract::{
    CalculateResponse, Charge, LabeledId, LineOfBusiness, MunicipalSettingEntry, MunicipalSettings,
    MunicipalTaxSetting, NOTE_INFO, NOTE_WARNING, SharedPart, StateDocument, StateNote, StateProperties,
    TaxRule,
};
use bordereau_money::Usd;
use bordereau_tax::{
    CountyOrCity, FieldTitles, LineResult, NoteLevel, Quote, QuoteInput, QuoteNote, RuleText, StampWording,
};

use super::question::AnswerEcho;
use crate::rule_notes::{AnsweredStamps, RuleNotes};
use crate::templates::AnswerLinks;

/// The answer to a question.
pub(super) fn answer(
    echo: AnswerEcho,
    input: &QuoteInput,
    quote: &Quote,
    rule_notes: &RuleNotes,
    links: &mut AnswerLinks<'_>,
) -> CalculateResponse {
    let state = input.state.code();
    let own = quote.notes.own().iter().map(|note| rule_notes.note_to_answer(note, state_note));
    let of_state = rule_notes.state_notes_to_answer(quote.notes.of_state(), state_note);
    let stamps = rule_notes.stamps_to_answer(&quote.stamps, answer_stamps);
    let documents = quote.documents.iter().map(|document| StateDocument {
        document_download_link: Some(links.next(state, &document.code, &document.name)),
        ..StateDocument::clone(document)
    });
    let tax_rule = TaxRule {
        state_notes: own.chain(of_state.iter().cloned()).chain(stamps.others.iter().cloned()).collect(),
        state_documents: documents.collect(),
        ..TaxRule::clone(&quote.tax_rule)
    };
    let amounts = &quote.amounts;
    let (municipal, county) = local_settings(&quote.local, input.admitted);
    CalculateResponse {
        line_of_business_list: quote
            .lines
            .iter()
            .zip(1..)
            .map(|(l, at)| line_of_business(l, at, &quote.titles))
            .collect(),
        state_properties: stamps.properties,
        mailing_state_properties: None,
        account_written_as: input.written_as.map(|code| code.code().to_owned()),
        line_of_business: Some(echo.line_of_business),
        transaction_type: Some(input.transaction_type.code().into()),
        physical_state: Some(input.state.code().into()),
        physical_address: input.location.address.clone(),
        physical_city: input.location.city.clone(),
        physical_zip_code: input.location.zip.clone(),
        premium: amounts.premium,
        agency_fee: Some(amounts.of(Charge::AgencyFee)),
        inspection_fee: Some(amounts.of(Charge::InspectionFee)),
        sl_tax: Some(amounts.of(Charge::SlTax)),
        stamping_fee: Some(amounts.of(Charge::StampingFee)),
        sl_service_charge: Some(amounts.of(Charge::SlServiceCharge)),
        municipal_fee: amounts.charges.get(Charge::MunicipalFee),
        county_fee: amounts.charges.get(Charge::CountyFee),
        fm_tax: Some(amounts.of(Charge::FmTax)),
        empa_tax: Some(amounts.of(Charge::EmpaTax)),
        collection_fee: Some(amounts.of(Charge::CollectionFee)),
        premium_tax: amounts.charges.get(Charge::PremiumTax),
        premium_tax_life: amounts.charges.get(Charge::PremiumTaxLife),
        rpg: u8::from(input.rpg),
        tax_exempt: u8::from(input.tax_exempt),
        export_list: u8::from(input.export_list),
        commission_received: u8::from(input.commission_received),
        continuous_coverage: u8::from(echo.continuous_coverage),
        tax_rule,
        municipal_tax_settings: municipal,
        county_tax_settings: county,
        ..CalculateResponse::default()
    }
}

fn line_of_business(line: &LineResult, at: u32, titles: &FieldTitles) -> LineOfBusiness {
    // The number within a generic code is stable; a code without one gets its place in the list.
    let digits: String = line.generic_code.chars().filter(char::is_ascii_digit).collect();
    LineOfBusiness {
        id: digits.parse().unwrap_or(at),
        generic_code: line.generic_code.to_string(),
        code: line.state_code.as_ref().map(|code| code.to_string()),
        fm_tax_percentage: line.fm_tax.and_then(|rate| Usd::parse(&rate.to_string()).ok()),
        fm_tax_title: line.fm_tax.map(|_| titles.of(Charge::FmTax).to_owned()),
        empa_tax_title: Some(titles.of(Charge::EmpaTax).to_owned()).filter(|title| !title.is_empty()),
    }
}

fn answer_stamps(stamps: &[StampWording]) -> AnsweredStamps {
    let others = stamps.iter().skip(1).map(alternative_stamp).map(SharedPart::from);
    AnsweredStamps {
        properties: stamps.first().map(state_properties).unwrap_or_default().into(),
        others: others.collect(),
    }
}

fn state_properties(stamp: &StampWording) -> StateProperties {
    StateProperties {
        state_stamp_wording_text: Some(html_paragraphs(&stamp.text)),
        state_stamp_wording_instructions: stamp.instructions.clone(),
        state_stamp_wording_font_size: stamp.font_size,
        state_stamp_wording_font_bold: Some(stamp.bold),
        state_stamp_wording_font_italics: Some(stamp.italics),
        state_stamp_wording_font_color: stamp.color.clone(),
        state_stamp_wording_type: Some(stamp.kind.clone()),
        state_stamp_wording_updated_at: stamp.updated_at.clone(),
    }
}

/// `note_type_data` \[ours]: 1 a note of the state, 2 another stamp wording that may apply.
fn note_type(id: u32) -> LabeledId {
    LabeledId { id, label: if id == 2 { "Alternative stamp wording" } else { "State note" }.into() }
}

fn state_note(note: &QuoteNote) -> StateNote {
    let (id, label) = match note.level {
        NoteLevel::Info => (NOTE_INFO, "Info"),
        NoteLevel::Warning => (NOTE_WARNING, "Warning"),
    };
    let mut html = html_paragraphs(&note.text);
    if let Some(source) = note.source.as_ref().filter(|source| source.url.starts_with("https://")) {
        html.push_str("<p><a href=\"");
        push_escaped(&mut html, &source.url);
        html.push_str("\">");
        push_escaped(&mut html, &source.title);
        html.push_str("</a></p>");
    }
    StateNote {
        note_type_data: note_type(1),
        notification_type_data: LabeledId { id, label: label.into() },
        note_type: 1,
        note: html,
        ..StateNote::default()
    }
}

fn alternative_stamp(stamp: &StampWording) -> StateNote {
    StateNote {
        note_type_data: note_type(2),
        notification_type_data: LabeledId { id: NOTE_INFO, label: "Info".into() },
        note_type: 2,
        note: html_paragraphs(&stamp.text),
        instructions: stamp.instructions.clone(),
        font_size: stamp.font_size,
        color: stamp.color.clone(),
        bold: stamp.bold,
        italic: stamp.italics,
        ..StateNote::default()
    }
}

/// Cities and counties matched. Kentucky admitted answers with one object, even without a match.
fn local_settings(
    local: &[(RuleText, &str, CountyOrCity)],
    admitted: bool,
) -> (MunicipalSettings, Vec<MunicipalSettingEntry>) {
    let (mut cities, mut counties) = (Vec::new(), Vec::new());
    for (municipality_name, line_category, kind) in local {
        let entry = MunicipalSettingEntry {
            municipal_tax_setting: MunicipalTaxSetting {
                municipality_name: municipality_name.to_string(),
                line_category: (*line_category).to_owned(),
            },
        };
        match kind {
            CountyOrCity::City => cities.push(entry),
            CountyOrCity::County => counties.push(entry),
        }
    }
    if admitted {
        let one = cities.into_iter().next().unwrap_or_default();
        (MunicipalSettings::One(one), counties)
    } else {
        (MunicipalSettings::Many(cities), counties)
    }
}

/// Plain text, paragraphs separated by a blank line, as HTML.
pub(crate) fn html_paragraphs(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 8 + 16);
    let mut is_open = false;
    for line in text.lines().map(str::trim) {
        match (line.is_empty(), is_open) {
            (true, false) => continue,
            (true, true) => html.push_str("</p>"),
            (false, true) => html.push_str("<br>"),
            (false, false) => html.push_str("<p>"),
        }
        is_open = !line.is_empty();
        push_escaped(&mut html, line);
    }
    if is_open {
        html.push_str("</p>");
    }
    html
}

/// Adds the text with what HTML reserves escaped.
fn push_escaped(html: &mut String, text: &str) {
    // Sixteen at a time, which are compared at once: an answer has 11 KB of notes, and few of them are reserved.
    const STRETCH: usize = 16;
    let reserved = |byte: &u8| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'');
    let is_plain = |stretch: &&[u8]| !stretch.iter().fold(false, |found, byte| found | reserved(byte));
    let mut rest = text;
    loop {
        let plain = rest.as_bytes().chunks(STRETCH).take_while(is_plain).count() * STRETCH;
        let Some(at) = rest.as_bytes().iter().skip(plain).position(reserved) else { break };
        let (before, from) = rest.split_at(plain + at);
        html.push_str(before);
        html.push_str(match from.as_bytes()[0] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&#39;",
        });
        rest = &from[1..];
    }
    html.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::html_paragraphs;

    #[test]
    fn paragraphs_table() {
        let long = "a".repeat(40);
        let cases = [
            ("", String::new()),
            ("One line", "<p>One line</p>".into()),
            ("One\nTwo\n\nThree\r\nFour\n", "<p>One<br>Two</p><p>Three<br>Four</p>".into()),
            ("\n\n One \n \n\n\nTwo", "<p>One</p><p>Two</p>".into()),
            ("<b>\"A & B's\"</b>", "<p>&lt;b&gt;&quot;A &amp; B&#39;s&quot;&lt;/b&gt;</p>".into()),
            (&format!("{long}&{long}é<"), format!("<p>{long}&amp;{long}é&lt;</p>")),
        ];
        for (text, html) in cases {
            assert_eq!(html_paragraphs(text), html, "{text:?}");
        }
    }
}
