//! Kentucky's city and county tax (KRS 91A.080), from the table; without a match nothing is guessed.

use bordereau_contract::format_long_day;
use std::sync::{Arc, LazyLock};

use bordereau_contract::{Charge, EntityType, TransactionType};
use bordereau_money::{Rate, Rounding, Usd};
use chrono::NaiveDate;

use super::QuoteCase;
use super::charges::FeeShare;
use crate::answer::{CountyOrCity, LineResult, NoteLevel, QuoteAmounts, QuoteNote, RuleText};
use crate::explanation::ChargeExplanation;
use crate::kentucky::{CategorySet, LocalRate, Municipality, TaxCategory};
use crate::rulebook::LocalTables;
use crate::trace::{ChargeBasis, ChargeTrace, ChargedLines, LineSet};

/// The jurisdictions that tax: name, category, city or county.
pub(super) type MatchedJurisdictions = Vec<(RuleText, &'static str, CountyOrCity)>;

/// City and county tax in numbers.
#[derive(Debug, Default)]
pub(super) struct LocalTaxes<'t> {
    levies: Vec<LocalLevy<'t>>,
    found: Vec<LocalTaxFinding<'t>>,
}

/// What was found on the way, told in this order.
#[derive(Debug)]
enum LocalTaxFinding<'t> {
    ExemptInsured(&'static str),
    NoMatch,
    /// A county was named, and the city beside it is not in the table.
    UnknownCity,
    WorkersCompensation,
    /// A rate that may only be a proposal, or a source that names none.
    Rate(&'t Municipality, TaxCategory, &'t LocalRate),
    NoRate(&'t Municipality, TaxCategory, NaiveDate),
}

/// Computes the city's and the county's tax where the table has them.
pub(super) fn compute_local_taxes<'t>(
    case: &QuoteCase<'t>,
    amounts: &mut QuoteAmounts,
) -> Option<LocalTaxes<'t>> {
    let mut levied = LocalTaxes::default();
    if !case.rules.local_tax {
        return Some(levied);
    }
    if let Some(why) = exemption_reason(case) {
        amounts.charges.add(Charge::MunicipalFee, Usd::ZERO)?;
        levied.found.push(LocalTaxFinding::ExemptInsured(why));
        return Some(levied);
    }
    let place = find_places(case);
    if place.city.is_none() && place.county.is_none() {
        levied.found.push(LocalTaxFinding::NoMatch);
        return Some(levied);
    }
    if place.unknown_city {
        levied.found.push(LocalTaxFinding::UnknownCity);
    }
    for category in line_categories(case).iter() {
        if category == TaxCategory::WorkersCompensation {
            let field = if place.city.is_some() { Charge::MunicipalFee } else { Charge::CountyFee };
            amounts.charges.add(field, Usd::ZERO)?;
            levied.found.push(LocalTaxFinding::WorkersCompensation);
            continue;
        }
        let city_rate = place.city.and_then(|city| levied.rate_on_date(case, city, category));
        if let (Some(city), Some(rate)) = (place.city, city_rate) {
            amounts.charges.add(Charge::MunicipalFee, Usd::ZERO)?;
            levied.add(city, Charge::MunicipalFee, category, rate, rate.rate?);
        }
        let Some(county) = place.county.filter(|county| place.city.is_none() || county.within_cities) else {
            continue;
        };
        if let Some(rate) = levied.rate_on_date(case, county, category) {
            amounts.charges.add(Charge::CountyFee, Usd::ZERO)?;
            let excess = excess_rate(rate.rate?, city_rate.and_then(|r| r.rate));
            levied.add(county, Charge::CountyFee, category, rate, excess);
        }
    }
    for levy in &mut levied.levies {
        levy.compute_amount(case)?;
    }
    Some(levied)
}

impl<'t> LocalTaxes<'t> {
    /// Each amount with its field.
    pub(super) fn field_amounts(&self) -> impl Iterator<Item = (Charge, Usd)> {
        self.levies.iter().map(|levy| (levy.field, levy.amount))
    }

    /// The taxes that may be due and that the table does not have.
    pub(super) fn unknown(&self, case: &QuoteCase<'_>) -> impl Iterator<Item = (Charge, Arc<QuoteNote>)> {
        self.found.iter().flat_map(move |found| {
            let note = move |charge| (charge, found.to_note(case));
            found.unknown_fields().iter().copied().map(note)
        })
    }

    /// Exactly so many traces.
    pub(super) fn count(&self) -> usize {
        self.levies.len()
    }

