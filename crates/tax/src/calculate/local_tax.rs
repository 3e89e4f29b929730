//! Kentucky's city and county tax (KRS 91A.080), from the table; without a match nothing is guessed.

use std::sync::{Arc, LazyLock};

use bordereau_contract::{Charge, EntityType, TransactionType};
use bordereau_money::{Rate, Rounding, Usd};
use chrono::NaiveDate;

use super::Case;
use super::charges::Share;
use crate::answer::{Amounts, CountyOrCity, LineResult, Note, NoteLevel, Text};
use crate::explanation::Explanation;
use crate::kentucky::{Categories, Category, LocalRate, Municipality};
use crate::rulebook::Local;
use crate::trace::{Basis, ChargeTrace, ChargedLines, LineSet};

/// The jurisdictions that tax: name, category, city or county.
pub(super) type Matched = Vec<(Text, &'static str, CountyOrCity)>;

/// City and county tax in numbers.
#[derive(Debug, Default)]
pub(super) struct Levied<'t> {
    levies: Vec<Levy<'t>>,
    found: Vec<Found<'t>>,
}

/// What was found on the way, told in this order.
#[derive(Debug)]
enum Found<'t> {
    ExemptInsured(&'static str),
    NoMatch,
    /// A county was named, and the city beside it is not in the table.
    UnknownCity,
    WorkersCompensation,
    /// A rate that may only be a proposal, or a source that names none.
    Rate(&'t Municipality, Category, &'t LocalRate),
    NoRate(&'t Municipality, Category, NaiveDate),
}

/// Computes the city's and the county's tax where the table has them.
pub(super) fn charge<'t>(case: &Case<'t>, amounts: &mut Amounts) -> Option<Levied<'t>> {
    let mut levied = Levied::default();
    if !case.rules.local_tax {
        return Some(levied);
    }
    if let Some(why) = exempt(case) {
        levied.found.push(Found::ExemptInsured(why));
        return Some(levied);
    }
    let place = find(case);
    if place.city.is_none() && place.county.is_none() {
        levied.found.push(Found::NoMatch);
        return Some(levied);
    }
    if place.unknown_city {
        levied.found.push(Found::UnknownCity);
    }
    for category in categories(case).iter() {
        if category == Category::WorkersCompensation {
            levied.found.push(Found::WorkersCompensation);
            continue;
        }
        let city_rate = place.city.and_then(|city| levied.rate(case, city, category));
        if let (Some(city), Some(rate)) = (place.city, city_rate) {
            amounts.charges.add(Charge::MunicipalFee, Usd::ZERO)?;
            levied.add(city, Charge::MunicipalFee, category, rate, rate.rate?);
        }
        let Some(county) = place.county.filter(|county| place.city.is_none() || county.within_cities) else {
            continue;
        };
        if let Some(rate) = levied.rate(case, county, category) {
            amounts.charges.add(Charge::CountyFee, Usd::ZERO)?;
            let excess = excess(rate.rate?, city_rate.and_then(|r| r.rate));
            levied.add(county, Charge::CountyFee, category, rate, excess);
        }
    }
    for levy in &mut levied.levies {
        levy.compute(case)?;
    }
    Some(levied)
}

impl<'t> Levied<'t> {
    /// Each amount with its field.
    pub(super) fn amounts(&self) -> impl Iterator<Item = (Charge, Usd)> {
        self.levies.iter().map(|levy| (levy.field, levy.amount))
    }

    /// Exactly so many traces.
    pub(super) fn count(&self) -> usize {
        self.levies.len()
    }

    /// Name, category, and whether city or county, of each place that taxes: by category, the city first.
    pub(super) fn matched(&self) -> Matched {
        let mut matched = Vec::new();
        let all = self.levies.iter().fold(Categories::default(), |all, levy| all.and(levy.categories));
        for category in all.iter() {
            for kind in [CountyOrCity::City, CountyOrCity::County] {
                let taxes = |l: &&Levy<'_>| l.place.kind == kind && l.categories.contains(category);
                let levy = self.levies.iter().find(taxes);
                matched.extend(levy.map(|l| (Arc::clone(&l.place.name), category.line_category(), kind)));
            }
        }
        matched
    }

