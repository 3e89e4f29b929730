//! The table of Kentucky's cities and counties: rates of the local government premium tax.
//!
//! Names match after normalization only (case, blanks, punctuation, `City of`); nothing is guessed.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use bordereau_contract::parse_calendar_day;
use bordereau_money::{Rate, Usd};
use chrono::NaiveDate;

use super::rate::LocalValue;
use super::{LocalRate, TaxCategory};
use crate::answer::{Confidence, ConfidenceNote, CountyOrCity, RuleSource, RuleText};
use crate::csv::{CsvTable, TableProblem, trimmed_cell};

/// A taxing city or county.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Municipality {
    /// Its name as listed.
    pub name: RuleText,
    /// City or county; urban-county and consolidated governments count as cities.
    pub kind: CountyOrCity,
    /// Whether a county also taxes inside cities (the city's tax is credited then).
    pub within_cities: bool,
    rates: Vec<(TaxCategory, Vec<LocalRate>)>,
}

impl Municipality {
    /// The rates of a category, oldest first; `None` when the table says nothing about the category.
    pub fn rates_for(&self, category: TaxCategory) -> Option<&[LocalRate]> {
        self.rates.iter().find(|(c, _)| *c == category).map(|(_, rates)| rates.as_slice())
    }

    /// The rate in force on a day.
    pub fn rate_on(&self, category: TaxCategory, date: NaiveDate) -> Option<&LocalRate> {
        let in_force = |r: &&LocalRate| {
            r.from.is_none_or(|from| from <= date) && r.until.is_none_or(|until| date <= until)
        };
        self.rates_for(category)?.iter().rev().find(in_force)
    }
}

/// A table of taxing cities and counties. Cheap to clone.
#[derive(Clone, Debug)]
pub struct KentuckyTable(Arc<JurisdictionIndex>);

#[derive(Debug)]
struct JurisdictionIndex {
    jurisdictions: Vec<Municipality>,
    by_name: HashMap<String, usize>,
}

impl KentuckyTable {
    /// The partial table that comes with the application (`kentucky.csv`).
    ///
    /// # Panics
    /// Never: a test reads the table.
    pub fn builtin() -> KentuckyTable {
        static TABLE: OnceLock<KentuckyTable> = OnceLock::new();
        TABLE
            .get_or_init(|| {
                KentuckyTable::from_csv(include_str!("../../kentucky.csv"))
                    .expect("the built-in table of Kentucky is tested")
            })
            .clone()
    }

    /// Reads a table with the columns `jurisdiction`, `category`, `rate`, optionally `kind` (city or
    /// county), `from`, `until`, `within_cities`, `aliases`, `minimum`, `status`, `checked`, `age`,
    /// `source`, `note`. The category `all` means every category; the rate is a fraction.
    ///
    /// # Errors
    /// Every row at fault.
    pub fn from_csv(text: &str) -> Result<KentuckyTable, Vec<TableProblem>> {
        let table = CsvTable::read(text)?;
        table.required_column("jurisdiction")?;
        table.required_column("category")?;
        table.required_column("rate")?;
        let mut named = JurisdictionIndex { jurisdictions: Vec::new(), by_name: HashMap::new() };
        let mut problems = Vec::new();
        for (row, cells) in &table.rows {
            let get = |name: &str| table.find_column(name).map_or("", |at| trimmed_cell(cells, at));
            if let Err(message) = named.add(&get) {
                problems.push(TableProblem::new(*row, message));
            }
        }
        if named.jurisdictions.is_empty() && problems.is_empty() {
            problems.push(TableProblem::new(1, "the table has no rates"));
        }
        problems.extend(named.find_overlaps().into_iter().map(|message| TableProblem::new(1, message)));
        if problems.is_empty() { Ok(KentuckyTable(Arc::new(named))) } else { Err(problems) }
    }

    /// Every jurisdiction, in the table's order.
    pub fn iter(&self) -> impl Iterator<Item = &Municipality> {
        self.0.jurisdictions.iter()
    }

    /// The jurisdiction of this name, compared after normalization; never a near match.
    pub fn find(&self, name: &str) -> Option<&Municipality> {
        // A name as it is listed needs no normalizing.
        let named = &self.0.by_name;
        let at = named.get(name).or_else(|| named.get(&normalize_name(name)))?;
        self.0.jurisdictions.get(*at)
    }
}

/// Lower case letters and digits, without `city of` and `county of`.
fn normalize_name(name: &str) -> String {
    let spaced: String =
        name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    match words.as_slice() {
        ["city", "of", rest @ ..] => rest.join(" "),
        ["county", "of", rest @ ..] => format!("{} county", rest.join(" ")),
        all => all.join(" "),
    }
}

