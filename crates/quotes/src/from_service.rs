//! The answer of the service as the window shows it, with the built-in rules beside it.
//!
//! The service's amounts and titles win. Where the rules calculate other figures, the difference is shown.

use bordereau_contract::{
    CalculateResponse, Charge, Jurisdiction, NOTE_WARNING, StateNote, StateProperties, TransactionType,
};
use bordereau_money::{Rounding, Usd};
use bordereau_tax::{Quote, QuoteInput, RiskDetails};

use super::from_rules::{self, AnswerStamp, listed_charges};
use super::{applied_rules, html};
use bordereau_api::{
    AnsweredBy, BoundaryError, ChargeView, Difference, ErrorCode, FieldAmount, NoteSeverity, NoteView,
    QuoteAnswer, StampView,
};
use bordereau_session::failure::capitalize_first;

/// What was asked, who answered, and how long it took.
pub(super) struct AnswerContext<'a> {
    pub(super) state: Jurisdiction,
    pub(super) kind: TransactionType,
    pub(super) details: &'a RiskDetails,
    /// The question, to tell which documents apply.
    pub(super) input: Option<&'a QuoteInput>,
    /// Answers that the service was not told, in words.
    pub(super) unsent: &'a [&'static str],
    pub(super) profile: &'a str,
    pub(super) took_ms: u32,
}

/// The service's answer; `estimate` is that of the built-in rules, or why there is none.
///
/// # Errors
/// [`ErrorCode::Unreadable`] when the amounts add up to more than an amount can be.
pub(super) fn build_answer(
    mut response: CalculateResponse,
    estimate: Result<&Quote, &str>,
    asked: &AnswerContext<'_>,
    made: AnswerStamp,
) -> Result<QuoteAnswer, BoundaryError> {
    let rounded = round_to_cents(&mut response);
    let response = &response;
    is_of_the_question(response, asked)?;
    let asked_fee = |fee: fn(&QuoteInput) -> Usd| asked.input.map(fee);
    let agency_fee = read_fee(response.agency_fee, asked_fee(|input| input.agency_fee), "agency")?;
    let inspection_fee =
        read_fee(response.inspection_fee, asked_fee(|input| input.inspection_fee), "inspection")?;
    let fields = field_amounts(response, estimate.ok());
    let taxes = Charge::sum_taxes(|charge| response.charge(charge));
    let fees = Charge::sum_fees(|charge| response.charge(charge));
    let total = taxes.zip(fees).and_then(|(taxes, fees)| Usd::checked_sum([response.premium, fees, taxes]));
    let (Some(taxes), Some(total)) = (taxes, total) else {
        return Err(BoundaryError::with_code(
            ErrorCode::Unreadable,
            "The amounts of the service's answer add up to more than 999,999,999,999.99. Nothing is shown.",
        ));
    };
    let rules_name = made.rules_name();
    let differences =
        estimate.map(|quote| find_differences(response, quote, &fields, total)).unwrap_or_default();
    let quote = estimate.ok();
    Ok(QuoteAnswer {
        by: AnsweredBy::Service,
        at: made.at,
        profile: asked.profile.to_owned(),
        state: asked.state.code().into(),
        state_name: asked.state.title().into(),
        transaction_type: asked.kind.code().into(),
        premium: response.premium.to_string(),
        agency_fee: agency_fee.to_string(),
        inspection_fee: inspection_fee.to_string(),
        agency_fee_taxed: quote.and_then(|quote| quote.agency_fee_taxable),
        inspection_fee_taxed: quote.and_then(|quote| quote.inspection_fee_taxable),
        details: from_rules::quote_details(asked.details),
        taxes: taxes.to_string(),
        total: total.to_string(),
        charges: quote.map(|quote| charge_views(quote, &fields)).unwrap_or_default(),
        notes: note_views(response, estimate, &differences, &rounded, asked, &rules_name),
        stamps: stamp_views(response),
        documents: from_rules::document_views(response.tax_rule.state_documents.iter(), asked.input, true),
        differences,
        rules: applied_rules::rule_rows(&response.tax_rule, quote.map(|quote| &*quote.tax_rule)),
        fields,
        took_ms: Some(asked.took_ms),
        answer_id: made.answer_id,
        rules_version: made.rules_version,
        rules_from_pack: made.rules_from_pack,
    })
}

