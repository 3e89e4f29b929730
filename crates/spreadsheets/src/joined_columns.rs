//! Columns that have one field in several, or several in one: the parts of a name, an address with its city, state and
//! ZIP code, a policy's period, debits and credits.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use bordereau_mapping::{
    COLUMN_PARTS_MAX, ColumnMerge, ColumnName, ColumnSplit, Field, LineColumn, LinePremiums, ValueKind,
    line_named, synonyms,
    words::{self, WordMeaning},
};
use bordereau_tables::amount;
use bordereau_tables::date::{self, DateReading};
use bordereau_tables::{Cell, CellKind, ImportSource, TextCut, cut_text, normalize_header};

use crate::column_fit::find_misfit;
use crate::columns::{column_mark, sample_cells};

/// Columns of a table that are looked at; it may have ten thousand.
const COLUMNS_MAX: usize = 300;

/// What a person's name has before "first name", if anything.
const NAMED: [&str; 8] =
    ["", "insured ", "named insured ", "client ", "customer ", "insd ", "applicant ", "primary insured "];

/// A column as a proposal sees it.
pub(crate) struct OpenColumn {
    /// Column of the table.
    pub column: usize,
    /// How a rule names it.
    pub name: ColumnName,
}

/// The insured's first and last name in columns of their own, with what is between them.
pub(crate) fn find_name_parts(open: &[OpenColumn]) -> Option<ColumnMerge> {
    let the_one = |named: &str, texts: &[&str]| {
        let is_it = |each: &&OpenColumn| {
            let header = normalize_header(&each.name.header);
            header.strip_prefix(named).is_some_and(|rest| texts.contains(&rest))
        };
        let mut found = open.iter().take(COLUMNS_MAX).filter(is_it);
        found.next().filter(|_| found.next().is_none())
    };
    NAMED.iter().find_map(|named| {
        let first = the_one(named, &["first name", "firstname", "first", "fname"])?;
        let last = the_one(named, &["last name", "lastname", "last", "lname", "surname"])?;
        let initials = ["middle name", "middle initial", "middle", "mi", "m i"];
        let is_between = |each: &&OpenColumn| (first.column..last.column).contains(&each.column);
        let middle = the_one(named, &initials).or_else(|| the_one("", &initials).filter(is_between));
        let parts = [Some(first), middle, Some(last)].into_iter().flatten();
        let from = parts.map(|each| each.name.clone()).collect();
        Some(ColumnMerge { from, separator: " ".to_owned(), field: Field::InsuredName })
    })
}

/// What the columns of a date's parts are called.
const YEAR_WORDS: [&str; 3] = ["year", "yr", "yyyy"];
const MONTH_WORDS: [&str; 3] = ["mm", "mo", "month"];
const DAY_WORDS: [&str; 3] = ["day", "dd", "dy"];

/// "Eff Mo", "Eff Day" and "Eff Yr", which are a date together.
pub(crate) fn find_date_parts(
    source: &ImportSource,
    open: &[OpenColumn],
    taken: &[Field],
) -> Vec<ColumnMerge> {
    let part_of = |each: &OpenColumn, words: &[&str], numbers: RangeInclusive<u16>| {
        let header = normalize_header(&each.name.header);
        let (date, _) = header.rsplit_once(' ').filter(|(_, part)| words.contains(part))?;
        let is_part = |cell: Cell<'_>| cell.text.trim().parse().is_ok_and(|number| numbers.contains(&number));
        let mut cells = sample_cells(source, each.column).peekable();
        (cells.peek().is_some() && cells.all(is_part)).then(|| date.to_owned())
    };
    let find = |date: &str, words: &[&str], numbers: RangeInclusive<u16>| {
        let mut found = open.iter().take(COLUMNS_MAX);
        found.find(|each| part_of(each, words, numbers.clone()).is_some_and(|of| of == date))
    };
    let mut merges: Vec<ColumnMerge> = Vec::new();
    for year in open.iter().take(COLUMNS_MAX) {
        let Some(date) = part_of(year, &YEAR_WORDS, 1900..=2099) else { continue };
        let names = [format!("{date} date"), date.clone()];
        let field = names.iter().find_map(|name| synonyms::field_named(name));
        let field = field.filter(|field| field.kind() == ValueKind::Date && !taken.contains(field));
        let month_and_day = find(&date, &MONTH_WORDS, 1..=12).zip(find(&date, &DAY_WORDS, 1..=31));
        let (Some(field), Some((month, day))) = (field, month_and_day) else { continue };
        if merges.iter().all(|merge| merge.field != field) {
            let from = [year, month, day].map(|each| each.name.clone()).into();
            merges.push(ColumnMerge { from, separator: "-".to_owned(), field });
        }
    }
    merges
}