    /// The city's rate: that of the first line where it has one.
    pub(super) fn city_rate(&self, case: &Case<'_>) -> Option<Rate> {
        let first = case.lines.first().map(|asked| asked.line.class.kentucky())?;
        let of_city = || self.levies.iter().filter(|levy| levy.field == Charge::MunicipalFee);
        let levy = of_city().find(|levy| levy.categories.contains(first)).or_else(|| of_city().next())?;
        Some(levy.rate)
    }

    /// Adds the trace of each tax, and what was found on the way.
    pub(super) fn explain(
        &self,
        case: &Case<'_>,
        lines: &Arc<[LineResult]>,
        traces: &mut Vec<ChargeTrace>,
        notes: &mut Vec<Arc<Note>>,
    ) {
        notes.extend(self.found.iter().map(|found| found.note(case)));
        traces.extend(self.levies.iter().map(|levy| levy.trace(case, lines)));
    }

    /// The rate of the day, where there is one to charge.
    fn rate(
        &mut self,
        case: &Case<'_>,
        place: &'t Municipality,
        category: Category,
    ) -> Option<&'t LocalRate> {
        let date = dated(case);
        let Some(rate) = place.rate_on(category, date) else {
            self.found.push(Found::NoRate(place, category, date));
            return None;
        };
        self.found.push(Found::Rate(place, category, rate));
        (!rate.proposed && rate.rate.is_some()).then_some(rate)
    }

    fn add(
        &mut self,
        place: &'t Municipality,
        field: Charge,
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
        match self.levies.iter_mut().find(same) {
            Some(levy) => levy.categories.insert(category),
            None => self.levies.push(Levy::new(place, field, category, local, rate)),
        }
    }
}

impl Found<'_> {
    fn note(&self, case: &Case<'_>) -> Arc<Note> {
        match self {
            Found::ExemptInsured(why) => warning("local_tax_exempt", why),
            Found::NoMatch => warning("local_tax_not_found", &no_match(case)),
            Found::UnknownCity => warning("local_city_not_found", &unknown_city(case)),
            Found::WorkersCompensation => Arc::clone(&WORKERS_COMPENSATION),
            Found::Rate(place, category, rate) => rate.note_of(place, *category),
            Found::NoRate(place, category, date) => {
                let (name, category) = (&place.name, category.line_category());
                let words =
                    format!("{name}, {category}: the table has no rate for {date}, so nothing was charged.");
                warning("local_rate_not_found", &words)
            }
        }
    }
}

/// A place's tax at one rate, on all categories of lines that have it: rounded once, not once a category.
/// Amounts in USD, negative for a credit.
#[derive(Debug)]
struct Levy<'t> {
    place: &'t Municipality,
    field: Charge,
    categories: Categories,
    lines: LineSet,
    local: &'t LocalRate,
    rate: Rate,
    premium: Usd,
    agency_fee: Usd,
    inspection_fee: Usd,
    total: Usd,
    unrounded: Usd,
    amount: Usd,
}

impl<'t> Levy<'t> {
    fn new(
        place: &'t Municipality,
        field: Charge,
        category: Category,
        local: &'t LocalRate,
        rate: Rate,
    ) -> Levy<'t> {
        let nothing = Usd::ZERO;
        Levy {
            place,
            field,
            categories: Categories::only(category),
            lines: LineSet::default(),
            local,
            rate,
            premium: nothing,
            agency_fee: nothing,
            inspection_fee: nothing,
            total: nothing,
            unrounded: nothing,
            amount: nothing,
        }
    }

    fn compute(&mut self, case: &Case<'_>) -> Option<()> {
        self.lines = case.places(|asked| self.categories.contains(asked.line.class.kentucky()));
        let premium = case.premium_at(self.lines)?;
        let share = Share::new(case, self.lines, premium);
        self.premium = case.signed(premium);
        self.agency_fee = case.signed(share.of(case.agency_fee)?);
        self.inspection_fee = case.signed(share.of(case.inspection_fee)?);
        self.total = self.premium.checked_add(self.agency_fee)?.checked_add(self.inspection_fee)?;
        self.unrounded = self.total.checked_mul(self.rate)?;
        self.amount = self.unrounded.round(Rounding::CENT);
        Some(())
    }

    fn trace(&self, case: &Case<'_>, lines: &Arc<[LineResult]>) -> ChargeTrace {
        let Levy { local, rate, amount, total, .. } = *self;
        let credited = Some(rate) != local.rate;
        let basis = Basis {
            premium: self.premium,
            agency_fee: self.agency_fee,
            inspection_fee: self.inspection_fee,
            portion: Rate::ONE,
            total,
            text: Arc::clone(if credited { &ON_CREDITED } else { &ON }),
        };
        let explanation = Explanation {
            base: total,
            portion_of: None,
            sum_of: basis.sum(),
            fee_charged_by: None,
            rate: Some(rate),
            rounding: Rounding::CENT,
            amount,
            waived: None,
        };
        ChargeTrace {
            rule: local.rule(self.place, rate, &case.rules.titles),
            lines: ChargedLines::new(lines, self.lines),
            basis,
            unrounded: self.unrounded,
            amount,
            dated: dated(case),
            explanation,
        }
    }
}