/// Rounds what has parts of a cent, and says which charges had them.
fn round_to_cents(response: &mut CalculateResponse) -> Vec<Charge> {
    let is_rounded = |charge: &Charge| response.charge(*charge).is_some_and(|usd| !usd.is_whole_cents());
    let rounded = Charge::ALL.into_iter().filter(is_rounded).collect();
    response.premium = response.premium.round(Rounding::CENT);
    let amounts = [
        &mut response.agency_fee,
        &mut response.inspection_fee,
        &mut response.sl_tax,
        &mut response.stamping_fee,
        &mut response.sl_service_charge,
        &mut response.municipal_fee,
        &mut response.county_fee,
        &mut response.fm_tax,
        &mut response.empa_tax,
        &mut response.collection_fee,
        &mut response.premium_tax,
        &mut response.premium_tax_life,
    ];
    for amount in amounts.into_iter().flatten() {
        *amount = amount.round(Rounding::CENT);
    }
    rounded
}

/// An answer to another question must not be shown as one to this. How a provider writes what it repeats is its
/// own affair: only what is certainly something else is refused.
fn is_of_the_question(response: &CalculateResponse, asked: &AnswerContext<'_>) -> Result<(), BoundaryError> {
    let upper = |text: &Option<String>| text.as_deref().unwrap_or_default().trim().to_ascii_uppercase();
    let state = upper(&response.physical_state).parse::<Jurisdiction>().ok();
    let kind = upper(&response.transaction_type).parse::<TransactionType>().ok();
    let (found, expected) = match (state, kind) {
        (Some(state), _) if state != asked.state => (state.code(), asked.state.code()),
        (_, Some(kind)) if kind != asked.kind => (kind.code(), asked.kind.code()),
        _ => return Ok(()),
    };
    Err(BoundaryError::with_code(
        ErrorCode::Unreadable,
        format!(
            "The service answered for {found}, not for {expected}, so its answer isn't shown. Try again; if it happens again, contact the service."
        ),
    ))
}

/// A fee that was not asked for may be absent. One that was asked for may have been adjusted: it is never assumed.
fn read_fee(answered: Option<Usd>, asked: Option<Usd>, name: &str) -> Result<Usd, BoundaryError> {
    answered.or(asked.filter(|fee| fee.is_zero())).ok_or_else(|| {
        BoundaryError::with_code(
            ErrorCode::Unreadable,
            format!("The service's answer has no amount for the {name} fee, so it isn't shown. Ask the service whether it allows the fee, or get the quote without it."),
        )
    })
}

fn field_amounts(response: &CalculateResponse, quote: Option<&Quote>) -> Vec<FieldAmount> {
    let shown = |charge: Charge| {
        let amount = response.charge(charge)?;
        let charged = quote.is_some_and(|quote| quote.charges.iter().any(|trace| trace.field == charge));
        Some(FieldAmount {
            field: charge.name().into(),
            title: field_title(response, quote, charge),
            plain_title: charge.title().into(),
            amount: amount.to_string(),
            idle: amount.is_zero() && !charged && !is_active(response, charge),
        })
    };
    listed_charges().filter_map(shown).collect()
}

/// Whether the service says that the state has the charge, where it says so at all.
fn is_active(response: &CalculateResponse, charge: Charge) -> bool {
    let rule = &response.tax_rule;
    let says_so = match charge {
        Charge::SlTax => rule.is_sl_tax_active,
        Charge::StampingFee => rule.is_stamping_fee_active,
        Charge::SlServiceCharge => rule.is_sl_service_charge_active,
        Charge::MunicipalFee => rule.is_municipal_fee_active,
        Charge::FmTax => Some(
            (response.line_of_business_list.iter())
                .any(|line| line.fm_tax_percentage.is_some_and(|rate| !rate.is_zero())),
        ),
        _ => None,
    };
    says_so == Some(true)
}