    /// Name, category, and whether city or county, of each place that taxes: by category, the city first.
    pub(super) fn matched_jurisdictions(&self) -> MatchedJurisdictions {
        let mut matched = Vec::new();
        let all =
            self.levies.iter().fold(CategorySet::default(), |all, levy| all.union_with(levy.categories));
        for category in all.iter() {
            for kind in [CountyOrCity::City, CountyOrCity::County] {
                let taxes = |l: &&LocalLevy<'_>| l.place.kind == kind && l.categories.contains(category);
                let levy = self.levies.iter().find(taxes);
                matched.extend(levy.map(|l| (Arc::clone(&l.place.name), category.line_category(), kind)));
            }
        }
        matched
    }

    /// The city's rate: that of the first line where it has one.
    pub(super) fn city_rate(&self, case: &QuoteCase<'_>) -> Option<Rate> {
        let first = case.lines.first().map(|asked| asked.line.class.kentucky())?;
        let of_city = || self.levies.iter().filter(|levy| levy.field == Charge::MunicipalFee);
        let levy = of_city().find(|levy| levy.categories.contains(first)).or_else(|| of_city().next())?;
        Some(levy.rate)
    }

    /// Adds the trace of each tax, and what was found on the way.
    pub(super) fn add_traces(
        &self,
        case: &QuoteCase<'_>,
        lines: &Arc<[LineResult]>,
        traces: &mut Vec<ChargeTrace>,
        notes: &mut Vec<Arc<QuoteNote>>,
    ) {
        notes.extend(self.found.iter().map(|found| found.to_note(case)));
        traces.extend(self.levies.iter().map(|levy| levy.to_trace(case, lines)));
    }

    /// The rate of the day, where there is one to charge.
    fn rate_on_date(
        &mut self,
        case: &QuoteCase<'_>,
        place: &'t Municipality,
        category: TaxCategory,
    ) -> Option<&'t LocalRate> {
        let date = term_start(case);
        let Some(rate) = place.rate_on(category, date) else {
            self.found.push(LocalTaxFinding::NoRate(place, category, date));
            return None;
        };
        self.found.push(LocalTaxFinding::Rate(place, category, rate));
        (!rate.proposed && rate.rate.is_some()).then_some(rate)
    }

    fn add(
        &mut self,
        place: &'t Municipality,
        field: Charge,
        category: TaxCategory,
        local: &'t LocalRate,
        rate: Rate,
    ) {
        let same = |l: &&mut LocalLevy<'_>| {
            (l.field, l.rate, l.local.rate) == (field, rate, local.rate)
                && (l.local.from, l.local.until) == (local.from, local.until)
                && l.local.checked == local.checked
                && (&l.local.note, l.local.minimum) == (&local.note, local.minimum)
        };
        match self.levies.iter_mut().find(same) {
            Some(levy) => levy.categories.insert(category),
            None => self.levies.push(LocalLevy::new(place, field, category, local, rate)),
        }
    }
}

impl LocalTaxFinding<'_> {
    /// The fields of which it says that an amount is missing.
    fn unknown_fields(&self) -> &'static [Charge] {
        match self {
            LocalTaxFinding::NoMatch => &[Charge::MunicipalFee, Charge::CountyFee],
            LocalTaxFinding::UnknownCity => &[Charge::MunicipalFee],
            LocalTaxFinding::Rate(_, _, rate) if !rate.proposed && rate.rate.is_some() => &[],
            LocalTaxFinding::Rate(place, ..) | LocalTaxFinding::NoRate(place, ..) => match place.kind {
                CountyOrCity::City => &[Charge::MunicipalFee],
                CountyOrCity::County => &[Charge::CountyFee],
            },
            LocalTaxFinding::ExemptInsured(_) | LocalTaxFinding::WorkersCompensation => &[],
        }
    }

    fn to_note(&self, case: &QuoteCase<'_>) -> Arc<QuoteNote> {
        match self {
            LocalTaxFinding::ExemptInsured(why) => warning_note("local_tax_exempt", why),
            LocalTaxFinding::NoMatch => warning_note("local_tax_not_found", &no_match(case)),
            LocalTaxFinding::UnknownCity => warning_note("local_city_not_found", &unknown_city(case)),
            LocalTaxFinding::WorkersCompensation => Arc::clone(&WORKERS_COMPENSATION),
            LocalTaxFinding::Rate(place, category, rate) => rate.note_of(place, *category),
            LocalTaxFinding::NoRate(place, category, date) => {
                let (name, category) = (&place.name, category.line_category());
                let words = format!(
                    "{name}, {category}: the table has no rate for {}, so nothing was charged.",
                    format_long_day(*date)
                );
                warning_note("local_rate_not_found", &words)
            }
        }
    }
}

/// A place's tax at one rate, on all categories of lines that have it: rounded once, not once a category.
/// Amounts in USD, negative for a credit.
#[derive(Debug)]
struct LocalLevy<'t> {
    place: &'t Municipality,
    field: Charge,
    categories: CategorySet,
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