static ON: LazyLock<Text> = LazyLock::new(|| "premium and both fees of the lines in this category".into());
static ON_CREDITED: LazyLock<Text> = LazyLock::new(|| {
    "premium and both fees of the lines in this category; the city's tax is credited against the county's"
        .into()
});
static WORKERS_COMPENSATION: LazyLock<Arc<Note>> = LazyLock::new(|| {
    let words = "Workers' compensation is exempt from the city and county tax.";
    Note::new(NoteLevel::Info, "local_tax_exempt", words, None)
});

struct Place<'t> {
    city: Option<&'t Municipality>,
    county: Option<&'t Municipality>,
    /// A city was given beside the county, and the table does not have it.
    unknown_city: bool,
}

/// What the person named wins; the city of the address is tried as the name of a taxing city.
fn find<'t>(case: &Case<'t>) -> Place<'t> {
    let lookup = |name: &Option<String>| {
        let name = name.as_deref()?;
        let local: &'t Local = case.local;
        local.kentucky.iter().find_map(|table| table.find(name))
    };
    let location = &case.input.location;
    let named = lookup(&location.municipality);
    // A name that was given and not found is not replaced by the address: that would be a guess.
    let given = location.municipality.as_ref().is_some_and(|name| !name.trim().is_empty());
    let address = lookup(&location.city).filter(|m| m.kind == CountyOrCity::City);
    let (city, county) = match named {
        Some(m) if m.kind == CountyOrCity::County => (address, Some(m)),
        Some(m) => (Some(m), None),
        None if given => (None, None),
        None => (address, None),
    };
    let has_city = location.city.as_ref().is_some_and(|name| !name.trim().is_empty());
    Place { city, county, unknown_city: county.is_some() && city.is_none() && has_city }
}

fn unknown_city(case: &Case<'_>) -> String {
    let city = case.input.location.city.as_deref().unwrap_or_default().trim();
    let found: String = city.chars().take(60).collect();
    format!(
        "\"{found}\" is not in the table of cities: if it has a tax of its own, that is missing here and lowers the county's."
    )
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

/// Why the insured pays no city or county tax.
fn exempt(case: &Case<'_>) -> Option<&'static str> {
    match case.input.entity {
        EntityType::Governmental => Some(
            "Policies that insure the state, its agencies, political subdivisions or school districts are usually exempt from the city and county tax: none was charged. Check the ordinance.",
        ),
        EntityType::Federal => {
            Some("A city or a county does not tax the federal government: no city or county tax was charged.")
        }
        _ if case.input.tax_exempt => Some(
            "The insured is marked tax exempt: no city or county tax was charged. Check that the exemption covers it.",
        ),
        _ => None,
    }
}

/// The categories of the lines.
fn categories(case: &Case<'_>) -> Categories {
    case.lines.iter().map(|asked| asked.line.class.kentucky()).collect()
}

/// First day of the policy term; additional premium of a mid-term change takes its own date (KRS 91A.080(3)).
fn dated(case: &Case<'_>) -> NaiveDate {
    use TransactionType as T;
    let own = matches!(case.input.transaction_type, T::AdditionalPremium | T::Extension);
    if own { case.input.transaction_effective } else { case.input.policy_effective }
}

/// The city's tax is credited against the county's on the same premium (KRS 91A.080(12)).
fn excess(county: Rate, city: Option<Rate>) -> Rate {
    city.map_or(county, |city| county.saturating_sub(city))
}

fn warning(code: &'static str, text: &str) -> Arc<Note> {
    Note::new(NoteLevel::Warning, code, text, None)
}