/// What is charged and what is given back, as headers have it.
const DEBITS_AND_CREDITS: [[&str; 2]; 4] =
    [["debit", "credit"], ["dr", "cr"], ["additional", "return"], ["ap", "rp"]];

/// "Premium Debit" and "Premium Credit", which are the premium together.
pub(crate) fn find_debits_and_credits(source: &ImportSource, open: &[OpenColumn]) -> Option<ColumnMerge> {
    let premium_with = |word: &str| {
        let is_it = |each: &&OpenColumn| {
            let header = normalize_header(&each.name.header);
            let rest: Vec<&str> = header.split(' ').filter(|part| *part != word).collect();
            // "AP" and "RP" have the word for the premium in them.
            let is_premium = (word.ends_with('p') && rest.is_empty())
                || synonyms::field_named(&rest.join(" ")) == Some(Field::Premium);
            rest.len() < header.split(' ').count()
                && is_premium
                && find_misfit(Field::Premium, sample_cells(source, each.column)).is_none()
        };
        let mut found = open.iter().take(COLUMNS_MAX).filter(is_it);
        found.next().filter(|_| found.next().is_none())
    };
    let [debit, credit] = DEBITS_AND_CREDITS
        .iter()
        .find_map(|[debit, credit]| Some([premium_with(debit)?, premium_with(credit)?]))?;
    let mark = column_mark(source, &[u16::try_from(credit.column).ok()?]);
    let has_minus = sample_cells(source, credit.column)
        .any(|cell| amount::parse_cents(cell, mark).is_ok_and(|cents| cents < 0));
    Some(ColumnMerge {
        from: [debit, credit].map(|each| each.name.clone()).into(),
        separator: if has_minus { "+" } else { "-" }.to_owned(),
        field: Field::Premium,
    })
}

/// Words of a header of debits and credits.
const CREDIT_HEADERS: [&str; 9] = ["cr", "credit", "db", "dc", "debit", "dr", "drcr", "sign", "crdr"];

/// The column that says of each amount whether it is a debit or a credit, where it says so of some that they are credits.
pub(crate) fn find_credit_words(source: &ImportSource, open: &[OpenColumn]) -> Option<usize> {
    let says_credits = |each: &&OpenColumn| {
        let header = normalize_header(&each.name.header);
        let is_of_signs = header.split(' ').any(|word| CREDIT_HEADERS.contains(&word));
        // A letter may be a claims-made form as well as a credit.
        let word = |cell: Cell<'_>| {
            amount::credit_word(cell.text).filter(|_| is_of_signs || cell.text.trim().len() > 1)
        };
        let words: Vec<Option<bool>> = sample_cells(source, each.column).map(word).collect();
        words.iter().all(Option::is_some) && words.contains(&Some(true))
    };
    let mut found = open.iter().take(COLUMNS_MAX).filter(says_credits);
    found.next().filter(|_| found.next().is_none()).map(|each| each.column)
}

/// Words of a premium in a header.
const PREMIUM_WORDS: [&str; 3] = ["premium", "prem", "premiums"];

