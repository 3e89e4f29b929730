//! The answer of the service as the window shows it, with the built-in rules beside it.
//!
//! The service's amounts and titles win. Where the rules calculate other figures, the difference is shown.

use bordereau_contract::{CalculateResponse, Charge, Jurisdiction, StateProperties, TransactionType};
use bordereau_money::{Rounding, Usd};
use bordereau_tax::{Quote, QuoteInput, RiskDetails};

use super::from_rules::{self, AnswerStamp, listed_charges};
use super::service_notes::{missing_titles, note_views};
use super::{applied_rules, html};
use bordereau_api::{
    AnsweredBy, BoundaryError, ChargeView, Difference, ErrorCode, FieldAmount, QuoteAnswer, StampView,
};

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
        missing_amounts: missing_titles(response, quote),
        charges: quote.map(|quote| charge_views(quote, &fields)).unwrap_or_default(),
        notes: note_views(response, estimate, total, &differences, &rounded, asked, &rules_name),
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
    response.premium = response.premium.round(Rounding::Cent);
    for charge in Charge::ALL {
        let amount = response.charge_mut(charge);
        *amount = amount.map(|usd| usd.round(Rounding::Cent));
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
pub(super) fn is_active(response: &CalculateResponse, charge: Charge) -> bool {
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
pub(super) fn field_title(response: &CalculateResponse, quote: Option<&Quote>, charge: Charge) -> String {
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
    let compared = |name: &str, title: &str, estimate: Usd, answered: Option<Usd>| {
        let service = answered.unwrap_or_default();
        (estimate != service).then(|| Difference {
            field: name.to_owned(),
            title: title.to_owned(),
            estimate: estimate.to_string(),
            service: answered.map(|usd| usd.to_string()),
            difference: service.checked_sub(estimate).unwrap_or_default().to_string(),
        })
    };
    let charges = Charge::ALL.into_iter().map(|charge| {
        let (estimate, service) = (quote.amounts.of(charge), response.charge(charge));
        let titled = fields.iter().find(|shown| shown.field == charge.name());
        let title = titled
            .map_or_else(|| from_rules::field_title(&quote.titles, charge), |shown| shown.title.clone());
        compared(charge.name(), &title, estimate, service)
    });
    let premium = compared("premium", "Premium", quote.amounts.premium, Some(response.premium));
    let mut found: Vec<Difference> = std::iter::once(premium).chain(charges).flatten().collect();
    found.extend(compared("total", "Total", quote.total, Some(total)));
    found
}

fn stamp_views(response: &CalculateResponse) -> Vec<StampView> {
    let mailing = response.mailing_state_properties.as_ref();
    let mut stamps: Vec<StampView> =
        std::iter::once(&*response.state_properties).chain(mailing).filter_map(stamp_view).collect();
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
    use bordereau_api::NoteSeverity;

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
        let read = bordereau_contract::read_answer(response.as_bytes()).unwrap();
        let response = CalculateResponse::of_read(read);
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
    fn what_the_service_gives_besides_is_said() {
        const TOTAL: &str = "gives a total of $120.00, but its amounts add up to $104.85, which is shown";
        const CHARGES: &str = "not known: fire_tax $9.52, windstormFee $12.00. The total is without them";
        for (besides, expected) in [
            (r#""total":104.85"#, ""),
            (r#""total":"$104.85""#, ""),
            (r#""total":"soon""#, ""),
            (r#""total":120"#, TOTAL),
            (r#""total_due":"120.00""#, TOTAL),
            (r#""grand_total":120,"total":null"#, TOTAL),
            (r#""fire_tax":9.52,"windstormFee":"12""#, CHARGES),
            (r#""is_fire_tax":1,"hasFee":1,"other_charge":0,"total_tax":4.85,"stamping_fee":0"#, ""),
            (
                r#""state_notes":7,"tax_rule":{"state_notes":[7,{"note":"A"},[]]}"#,
                "2 notes of the service could",
            ),
            (
                r#""tax_rule":{"state_notes":[7],"state_documents":["B",{"name":"A"}]}"#,
                "1 note and 1 document of the service could not be read",
            ),
        ] {
            let (total, _, warnings) =
                shown(&format!(r#"{{"premium":100,"sl_tax":4.85,{besides}}}"#), "0").expect(besides);
            assert_eq!(
                (total.as_str(), warnings.len()),
                ("104.85", usize::from(!expected.is_empty())),
                "{besides}: {warnings:?}"
            );
            assert!(warnings.concat().contains(expected), "{besides}: {warnings:?}");
        }
    }

    #[test]
    fn notes_are_read_in_every_form() {
        for (notes, warns) in [
            (r#"["Do not bind"]"#, false),
            (r#""Do not bind""#, false),
            (r#"[{"text":"Do not bind"}]"#, false),
            (r#"[{"description":"Do not bind","type":"info"}]"#, false),
            (r#"[{"message":"Do not bind","type":"Warning"}]"#, true),
            (r#"[{"note":"Do not bind","text":"","severity":"warning"}]"#, true),
            (r#"[{"note":"Do not bind","notification_type_data":{"label":"Warning"}}]"#, true),
            (r#"[{"note":"Do not bind","notification_type_data":{"id":"3"}}]"#, true),
            (r#"[{"note":"Do not bind","notification_type":3}]"#, true),
        ] {
            let response = format!(r#"{{"premium":100,"sl_tax":4.85,"tax_rule":{{"state_notes":{notes}}}}}"#);
            let answer = shown_answer(&response, "0").expect(notes);
            let note = answer.notes.iter().find(|note| note.html.contains("Do not bind"));
            let severity = if warns { NoteSeverity::Warning } else { NoteSeverity::Info };
            assert_eq!(note.map(|note| note.severity), Some(severity), "{notes}: {:?}", answer.notes);
        }
    }

    #[test]
    fn a_charge_without_an_amount_is_not_zero_among_the_differences() {
        let response = r#"{"premium":100,"stamping_fee":0.04}"#;
        let response =
            CalculateResponse::of_read(bordereau_contract::read_answer(response.as_bytes()).unwrap());
        let day = chrono::NaiveDate::from_ymd_opt(2026, 2, 23).unwrap();
        let line = bordereau_tax::LineInput { code: "GEN-1001".into(), premium: Usd::parse("100").unwrap() };
        let input = QuoteInput::new_policy(Jurisdiction::Tx, vec![line], day);
        let quote = bordereau_tax::RuleBook::builtin().calculate(&input, &Default::default()).unwrap();
        let total = Usd::parse("100.04").unwrap();
        let found = find_differences(&response, &quote, &[], total);
        let of = |name: &str| found.iter().find(|one| one.field == name).map(|one| one.service.clone());
        assert_eq!(of("sl_tax"), Some(None), "{found:?}");
        assert_eq!(of("total"), Some(Some("100.04".into())), "{found:?}");
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
}
