//! What is said beside the service's figures: its own notes, those of the rules, and what does not add up.

use bordereau_api::{Difference, NoteSeverity, NoteView};
use bordereau_contract::{AnswerLoss, CalculateResponse, Charge, StateNote, format_money, pluralize};
use bordereau_money::{Rounding, Usd};
use bordereau_session::failure::capitalize_first;
use bordereau_tax::Quote;

use super::from_rules::{self, listed_charges};
use super::from_service::{AnswerContext, field_title, is_active};
use super::html;

/// Every note of a quote, the warnings first.
pub(super) fn note_views(
    response: &CalculateResponse,
    estimate: Result<&Quote, &str>,
    total: Usd,
    differences: &[Difference],
    rounded: &[Charge],
    asked: &AnswerContext<'_>,
    rules: &str,
) -> Vec<NoteView> {
    let mut notes: Vec<NoteView> =
        response.tax_rule.state_notes.iter().filter_map(|note| note_view(note)).collect();
    if asked.kind.is_credit() && response.premium > Usd::ZERO {
        let text = "The service answers this return with amounts above zero. They are shown as they came; check \
                    whether they are to be given back before you use them.";
        notes.push(plain_note(NoteSeverity::Warning, "Return premium", text));
    }
    match estimate {
        Err(why) => {
            let text = format!("{} cannot explain these figures: {why}", capitalize_first(rules));
            notes.push(plain_note(NoteSeverity::Info, "Explanation", &text));
        }
        Ok(quote) => from_rules::note_views(quote).into_iter().for_each(|ours| merge_note(&mut notes, ours)),
    }
    notes.extend(without_amount(&missing_titles(response, estimate.ok())));
    notes.extend(other_total(response, total));
    notes.extend(unknown_charges(response));
    notes.extend(unread_parts(response));
    if !rounded.is_empty() {
        let titles: Vec<String> =
            rounded.iter().map(|charge| field_title(response, estimate.ok(), *charge)).collect();
        let text = format!(
            "The service gave fractions of a cent for: {}. Each is rounded to the cent, half up.",
            titles.join(", ")
        );
        notes.push(plain_note(NoteSeverity::Info, "Rounding", &text));
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
pub(super) fn missing_titles(response: &CalculateResponse, quote: Option<&Quote>) -> Vec<String> {
    let is_charged = |charge: Charge| {
        let by_rules =
            quote.and_then(|quote| quote.amounts.charges.get(charge)).is_some_and(|usd| !usd.is_zero());
        let is_unknown = charge == Charge::SlTax && quote.is_none() && response.premium_tax.is_none();
        by_rules || is_unknown || is_active(response, charge)
    };
    let missing = listed_charges().filter(|charge| response.charge(*charge).is_none() && is_charged(*charge));
    missing.map(|charge| field_title(response, quote, charge)).collect()
}

fn without_amount(titles: &[String]) -> Option<NoteView> {
    let text = format!(
        "The service gave no amount for: {}. The total is without {}. Ask the service before you rely on it.",
        titles.join(", "),
        if titles.len() == 1 { "it" } else { "them" }
    );
    (!titles.is_empty()).then(|| plain_note(NoteSeverity::Warning, "Missing amount", &text))
}

/// A total of the service's own that is not the sum of its amounts: one of the two leaves something out.
fn other_total(response: &CalculateResponse, total: Usd) -> Option<NoteView> {
    let theirs = Usd::parse_typed(&response.total).ok()?.round(Rounding::Cent);
    let text = format!(
        "The service gives a total of {}, but its amounts add up to {}, which is shown. Ask the service which is right \
         before you rely on either.",
        format_money(theirs),
        format_money(total)
    );
    (theirs != total).then(|| plain_note(NoteSeverity::Warning, "Total", &text))
}

/// Charges that are not known are not part of the total.
fn unknown_charges(response: &CalculateResponse) -> Option<NoteView> {
    let charges: Vec<String> = (response.unknown_charges.iter())
        .map(|(name, amount)| format!("{name} {}", format_money(*amount)))
        .collect();
    let text = format!(
        "The service also has charges under names that are not known: {}. The total is without them. Ask the service \
         whether they are due.",
        charges.join(", ")
    );
    (!charges.is_empty()).then(|| plain_note(NoteSeverity::Warning, "Unknown charge", &text))
}

/// Notes and documents of the state that are missing because they could not be read.
fn unread_parts(response: &CalculateResponse) -> Option<NoteView> {
    let parts = [("state_notes", "note"), ("state_documents", "document")];
    let counts = parts.into_iter().filter_map(|(list, noun)| {
        let is_entry = |loss: &&AnswerLoss| {
            loss.path
                .strip_prefix("tax_rule.")
                .and_then(|path| path.strip_prefix(list))
                .is_some_and(|rest| !rest.contains('.'))
        };
        let count = response.losses.iter().filter(is_entry).count();
        (count > 0).then(|| pluralize(count, noun))
    });
    let counts = counts.collect::<Vec<_>>().join(" and ");
    let text =
        format!("{counts} of the service could not be read. Ask the service for what is missing here.");
    (!counts.is_empty()).then(|| plain_note(NoteSeverity::Warning, "Unreadable", &text))
}

fn plain_note(severity: NoteSeverity, topic: &str, text: &str) -> NoteView {
    NoteView { severity, topic: topic.into(), html: html::from_plain(text), source: None }
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
    plain_note(NoteSeverity::Warning, "Difference", &text)
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
    Some(NoteView {
        severity: if note.is_warning() { NoteSeverity::Warning } else { NoteSeverity::Info },
        topic: html::plain_text(&note.note_type_data.label),
        html: text,
        source: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_says_what_the_service_was_not_told() {
        let tax = Difference {
            field: "sl_tax".into(),
            title: "Surplus lines tax".into(),
            estimate: "5.00".into(),
            service: Some("4.00".into()),
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