/// "GL Premium" beside "Property Premium": each column has the premium of a line of business. Not where another column is a
/// premium's as well, as that for terrorism: who pays for which line nobody knows then.
pub(crate) fn find_line_premiums(source: &ImportSource, open: &[OpenColumn]) -> Option<LinePremiums> {
    let mut found = LinePremiums::default();
    for each in open.iter().take(COLUMNS_MAX) {
        let header = normalize_header(&each.name.header);
        let is_premium = |word: &&str| PREMIUM_WORDS.contains(word);
        if !header.split(' ').any(|word| is_premium(&word)) {
            continue;
        }
        let rest: Vec<&str> = header.split(' ').filter(|word| !is_premium(word)).collect();
        let line = line_named(&rest.join(" "))?;
        find_misfit(Field::Premium, sample_cells(source, each.column)).is_none().then_some(())?;
        found.columns.push(LineColumn { from: each.name.clone(), line });
    }
    let lines: BTreeSet<&str> = found.columns.iter().map(|column| column.line.as_str()).collect();
    ((2..=COLUMN_PARTS_MAX).contains(&lines.len()) && lines.len() == found.columns.len()).then_some(found)
}

/// A column such as "City, State, Zip", as most of its cells are written; `taken` are fields that have a column.
pub(crate) fn find_place_splits(
    source: &ImportSource,
    open: &[OpenColumn],
    taken: &[Field],
) -> Vec<(usize, ColumnSplit)> {
    let mut taken = taken.to_vec();
    let mut places: Vec<(&OpenColumn, String, &[&str])> =
        open.iter().take(COLUMNS_MAX).filter_map(place_parts).collect();
    // The risk's state is that of "Risk city, state" rather than of "City, state".
    places.sort_by_key(|(_, whose, _)| whose.is_empty());
    let mut found = Vec::new();
    for (each, whose, parts) in places {
        if let Some(split) = place_split(source, each, (&whose, parts), &taken) {
            taken.extend(split.fields.iter().flatten());
            found.push((each.column, split));
        }
    }
    found
}

/// Whose place a column has, as its header says, and the parts of it.
fn place_parts(each: &OpenColumn) -> Option<(&OpenColumn, String, &'static [&'static str])> {
    let header = normalize_header(&each.name.header);
    let endings = ["city state zip", "city st zip", "city state zip code", "city state", "city st"];
    let ending = endings.into_iter().find(|ending| header.ends_with(ending))?;
    let whose = header.strip_suffix(ending).filter(|whose| whose.is_empty() || whose.ends_with(' '))?;
    let parts: &[&str] = if ending.contains("zip") { &["city", "state", "zip"] } else { &["city", "state"] };
    Some((each, whose.to_owned(), parts))
}

fn place_split(
    source: &ImportSource,
    each: &OpenColumn,
    (whose, parts): (&str, &[&str]),
    taken: &[Field],
) -> Option<ColumnSplit> {
    // A place is whose its parts are: "risk city", "mailing zip". One that nobody owns is the mailing address's where
    // the risk has its own.
    let is_free = |field: &Field| !taken.contains(field);
    let field = |part: &&str| {
        let named = synonyms::field_named(&format!("{whose}{part}")).filter(is_free);
        let mailing = || synonyms::field_named(&format!("mailing {part}")).filter(is_free);
        named.or_else(|| if whose.is_empty() { mailing() } else { None })
    };
    let fields: Vec<Option<Field>> = parts.iter().map(field).collect();
    fields[0]?;
    let cut = [",", " "].into_iter().find_map(|before_state| {
        let mut separators = vec![before_state.to_owned()];
        if parts.len() > 2 {
            separators.insert(0, " ".to_owned());
        }
        let cut = TextCut::SeparatorsFromEnd(separators);
        most_cells(source, each.column, &cut, parts.len(), &is_place).then_some(cut)
    })?;
    Some(ColumnSplit { from: each.name.clone(), cut, fields })
}