impl<'t> LocalLevy<'t> {
    fn new(
        place: &'t Municipality,
        field: Charge,
        category: TaxCategory,
        local: &'t LocalRate,
        rate: Rate,
    ) -> LocalLevy<'t> {
        let nothing = Usd::ZERO;
        LocalLevy {
            place,
            field,
            categories: CategorySet::only(category),
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

    fn compute_amount(&mut self, case: &QuoteCase<'_>) -> Option<()> {
        self.lines = case.lines_where(|asked| self.categories.contains(asked.line.class.kentucky()));
        let premium = case.premium_at(self.lines)?;
        let share = FeeShare::new(case, self.lines, premium);
        self.premium = case.with_sign(premium);
        self.agency_fee = case.with_sign(share.portion_of(case.agency_fee)?);
        self.inspection_fee = case.with_sign(share.portion_of(case.inspection_fee)?);
        self.total = self.premium.checked_add(self.agency_fee)?.checked_add(self.inspection_fee)?;
        self.unrounded = self.total.checked_mul(self.rate)?;
        self.amount = self.unrounded.round(Rounding::Cent);
        Some(())
    }

    fn to_trace(&self, case: &QuoteCase<'_>, lines: &Arc<[LineResult]>) -> ChargeTrace {
        let LocalLevy { local, rate, amount, total, .. } = *self;
        let credited = Some(rate) != local.rate;
        let basis = ChargeBasis {
            premium: self.premium,
            agency_fee: self.agency_fee,
            inspection_fee: self.inspection_fee,
            portion: Rate::ONE,
            total,
            text: Arc::clone(if credited { &ON_CREDITED } else { &ON }),
        };
        let explanation = ChargeExplanation {
            base: total,
            portion_of: None,
            sum_of: basis.sum(),
            fee_charged_by: None,
            rate: Some(rate),
            at_most: None,
            rounding: Rounding::Cent,
            amount,
            waived: None,
        };
        ChargeTrace {
            rule: local.rule_at_rate(self.place, rate, &case.rules.titles),
            lines: ChargedLines::new(lines, self.lines),
            basis,
            unrounded: self.unrounded,
            amount,
            dated: term_start(case),
            explanation,
        }
    }
}

static ON: LazyLock<RuleText> =
    LazyLock::new(|| "premium and both fees of the lines in this category".into());
static ON_CREDITED: LazyLock<RuleText> = LazyLock::new(|| {
    "premium and both fees of the lines in this category; the city's tax is credited against the county's"
        .into()
});
static WORKERS_COMPENSATION: LazyLock<Arc<QuoteNote>> = LazyLock::new(|| {
    let words = "Workers' compensation is exempt from the city and county tax.";
    QuoteNote::new(NoteLevel::Info, "local_tax_exempt", words, None)
});

struct TaxingPlaces<'t> {
    city: Option<&'t Municipality>,
    county: Option<&'t Municipality>,
    /// A city was given beside the county, and the table does not have it.
    unknown_city: bool,
}

/// What the person named wins; the city of the address is tried as the name of a taxing city.
fn find_places<'t>(case: &QuoteCase<'t>) -> TaxingPlaces<'t> {
    let lookup = |name: &Option<String>| {
        let name = name.as_deref()?;
        let local: &'t LocalTables = case.local;
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
    TaxingPlaces { city, county, unknown_city: county.is_some() && city.is_none() && has_city }
}

fn unknown_city(case: &QuoteCase<'_>) -> String {
    let city = case.input.location.city.as_deref().unwrap_or_default().trim();
    let found: String = city.chars().take(60).collect();
    format!(
        "\"{found}\" is not in the table of cities: if it has its own tax, that is missing here and reduces the county's."
    )
}

fn no_match(case: &QuoteCase<'_>) -> String {
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
fn exemption_reason(case: &QuoteCase<'_>) -> Option<&'static str> {
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
fn line_categories(case: &QuoteCase<'_>) -> CategorySet {
    case.lines.iter().map(|asked| asked.line.class.kentucky()).collect()
}

/// First day of the policy term; additional premium of a mid-term change takes its own date (KRS 91A.080(3)).
fn term_start(case: &QuoteCase<'_>) -> NaiveDate {
    use TransactionType as T;
    let own = matches!(case.input.transaction_type, T::AdditionalPremium | T::Extension);
    if own { case.input.transaction_effective } else { case.input.policy_effective }
}

/// The city's tax is credited against the county's on the same premium (KRS 91A.080(12)).
fn excess_rate(county: Rate, city: Option<Rate>) -> Rate {
    city.map_or(county, |city| county.saturating_sub(city))
}

fn warning_note(code: &'static str, text: &str) -> Arc<QuoteNote> {
    QuoteNote::new(NoteLevel::Warning, code, text, None)
}