impl JurisdictionIndex {
    fn add<'t>(&mut self, get: &impl Fn(&str) -> &'t str) -> Result<(), String> {
        let name = get("jurisdiction");
        if normalize_name(name).is_empty() {
            return Err("a name of a city or county is expected".into());
        }
        let categories = match get("category") {
            "all" => TaxCategory::TAXABLE,
            found => std::slice::from_ref(
                TaxCategory::TAXABLE
                    .iter()
                    .find(|c| c.name() == found || c.line_category() == found)
                    .ok_or_else(|| {
                        let known: Vec<_> = TaxCategory::TAXABLE.iter().map(|c| c.name()).collect();
                        format!("category \"{found}\" is not one of {} or all", known.join(", "))
                    })?,
            ),
        };
        let rate = local_rate(get)?;
        let at = self.find_or_add(name, get)?;
        let name = Arc::clone(&self.jurisdictions[at].name);
        for category in categories {
            let rate = rate.with_note_for(&name, *category);
            let rates = &mut self.jurisdictions[at].rates;
            match rates.iter_mut().find(|(c, _)| c == category) {
                Some((_, list)) => list.push(rate),
                None => rates.push((*category, vec![rate])),
            }
        }
        for (_, list) in &mut self.jurisdictions[at].rates {
            list.sort_by_key(|rate| rate.from);
        }
        Ok(())
    }

    fn find_or_add<'t>(&mut self, name: &str, get: &impl Fn(&str) -> &'t str) -> Result<usize, String> {
        if let Some(at) = self.by_name.get(&normalize_name(name)) {
            return Ok(*at);
        }
        let kind = match get("kind") {
            "county" => CountyOrCity::County,
            "" if normalize_name(name).ends_with(" county") => CountyOrCity::County,
            "" | "city" | "urban-county" | "consolidated" => CountyOrCity::City,
            found => return Err(format!("kind \"{found}\" is neither city nor county")),
        };
        let within_cities = match get("within_cities") {
            "" | "yes" => true,
            "no" => false,
            found => return Err(format!("within_cities is \"{found}\"; yes or no is expected")),
        };
        let at = self.jurisdictions.len();
        self.jurisdictions.push(Municipality { name: name.into(), kind, within_cities, rates: Vec::new() });
        self.by_name.insert(normalize_name(name), at);
        self.by_name.insert(name.to_owned(), at);
        for alias in get("aliases").split('|').map(normalize_name).filter(|alias| !alias.is_empty()) {
            self.by_name.entry(alias).or_insert(at);
        }
        Ok(at)
    }

    /// Two rates in force on the same day: the table must say which one counts.
    fn find_overlaps(&self) -> Vec<String> {
        let mut found = Vec::new();
        for jurisdiction in &self.jurisdictions {
            for (category, rates) in &jurisdiction.rates {
                let same_start = rates.windows(2).any(|pair| pair[0].from == pair[1].from);
                if same_start {
                    let (name, category) = (&jurisdiction.name, category.name());
                    found.push(format!("{name}, {category}: two rates start on the same day"));
                }
            }
        }
        found
    }
}

fn local_rate<'t>(get: &impl Fn(&str) -> &'t str) -> Result<LocalRate, String> {
    let rate = match get("rate") {
        "unknown" => None,
        text => Some(Rate::parse(text).map_err(|e| e.to_string())?),
    };
    let minimum = match get("minimum") {
        "" => None,
        text => Some(Usd::parse(text).map_err(|e| e.to_string())?),
    };
    let proposed = match get("status") {
        "" | "enacted" => false,
        "proposed" => true,
        found => return Err(format!("status \"{found}\" is neither enacted nor proposed")),
    };
    let level = match get("checked") {
        "confirmed" => Confidence::Confirmed,
        "secondary" => Confidence::Secondary,
        "older" => Confidence::Older,
        "conflicting" => Confidence::Conflicting,
        "not_found" => Confidence::NotFound,
        "" => Confidence::Confirmed,
        found => {
            return Err(format!(
                "checked \"{found}\" is not confirmed, secondary, older, conflicting or not_found"
            ));
        }
    };
    let age = match get("age") {
        "" => "from the user's own table",
        text => text,
    };
    let sources = get("source")
        .split(" ; ")
        .filter(|url| !url.is_empty())
        .map(|url| RuleSource { title: url_host(url).into(), url: url.into() })
        .collect();
    let note = Some(get("note")).filter(|note| !note.is_empty()).map(RuleText::from);
    let checked = ConfidenceNote { level, text: age.into() };
    let (from, until) = (parse_date(get("from"))?, parse_date(get("until"))?);
    Ok(LocalRate::new(LocalValue { from, until, rate, minimum, proposed, checked, sources, note }))
}

fn url_host(url: &str) -> &str {
    url.split("//").nth(1).unwrap_or(url).split('/').next().unwrap_or(url)
}

fn parse_date(text: &str) -> Result<Option<NaiveDate>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    parse_calendar_day(text).map(Some).ok_or_else(|| format!("\"{text}\" is not a date like 2026-07-01"))
}
