//! Kentucky's city and county tax (KRS 91A.080), from the table; without a match nothing is guessed.

use std::sync::Arc;

use bordereau_contract::{EntityType, TransactionType};
use bordereau_money::{Rate, Rounding, Usd};
use jiff::civil::Date;

use super::Case;
use super::charges::{Share, codes};
use crate::answer::{
    Amounts, Basis, ChargeTrace, Confidence, CountyOrCity, Field, Note, NoteLevel, Source, Text,
};
use crate::explanation::Explanation;
use crate::kentucky::{Category, LocalRate, Municipality};

/// The jurisdictions that tax: name, category, city or county.
pub(super) type Matched = Vec<(String, String, CountyOrCity)>;

/// Adds the city's and the county's tax where the table has them.
pub(super) fn charge(
    case: &Case<'_>,
    traces: &mut Vec<ChargeTrace>,
    amounts: &mut Amounts,
    notes: &mut Vec<Arc<Note>>,
) -> Option<Matched> {
    if !case.rules.local_tax {
        return Some(Vec::new());
    }
    if case.input.entity == EntityType::Governmental {
        warn(
            notes,
            "local_tax_exempt",
            "Policies that insure the state, its agencies, political subdivisions or school districts are usually exempt from the city and county tax: none was charged. Check the ordinance.",
        );
        return Some(Vec::new());
    }
    let place = find(case);
    if place.city.is_none() && place.county.is_none() {
        warn(notes, "local_tax_not_found", &no_match(case));
        return Some(Vec::new());
    }
    let mut matched = Vec::new();
    let mut levies: Vec<Levy<'_>> = Vec::new();
    for category in categories(case) {
        if category == Category::WorkersCompensation {
            info(notes, "local_tax_exempt", "Workers' compensation is exempt from the city and county tax.");
            continue;
        }
        let city_rate = place.city.and_then(|city| levy(case, city, category, notes));
        if let (Some(city), Some(rate)) = (place.city, city_rate) {
            amounts.municipal_fee.get_or_insert(Usd::ZERO);
            Levy::add(&mut levies, city, Field::MunicipalFee, category, rate, rate.rate?);
            matched.push(entry(city, category));
        }
        let Some(county) = place.county.filter(|county| place.city.is_none() || county.within_cities) else {
            continue;
        };
        if let Some(rate) = levy(case, county, category, notes) {
            amounts.county_fee.get_or_insert(Usd::ZERO);
            let excess = excess(rate.rate?, city_rate.and_then(|r| r.rate));
            Levy::add(&mut levies, county, Field::CountyFee, category, rate, excess);
            matched.push(entry(county, category));
        }
    }
    for levy in &levies {
        traces.push(levy.trace(case)?);
    }
    Some(matched)
}

/// A place's tax at one rate, on all categories of lines that have it: rounded once, not once a category.
struct Levy<'t> {
    place: &'t Municipality,
    field: Field,
    categories: Vec<Category>,
    local: &'t LocalRate,
    rate: Rate,
}

impl<'t> Levy<'t> {
    fn add(
        levies: &mut Vec<Levy<'t>>,
        place: &'t Municipality,
        field: Field,
        category: Category,
        local: &'t LocalRate,
        rate: Rate,
    ) {
        let same = |l: &&mut Levy<'_>| {
            (l.field, l.rate, l.local.rate) == (field, rate, local.rate)
                && (l.local.from, l.local.until) == (local.from, local.until)
                && l.local.checked == local.checked
                && (&l.local.note, l.local.minimum) == (&local.note, local.minimum)
        };
        match levies.iter_mut().find(same) {
            Some(levy) => levy.categories.push(category),
            None => levies.push(Levy { place, field, categories: vec![category], local, rate }),
        }
    }

    fn trace(&self, case: &Case<'_>) -> Option<ChargeTrace> {
        let Levy { place, field, local, rate, .. } = self;
        let (field, rate) = (*field, *rate);
        let taken = || case.lines.iter().filter(|(line, _)| self.categories.contains(&line.class.kentucky()));
        let premium = Usd::checked_sum(taken().map(|(_, premium)| *premium))?;
        let share = Share::new(case, taken(), premium);
        let basis_premium = case.signed(premium);
        let agency_fee = case.signed(share.of(case.agency_fee)?);
        let inspection_fee = case.signed(share.of(case.inspection_fee)?);
        let total = basis_premium.checked_add(agency_fee)?.checked_add(inspection_fee)?;
        let unrounded = total.checked_mul(rate)?;
        let amount = unrounded.round(Rounding::CENT);
        let titles = &case.rules.titles;
        let title = if field == Field::MunicipalFee { &titles.municipal_fee } else { &titles.county_fee };
        Some(ChargeTrace {
        kind: "local_government_premium_tax".into(),
        field,
        title: format!("{title}: {}", place.name).into(),
        lines: codes(taken().map(|(line, _)| *line)),
        basis: Basis { premium: basis_premium, agency_fee, inspection_fee, portion: Rate::ONE, total, text: basis_words(rate, local) },
        rate: Some(rate),
        flat: None,
        rounding: Rounding::CENT,
        unrounded,
        amount,
        from: local.from,
        until: local.until,
        dated: dated(case),
        dated_by: "first day of the policy term; premium of a mid-term change by the date of the change; a return at the rate it was collected (KRS 91A.080(3))".into(),
        sources: Arc::clone(&local.sources),
        checked: local.checked.clone(),
        explanation: Explanation { base: total, portion_of: None, rate: Some(rate), rounding: Rounding::CENT, amount, waived: None },
        note: remark(local),
    })
    }
}