/// A column of whole addresses, such as "12 Main St, Austin, TX 78701"; `fields` are those of its street, its city, its
/// state and its ZIP code.
pub(crate) fn find_address_split(
    source: &ImportSource,
    each: &OpenColumn,
    fields: [Option<Field>; 4],
) -> Option<ColumnSplit> {
    let is_address = |found: &[&str]| !found[0].is_empty() && is_place(&found[1..]);
    let cuts = [[" ", ",", ","], [" ", " ", ","], [" ", ",", "\n"], [" ", " ", "\n"]];
    let mut cuts = cuts.map(|cut| TextCut::SeparatorsFromEnd(cut.map(str::to_owned).into())).into_iter();
    let cut = cuts.find(|cut| most_cells(source, each.column, cut, fields.len(), &is_address))?;
    Some(ColumnSplit { from: each.name.clone(), cut, fields: fields.into() })
}

/// What a policy's period is called, from its first day to its last.
const PERIODS: [&str; 11] = [
    "coverage dates",
    "coverage period",
    "eff exp",
    "eff exp date",
    "eff exp dates",
    "effective expiration dates",
    "period",
    "policy dates",
    "policy period",
    "policy term",
    "term",
];

/// A column such as "Policy period" with two dates in each cell; `taken` are fields that have a column.
pub(crate) fn find_period_split(
    source: &ImportSource,
    open: &[OpenColumn],
    taken: &[Field],
) -> Option<(usize, ColumnSplit)> {
    let free = [Field::PolicyEffectiveDate, Field::PolicyExpirationDate]
        .map(|field| Some(field).filter(|field| !taken.contains(field)));
    if free == [None; 2] {
        return None;
    }
    let is_day =
        |text: &&str| date::read(Cell { text, kind: CellKind::Text }, None) != DateReading::Unreadable;
    let are_days = |found: &[&str]| found.iter().all(is_day);
    let named = |each: &&OpenColumn| PERIODS.contains(&normalize_header(&each.name.header).as_str());
    open.iter().take(COLUMNS_MAX).filter(named).find_map(|each| {
        PERIOD_CUTS.iter().find_map(|separators| {
            let cut = TextCut::Separators(separators.iter().map(|&own| own.to_owned()).collect());
            // What is before "From", or behind the dates, is of no field.
            let first = usize::from(separators[0].eq_ignore_ascii_case("from "));
            let fields = [&[None][..first], &free, &[None][..separators.len() - 1 - first]].concat();
            let has_days = |found: &[&str]| are_days(&found[first..first + 2]);
            most_cells(source, each.column, &cut, fields.len(), &has_days)
                .then(|| (each.column, ColumnSplit { from: each.name.clone(), cut, fields }))
        })
    })
}

/// Where periods are cut, one after the other.
const PERIOD_CUTS: [&[&str]; 17] = [
    &["-"],
    &["–"],
    &[" to "],
    &[" To "],
    &[" TO "],
    &[" thru "],
    &[" through "],
    &["/"],
    &["From ", " To "],
    &["From ", " to "],
    &["from ", " to "],
    &["FROM ", " TO "],
    &["-", "("],
    &["–", "("],
    &[" to ", "("],
    &[" to ", " both "],
    &[" to ", ","],
];

/// Whether the parts are a city, a state and a ZIP code, if there is one.
fn is_place(found: &[&str]) -> bool {
    let is_city = !found[0].is_empty() && !found[0].ends_with(',');
    let is_state = words::find_meaning(Field::PhysicalState, found[1]) != WordMeaning::Unknown;
    let is_zip = found.get(2).is_none_or(|zip| zip.starts_with(|first: char| first.is_ascii_digit()));
    is_city && is_state && is_zip
}

/// Whether nine of ten cells are cut into what they are taken for.
fn most_cells(
    source: &ImportSource,
    column: usize,
    cut: &TextCut,
    parts: usize,
    are_it: &dyn Fn(&[&str]) -> bool,
) -> bool {
    let (mut good, mut cells) = (0, 0);
    for cell in sample_cells(source, column) {
        cells += 1;
        good += usize::from(are_it(&cut_text(cell.text.trim(), cut, parts)));
    }
    good > 0 && good * 10 >= cells * 9
}
