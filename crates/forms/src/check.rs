//! What is not in order, field by field, while the person types.

use std::collections::BTreeMap;

use bordereau_contract::Declination;
use chrono::NaiveDate;

use crate::data::{FormData, date};
use crate::template::{FieldKind, Template};

/// How much something matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// It cannot stand like this.
    Problem,
    /// Worth a look.
    Warning,
}

/// Something that is not in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// JSON pointer into the request.
    pub pointer: String,
    /// How much it matters.
    pub weight: Weight,
    /// Found, expected.
    pub message: String,
}

/// What makes a declination unfit to be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unfit {
    /// Its place in the request.
    pub at: usize,
    /// The part at fault.
    pub part: &'static str,
    /// Why.
    pub why: String,
}

/// Declinations that cannot be counted: of the same carrier as an earlier one, or after the coverage began.
pub(crate) fn unfit(data: &FormData, today: Option<NaiveDate>) -> Vec<Unfit> {
    let mut found = Vec::new();
    let mut carriers: BTreeMap<String, usize> = BTreeMap::new();
    for (at, declination) in data.declinations() {
        let twin = keys(declination).into_iter().filter_map(|key| carriers.get(&key).copied()).next();
        if let Some(twin) = twin {
            let why = format!("This is the carrier of declination {}: one carrier counts once.", twin + 1);
            found.push(Unfit { at, part: "carrier", why });
        }
        for key in keys(declination) {
            carriers.entry(key).or_insert(at);
        }
        if let Some(why) = date(&declination.date).and_then(|day| late(day, data, today)) {
            found.push(Unfit { at, part: "date", why });
        }
    }
    found
}

fn late(day: NaiveDate, data: &FormData, today: Option<NaiveDate>) -> Option<String> {
    if let Some(bound) = data.day("binding_date").filter(|bound| day > *bound) {
        return Some(format!("{day} is after the coverage was bound ({bound}): the search must come first."));
    }
    if day > data.policy_effective {
        let effective = data.policy_effective;
        return Some(format!("{day} is after the policy began ({effective}): the search must come first."));
    }
    today.filter(|today| day > *today).map(|_| format!("{day} is in the future."))
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
#[must_use]
pub fn check(templates: &[&Template], data: &FormData, today: Option<NaiveDate>) -> Vec<Finding> {
    let mut found: Vec<Finding> = unfit(data, today)
        .into_iter()
        .map(|unfit| problem(format!("/declinations/{}/{}", unfit.at, unfit.part), unfit.why))
        .collect();
    found.extend(dates(data));
    found.extend(choices(templates, data));
    let insurer = (data.value("insurer_name").to_lowercase(), data.value("insurer_naic"));
    for (at, declination) in data.declinations() {
        let same_name = !insurer.0.is_empty() && declination.carrier.trim().to_lowercase() == insurer.0;
        let same_code = !insurer.1.is_empty() && declination.naic.trim() == insurer.1;
        if same_name || same_code {
            let message = "This is the insurer the risk is placed with: it did not decline.".to_owned();
            found.push(problem(format!("/declinations/{at}/carrier"), message));
        }
    }
    found
}

fn problem(pointer: impl Into<String>, message: impl Into<String>) -> Finding {
    Finding { pointer: pointer.into(), weight: Weight::Problem, message: message.into() }
}

fn warning(pointer: impl Into<String>, message: impl Into<String>) -> Finding {
    Finding { pointer: pointer.into(), weight: Weight::Warning, message: message.into() }
}

fn dates(data: &FormData) -> Vec<Finding> {
    let mut found = Vec::new();
    let effective = data.policy_effective;
    if let Some(expires) = data.day("policy_expiration_date").filter(|expires| *expires <= effective) {
        let message = format!("The policy would end ({expires}) before it begins ({effective}).");
        found.push(problem("/values/policy_expiration_date", message));
    }
    if let Some(bound) = data.day("binding_date").filter(|bound| *bound > effective) {
        let message = format!("Bound on {bound}, after the policy began ({effective}): is that right?");
        found.push(warning("/values/binding_date", message));
    }
    let days: Vec<(usize, NaiveDate)> =
        data.declinations().filter_map(|(at, declination)| Some((at, date(&declination.date)?))).collect();
    for pair in days.windows(2) {
        if let [(_, earlier), (at, later)] = pair
            && later < earlier
        {
            let message = format!("{later} is before the declination above it ({earlier}).");
            found.push(warning(format!("/declinations/{at}/date"), message));
        }
    }
    found
}

fn choices(templates: &[&Template], data: &FormData) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for field in templates.iter().flat_map(|template| template.fields()) {
        let value = data.value(&field.name);
        let pointer = format!("/values/{}", field.name);
        if field.kind == FieldKind::YesNo
            && !["", "yes", "no"].contains(&value)
            && !found.iter().any(|earlier| earlier.pointer == pointer)
        {
            found.push(problem(pointer, "yes or no is expected."));
        }
    }
    found
}