struct Place<'t> {
    city: Option<&'t Municipality>,
    county: Option<&'t Municipality>,
}

/// What the person named wins; the city of the address is tried as the name of a taxing city.
fn find<'t>(case: &'t Case<'_>) -> Place<'t> {
    let lookup = |name: &Option<String>| {
        let name = name.as_deref()?;
        case.local.kentucky.iter().find_map(|table| table.find(name))
    };
    let location = &case.input.location;
    let named = lookup(&location.municipality);
    // A name that was given and not found is not replaced by the address: that would be a guess.
    let given = location.municipality.as_ref().is_some_and(|name| !name.trim().is_empty());
    let address = lookup(&location.city).filter(|m| m.kind == CountyOrCity::City);
    match named {
        Some(m) if m.kind == CountyOrCity::County => Place { city: address, county: Some(m) },
        Some(m) => Place { city: Some(m), county: None },
        None if given => Place { city: None, county: None },
        None => Place { city: address, county: None },
    }
}

fn no_match(case: &Case<'_>) -> String {
    let location = &case.input.location;
    let name = location.municipality.as_deref().or(location.city.as_deref()).unwrap_or("").trim();
    let found: String = name.chars().take(60).collect();
    let which = if found.is_empty() {
        "No city or county was named".into()
    } else {
        format!("\"{found}\" is not in the table")
    };
    format!(
        "{which}, so no city or county tax was calculated. The built-in table is partial: look the rate up in the Department of Insurance schedule, or add your own table."
    )
}

/// The categories of the lines, each once, in a fixed order.
fn categories(case: &Case<'_>) -> Vec<Category> {
    let mut categories: Vec<Category> = case.lines.iter().map(|(line, _)| line.class.kentucky()).collect();
    categories.sort_unstable();
    categories.dedup();
    categories
}

/// The rate of the day, or a note on why there is none.
fn levy<'t>(
    case: &Case<'_>,
    place: &'t Municipality,
    category: Category,
    notes: &mut Vec<Arc<Note>>,
) -> Option<&'t LocalRate> {
    let date = dated(case);
    let name = format!("{}, {}", place.name, category.line_category());
    match place.rate_on(category, date) {
        Some(rate) if rate.proposed => {
            warn(
                notes,
                "local_rate_proposed",
                &format!("{name}: the rate is only a proposal, so nothing was charged."),
            );
            None
        }
        Some(rate) if rate.rate.is_none() => {
            let remark = rate.note.as_deref().unwrap_or_default();
            warn(
                notes,
                "local_rate_not_found",
                &format!("{name}: the source names no single rate, so nothing was charged. {remark}"),
            );
            None
        }
        Some(rate) => {
            let age = format!("{name}: {} ({}).", percent_words(rate), rate.checked.text);
            let level = if rate.checked.level == Confidence::Confirmed {
                NoteLevel::Info
            } else {
                NoteLevel::Warning
            };
            push(notes, level, "local_rate_age", &age, rate.sources.first());
            Some(rate)
        }
        None => {
            warn(
                notes,
                "local_rate_not_found",
                &format!("{name}: the table has no rate for {date}, so nothing was charged."),
            );
            None
        }
    }
}

fn percent_words(rate: &LocalRate) -> String {
    rate.rate.map(|rate| format!("{} %", rate.percent())).unwrap_or_default()
}

/// First day of the policy term; additional premium of a mid-term change takes its own date (KRS 91A.080(3)).
fn dated(case: &Case<'_>) -> Date {
    use TransactionType as T;
    let own = matches!(case.input.transaction_type, T::AdditionalPremium | T::Extension);
    if own { case.input.transaction_effective } else { case.input.policy_effective }
}

/// The city's tax is credited against the county's on the same premium (KRS 91A.080(12)).
fn excess(county: Rate, city: Option<Rate>) -> Rate {
    city.map_or(county, |city| county.saturating_sub(city))
}

fn basis_words(rate: Rate, local: &LocalRate) -> Text {
    if Some(rate) == local.rate {
        "premium and both fees of the lines in this category".into()
    } else {
        "premium and both fees of the lines in this category; the city's tax is credited against the county's"
            .into()
    }
}

fn remark(local: &LocalRate) -> Option<Text> {
    let minimum = local
        .minimum
        .map(|m| format!("Minimum {} per quarter and insurer, not applied to one policy.", m.to_grouped()));
    match (&local.note, minimum) {
        (note, None) => note.clone(),
        (None, Some(minimum)) => Some(minimum.into()),
        (Some(note), Some(minimum)) => Some(format!("{note} {minimum}").into()),
    }
}

fn entry(place: &Municipality, category: Category) -> (String, String, CountyOrCity) {
    (place.name.to_string(), category.line_category().to_string(), place.kind)
}

fn warn(notes: &mut Vec<Arc<Note>>, code: &str, text: &str) {
    push(notes, NoteLevel::Warning, code, text, None);
}

fn info(notes: &mut Vec<Arc<Note>>, code: &str, text: &str) {
    push(notes, NoteLevel::Info, code, text, None);
}

fn push(notes: &mut Vec<Arc<Note>>, level: NoteLevel, code: &str, text: &str, source: Option<&Source>) {
    notes.push(Arc::new(Note { level, code: code.into(), text: text.into(), source: source.cloned() }));
}