/// The title that came, else that of the rules, else plain English.
fn field_title(response: &CalculateResponse, quote: Option<&Quote>, charge: Charge) -> String {
    let rule = &response.tax_rule;
    let lines = &response.line_of_business_list;
    let came = match charge {
        Charge::SlTax => Some(rule.sl_tax_title.as_str()),
        Charge::StampingFee => Some(rule.stamping_fee_title.as_str()),
        Charge::SlServiceCharge => Some(rule.sl_service_charge_title.as_str()),
        Charge::MunicipalFee => Some(rule.municipal_fee_title.as_str()),
        Charge::FmTax => lines.iter().find_map(|line| line.fm_tax_title.as_deref()),
        Charge::EmpaTax => lines.iter().find_map(|line| line.empa_tax_title.as_deref()),
        _ => None,
    };
    let came = came.map(html::plain_text).filter(|title| !title.is_empty());
    came.unwrap_or_else(|| match quote {
        Some(quote) => from_rules::field_title(&quote.titles, charge),
        None => charge.title().to_owned(),
    })
}

/// The rules' explanation; a charge that is alone on its field has the title that the service sent.
fn charge_views(quote: &Quote, fields: &[FieldAmount]) -> Vec<ChargeView> {
    let mut charges = from_rules::charge_views(quote);
    let alone: Vec<bool> = charges
        .iter()
        .map(|charge| charges.iter().filter(|other| other.field == charge.field).count() == 1)
        .collect();
    for (charge, alone) in charges.iter_mut().zip(alone) {
        if let Some(field) = fields.iter().find(|field| alone && field.field == charge.field) {
            charge.title.clone_from(&field.title);
        }
    }
    charges
}

fn find_differences(
    response: &CalculateResponse,
    quote: &Quote,
    fields: &[FieldAmount],
    total: Usd,
) -> Vec<Difference> {
    let compared = |name: &str, title: &str, estimate: Usd, service: Usd| {
        (estimate != service).then(|| Difference {
            field: name.to_owned(),
            title: title.to_owned(),
            estimate: estimate.to_string(),
            service: service.to_string(),
            difference: service.checked_sub(estimate).unwrap_or_default().to_string(),
        })
    };
    let charges = Charge::ALL.into_iter().map(|charge| {
        let (estimate, service) = (quote.amounts.of(charge), response.charge(charge).unwrap_or_default());
        let titled = fields.iter().find(|shown| shown.field == charge.name());
        let title = titled
            .map_or_else(|| from_rules::field_title(&quote.titles, charge), |shown| shown.title.clone());
        compared(charge.name(), &title, estimate, service)
    });
    let premium = compared("premium", "Premium", quote.amounts.premium, response.premium);
    let mut found: Vec<Difference> = std::iter::once(premium).chain(charges).flatten().collect();
    found.extend(compared("total", "Total", quote.total, total));
    found
}

fn note_views(
    response: &CalculateResponse,
    estimate: Result<&Quote, &str>,
    differences: &[Difference],
    rounded: &[Charge],
    asked: &AnswerContext<'_>,
    rules: &str,
) -> Vec<NoteView> {
    let mut notes: Vec<NoteView> = response.tax_rule.state_notes.iter().filter_map(note_view).collect();
    if asked.kind.is_credit() && response.premium > Usd::ZERO {
        notes.push(NoteView {
            severity: NoteSeverity::Warning,
            topic: "Return premium".into(),
            html: html::from_plain(
                "The service answers this return with amounts above zero. They are shown as they came; check \
                 whether they are to be given back before you use them.",
            ),
            source: None,
        });
    }
    match estimate {
        Err(why) => notes.push(NoteView {
            severity: NoteSeverity::Info,
            topic: "Explanation".into(),
            html: html::from_plain(&format!(
                "{} cannot explain these figures: {why}",
                capitalize_first(rules)
            )),
            source: None,
        }),
        Ok(quote) => from_rules::note_views(quote).into_iter().for_each(|ours| merge_note(&mut notes, ours)),
    }
    notes.extend(without_amount(response, estimate.ok()));
    if !rounded.is_empty() {
        let titles: Vec<String> =
            rounded.iter().map(|charge| field_title(response, estimate.ok(), *charge)).collect();
        notes.push(NoteView {
            severity: NoteSeverity::Info,
            topic: "Rounding".into(),
            html: html::from_plain(&format!(
                "The service gave parts of a cent for: {}. Shown and added up is each to the cent, half up.",
                titles.join(", ")
            )),
            source: None,
        });
    }
    if !differences.is_empty() {
        notes.insert(0, difference_note(differences, asked.unsent, rules));
    }
    from_rules::warnings_first(&mut notes);
    notes
}

