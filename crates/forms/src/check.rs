//! What is not in order, field by field, while the person types.

use std::collections::BTreeMap;

use bordereau_contract::Declination;
use bordereau_contract::format_long_day;
use chrono::NaiveDate;

use crate::data::{FormData, parse_date};
use crate::template::{FieldKind, FormTemplate};

/// How much something matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingWeight {
    /// It cannot stand like this.
    Problem,
    /// Worth a look.
    Warning,
}

/// Something that is not in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckFinding {
    /// JSON pointer into the request.
    pub pointer: String,
    /// How much it matters.
    pub weight: FindingWeight,
    /// Found, expected.
    pub message: String,
}

/// What makes a declination unfit to be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnfitDeclination {
    /// Its place in the request.
    pub at: usize,
    /// The part at fault.
    pub part: &'static str,
    /// Why.
    pub why: String,
}

/// Declinations that cannot be counted: of the same carrier as an earlier one, or after the coverage began.
pub(crate) fn find_unfit(data: &FormData, today: Option<NaiveDate>) -> Vec<UnfitDeclination> {
    let mut found = Vec::new();
    let mut carriers: BTreeMap<String, usize> = BTreeMap::new();
    for (at, declination) in data.declinations() {
        let earlier = keys(declination).into_iter().filter_map(|key| carriers.get(&key).copied()).next();
        if let Some(earlier) = earlier {
            let why = format!("This is the carrier of declination {}: one carrier counts once.", earlier + 1);
            found.push(UnfitDeclination { at, part: "carrier", why });
        }
        for key in keys(declination) {
            carriers.entry(key).or_insert(at);
        }
        if let Some(why) = parse_date(&declination.date).and_then(|day| late_reason(day, data, today)) {
            found.push(UnfitDeclination { at, part: "date", why });
        }
    }
    found
}

fn late_reason(day: NaiveDate, data: &FormData, today: Option<NaiveDate>) -> Option<String> {
    if let Some(bound) = data.field_day("binding_date").filter(|bound| day > *bound) {
        return Some(late_text(day, "the coverage was bound", bound));
    }
    if day > data.policy_effective {
        return Some(late_text(day, "the policy began", data.policy_effective));
    }
    today.filter(|today| day > *today).map(|_| format!("{} is in the future.", format_long_day(day)))
}

fn late_text(day: NaiveDate, event: &str, then: NaiveDate) -> String {
    let [day, then] = [day, then].map(format_long_day);
    format!("{day} is after {event} ({then}): the search must come first.")
}

/// What a carrier is known by: its code, and its name without what differs from writer to writer.
fn keys(declination: &Declination) -> Vec<String> {
    let letters: String = declination
        .carrier
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    let filler = ["the", "inc", "co", "company", "corp", "corporation", "ins", "insurance", "llc", "ltd"];
    let words: Vec<&str> = letters.split_whitespace().filter(|word| !filler.contains(word)).collect();
    let name = if words.is_empty() { letters.trim().to_owned() } else { words.join(" ") };
    let code = declination.naic.trim();
    let named = if code.is_empty() { name } else { String::new() };
    // Companies of one group differ by their codes, so a name alone counts only where no code is given.
    [format!("#{code}"), named].into_iter().filter(|key| key.len() > 1).collect()
}

/// Everything that is not in order, for these forms.
pub fn check_forms(
    templates: &[&FormTemplate],
    data: &FormData,
    today: Option<NaiveDate>,
) -> Vec<CheckFinding> {
    let mut found: Vec<CheckFinding> = find_unfit(data, today)
        .into_iter()
        .map(|unfit| problem_finding(format!("/declinations/{}/{}", unfit.at, unfit.part), unfit.why))
        .collect();
    found.extend(check_dates(data));
    found.extend(check_choices(templates, data));
    let insurer = (data.field_value("insurer_name").to_lowercase(), data.field_value("insurer_naic"));
    for (at, declination) in data.declinations() {
        let same_name = !insurer.0.is_empty() && declination.carrier.trim().to_lowercase() == insurer.0;
        let same_code = !insurer.1.is_empty() && declination.naic.trim() == insurer.1;
        if same_name || same_code {
            let message = "This is the insurer the risk is placed with: it did not decline.".to_owned();
            found.push(problem_finding(format!("/declinations/{at}/carrier"), message));
        }
    }
    found
}

fn problem_finding(pointer: impl Into<String>, message: impl Into<String>) -> CheckFinding {
    CheckFinding { pointer: pointer.into(), weight: FindingWeight::Problem, message: message.into() }
}

fn warning_finding(pointer: impl Into<String>, message: impl Into<String>) -> CheckFinding {
    CheckFinding { pointer: pointer.into(), weight: FindingWeight::Warning, message: message.into() }
}

fn check_dates(data: &FormData) -> Vec<CheckFinding> {
    let mut found = Vec::new();
    let effective = data.policy_effective;
    if let Some(expires) = data.field_day("policy_expiration_date").filter(|expires| *expires <= effective) {
        let message = format!(
            "The policy would end ({}) before it begins ({}).",
            format_long_day(expires),
            format_long_day(effective)
        );
        found.push(problem_finding("/values/policy_expiration_date", message));
    }
    if let Some(bound) = data.field_day("binding_date").filter(|bound| *bound > effective) {
        let message = format!(
            "Bound on {}, after the policy began ({}): is that right?",
            format_long_day(bound),
            format_long_day(effective)
        );
        found.push(warning_finding("/values/binding_date", message));
    }
    let days: Vec<(usize, NaiveDate)> = data
        .declinations()
        .filter_map(|(at, declination)| Some((at, parse_date(&declination.date)?)))
        .collect();
    for pair in days.windows(2) {
        if let [(_, earlier), (at, later)] = pair
            && later < earlier
        {
            let message = format!(
                "{} is before the declination above it ({}).",
                format_long_day(*later),
                format_long_day(*earlier)
            );
            found.push(warning_finding(format!("/declinations/{at}/date"), message));
        }
    }
    found
}

fn check_choices(templates: &[&FormTemplate], data: &FormData) -> Vec<CheckFinding> {
    let mut found: Vec<CheckFinding> = Vec::new();
    for field in templates.iter().flat_map(|template| template.fields()) {
        let value = data.field_value(&field.name);
        let pointer = format!("/values/{}", field.name);
        if field.kind == FieldKind::YesNo
            && !["", "yes", "no"].contains(&value)
            && !found.iter().any(|earlier| earlier.pointer == pointer)
        {
            found.push(problem_finding(pointer, "yes or no is expected."));
        }
    }
    found
}