/// What is unsure about the explanation is said beside it, even when the service does not say it; what
/// both say is shown once, with the source that the rules know.
fn merge_note(notes: &mut Vec<NoteView>, ours: NoteView) {
    let text = html::plain_text(&ours.html);
    let told = notes.iter_mut().find_map(|note| {
        let rest = html::plain_text(&note.html).strip_prefix(&text)?.trim().to_owned();
        Some((note, rest))
    });
    match told {
        Some((note, rest)) => {
            // What is left is the name of the source, whose link the sanitizer took out.
            if ours.source.is_some() && !rest.contains(char::is_whitespace) {
                note.html = ours.html;
            }
            note.source = ours.source;
        }
        None => notes.push(ours),
    }
}

/// A charge that the state has and the answer gives no amount for is not zero: it is missing from the total. Where no
/// rules say whether there is a tax, there is one, unless the premium tax of admitted business came in its place.
fn without_amount(response: &CalculateResponse, quote: Option<&Quote>) -> Option<NoteView> {
    let is_charged = |charge: Charge| {
        let by_rules =
            quote.and_then(|quote| quote.amounts.charges.get(charge)).is_some_and(|usd| !usd.is_zero());
        let is_unknown = charge == Charge::SlTax && quote.is_none() && response.premium_tax.is_none();
        by_rules || is_unknown || is_active(response, charge)
    };
    let missing = listed_charges().filter(|charge| response.charge(*charge).is_none() && is_charged(*charge));
    let titles: Vec<String> = missing.map(|charge| field_title(response, quote, charge)).collect();
    (!titles.is_empty()).then(|| NoteView {
        severity: NoteSeverity::Warning,
        topic: "Missing amount".into(),
        html: html::from_plain(&format!(
            "The service gave no amount for: {}. The total is without it. Ask the service before you rely on it.",
            titles.join(", ")
        )),
        source: None,
    })
}

fn difference_note(differences: &[Difference], unsent: &[&str], rules: &str) -> NoteView {
    let titles: Vec<&str> =
        differences.iter().filter(|d| d.field != "total").map(|d| d.title.as_str()).collect();
    let mut text = format!(
        "The service and {rules} differ in: {}. The service's figures are shown; the explanation of each charge is that of {rules}.",
        titles.join(", ")
    );
    if !unsent.is_empty() {
        text.push_str(&format!(
            " Not sent to the service: {}. If the service supports it, turn it on in the profile's settings.",
            unsent.join(" or ")
        ));
    }
    NoteView {
        severity: NoteSeverity::Warning,
        topic: "Difference".into(),
        html: html::from_plain(&text),
        source: None,
    }
}

fn note_view(note: &StateNote) -> Option<NoteView> {
    let mut text = html::sanitize_html(&note.note);
    if html::plain_text(&text).is_empty() {
        return None;
    }
    if note.bold {
        text = format!("<b>{text}</b>");
    }
    if note.italic {
        text = format!("<i>{text}</i>");
    }
    if let Some(instructions) =
        note.instructions.as_deref().map(html::sanitize_html).filter(|text| !text.is_empty())
    {
        text = format!("{text} {instructions}");
    }
    let warns = note.notification_type_data.id == NOTE_WARNING;
    Some(NoteView {
        severity: if warns { NoteSeverity::Warning } else { NoteSeverity::Info },
        topic: html::plain_text(&note.note_type_data.label),
        html: text,
        source: None,
    })
}

fn stamp_views(response: &CalculateResponse) -> Vec<StampView> {
    let mailing = response.mailing_state_properties.as_ref();
    let mut stamps: Vec<StampView> =
        std::iter::once(&response.state_properties).chain(mailing).filter_map(stamp_view).collect();
    stamps.dedup_by(|second, first| first.text == second.text);
    stamps
}

fn stamp_view(state: &StateProperties) -> Option<StampView> {
    let wording = state.state_stamp_wording_text.as_deref()?;
    // Some wordings come as plain text with line ends, some as HTML.
    let has_tags = wording.contains('<');
    let html =
        if has_tags { html::sanitize_html(wording) } else { html::from_plain(&unescape_plain(wording)) };
    let text = html::plain_text(&html);
    if text.is_empty() {
        return None;
    }
    let (bold, italic) = (
        state.state_stamp_wording_font_bold.unwrap_or_default(),
        state.state_stamp_wording_font_italics.unwrap_or_default(),
    );
    let said = |text: &Option<String>| text.as_deref().map(html::plain_text).filter(|text| !text.is_empty());
    let color = said(&state.state_stamp_wording_font_color);
    let size = state.state_stamp_wording_font_size;
    Some(StampView {
        html,
        text,
        instructions: said(&state.state_stamp_wording_instructions),
        font_size: size,
        bold,
        italic,
        format: from_rules::format_description(size, bold, italic, color.as_deref()),
        color,
    })
}

/// Text without a tag may still carry entities; its line ends are kept, unlike those of HTML.
fn unescape_plain(text: &str) -> String {
    text.lines().map(html::plain_text).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_to_another_question_is_none() {
        const QUOTE: &str = r#"{"transaction_type":"TYPE","physical_state":"STATE","premium":100,"agency_fee":0,
            "inspection_fee":0,"sl_tax":4.85,"stamping_fee":0.04,"sl_service_charge":0,"fm_tax":0,"empa_tax":0,
            "collection_fee":0}"#;
        let asked = AnswerContext {
            state: Jurisdiction::Tx,
            kind: TransactionType::New,
            details: &RiskDetails::default(),
            input: None,
            unsent: &[],
            profile: "Office",
            took_ms: 1,
        };
        for (state, kind, says) in [
            ("TX", "PN", ""),
            ("tx", "pn ", ""),
            ("Texas", "New", ""),
            ("", "", ""),
            ("CA", "PN", "answered for CA, not for TX"),
            ("TX", "RPE", "answered for RPE, not for PN"),
        ] {
            let text = QUOTE.replace("STATE", state).replace("TYPE", kind);
            let response: CalculateResponse = serde_json::from_str(&text).unwrap();
            let outcome = build_answer(response, Err("nothing"), &asked, stamp());
            let said = outcome.err().map(|error| error.message);
            assert!(said.unwrap_or_default().contains(says), "{state} {kind}");
        }
    }

    fn stamp() -> AnswerStamp {
        AnswerStamp {
            at: String::new(),
            rules_version: String::new(),
            rules_from_pack: false,
            answer_id: String::new(),
        }
    }

    fn shown_answer(response: &str, agency_fee: &str) -> Result<QuoteAnswer, String> {
        let day = chrono::NaiveDate::from_ymd_opt(2026, 2, 23).unwrap();
        let mut input = QuoteInput::new_policy(Jurisdiction::Tx, Vec::new(), day);
        input.agency_fee = Usd::parse(agency_fee).unwrap();
        let asked = AnswerContext {
            state: Jurisdiction::Tx,
            kind: TransactionType::New,
            details: &RiskDetails::default(),
            input: Some(&input),
            unsent: &[],
            profile: "Office",
            took_ms: 1,
        };
        let response = bordereau_contract::read_answer(response.as_bytes()).unwrap().value;
        build_answer(response, Err("nothing"), &asked, stamp()).map_err(|error| error.message)
    }

    /// Total, agency fee and warnings; or why nothing is shown.
    fn shown(response: &str, agency_fee: &str) -> Result<(String, String, Vec<String>), String> {
        let answer = shown_answer(response, agency_fee)?;
        let warnings = answer.notes.iter().filter(|note| note.severity == NoteSeverity::Warning);
        let warnings = warnings.map(|note| html::plain_text(&note.html)).collect();
        Ok((answer.total, answer.agency_fee, warnings))
    }

    #[test]
    fn what_was_not_asked_for_may_be_absent() {
        const NO_TAX: &str = "The service gave no amount for: Surplus lines tax.";
        for (response, asked, expected) in [
            (
                r#"{"premium":100,"agency_fee":null,"inspection_fee":null,"sl_tax":4.85}"#,
                "0",
                Ok(("104.85", "0.00", "")),
            ),
            (r#"{"premium":100,"sl_tax":4.85}"#, "0", Ok(("104.85", "0.00", ""))),
            (r#"{"premium":100,"agency_fee":5,"sl_tax":4.85}"#, "5", Ok(("109.85", "5.00", ""))),
            (r#"{"premium":100,"sl_tax":4.85}"#, "5", Err("no amount for the agency fee")),
            (r#"{"premium":100}"#, "0", Ok(("100.00", "0.00", NO_TAX))),
            (r#"{"premium":100,"sl_tax":null,"premium_tax":2}"#, "0", Ok(("102.00", "0.00", ""))),
            (
                r#"{"premium":100,"sl_tax":4.85,"fm_tax":1.1368683772161603e-13}"#,
                "0",
                Ok(("104.85", "0.00", "")),
            ),
        ] {
            match (shown(response, asked), expected) {
                (Ok((total, fee, warnings)), Ok((right_total, right_fee, warning))) => {
                    assert_eq!((total.as_str(), fee.as_str()), (right_total, right_fee), "{response}");
                    assert_eq!(warnings.len(), usize::from(!warning.is_empty()), "{response}: {warnings:?}");
                    assert!(warnings.concat().contains(warning), "{response}: {warnings:?}");
                }
                (Err(said), Err(why)) => assert!(said.contains(why), "{response}: {said}"),
                (found, _) => panic!("{response}: {found:?}"),
            }
        }
    }

    #[test]
    fn parts_of_a_cent_are_rounded_and_told() {
        for (tax, total, is_told) in [
            ("4.850000000000000088817841970012523", "104.85", false),
            ("4.85387000000004", "104.85", true),
            ("4.855", "104.86", true),
            // A half that a float could not hold.
            ("4.85499999999999953814722175593487918376922607421875", "104.86", true),
            ("-4.855", "95.14", true),
        ] {
            let answer = shown_answer(&format!(r#"{{"premium":100,"sl_tax":{tax}}}"#), "0").unwrap();
            assert_eq!(answer.total, total, "{tax}");
            let told = answer.notes.iter().find(|note| note.topic == "Rounding");
            assert_eq!(told.is_some(), is_told, "{tax}");
            assert!(told.is_none_or(|note| note.html.contains("for: Surplus lines tax.")), "{told:?}");
        }
    }

    #[test]
    fn a_difference_says_what_the_service_was_not_told() {
        let tax = Difference {
            field: "sl_tax".into(),
            title: "Surplus lines tax".into(),
            estimate: "5.00".into(),
            service: "4.00".into(),
            difference: "-1.00".into(),
        };
        let (charger, rate) = ("who charges the agency fee", "the rate of the assessment");
        for (unsent, expected) in [
            (vec![], None),
            (vec![charger], Some("Not sent to the service: who charges the agency fee. If")),
            (
                vec![charger, rate],
                Some("Not sent to the service: who charges the agency fee or the rate of the assessment. If"),
            ),
        ] {
            let note = html::plain_text(
                &difference_note(std::slice::from_ref(&tax), &unsent, "the built-in rules").html,
            );
            assert!(note.contains("differ in: Surplus lines tax."), "{note}");
            assert_eq!(note.contains("Not sent to the service"), expected.is_some(), "{note}");
            assert!(note.contains(expected.unwrap_or_default()), "{note}");
        }
    }
}
