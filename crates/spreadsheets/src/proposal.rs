//! Proposing a mapping: the template's names, else what is remembered, else names and content.

use std::collections::{BTreeMap, BTreeSet};

use bordereau_contract::{TransactionType, format_day};
use bordereau_mapping::{
    ChargeRows, ColumnChoice, ColumnChoices, ColumnMerge, ColumnName, ColumnRules, ColumnSplit, Field,
    LinePremiums, Mapping, RowAmounts, RowGrouping, ValueKind, doubtful_field, synonyms, trade_code,
    words::{self, WordMeaning},
};
use bordereau_tables::{
    Cell, CellKind, DecimalMark, ImportSource, NoteKind, amount, count_occurrences, date, normalize_header,
    source_headers,
};
use serde::{Deserialize, Serialize};

use crate::charge_rows::{find_charge_rows, with_known_words};
use crate::column_content::{match_by_content, suggest_by_words};
use crate::column_fit::find_misfit;
use crate::columns::column_mark;
use crate::joined_columns::{
    OpenColumn, find_address_split, find_credit_words, find_date_parts, find_debits_and_credits,
    find_line_premiums, find_name_parts, find_period_split, find_place_splits,
};
use crate::numbered_taxes::name_numbered_taxes;
use crate::policy_term::explain_terms;
use crate::premium_parts::whole_premium;
use crate::proposed_column::{
    FieldSuggestion, MappingReason, ProposedColumn, release_column, sample_cells, sample_column,
};
use crate::row_amounts::find_row_amounts;
use crate::shared_names::{
    each_once, lines_once, names_beside_numbers, premiums_of_lines, states_beside_the_risks,
};
use crate::stamping_fees::find_stamping_fees;

/// Columns whose headers are compared with names: a table may have ten thousand, and nobody reads so many suggestions.
const LIKE_COLUMNS_MAX: usize = 300;

/// A proposed mapping.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MappingProposal {
    /// To be confirmed, changed, remembered.
    pub mapping: Mapping,
    /// Column by column.
    pub columns: Vec<ProposedColumn>,
    /// All headers are the template's: nothing has to be asked.
    pub is_template: bool,
    /// Name of the remembered mapping it comes from.
    pub remembered: Option<String>,
}

/// Proposes a mapping. `remembered` in the order of preference: the person's own first, then the profile's.
pub fn propose_mapping(source: &ImportSource, remembered: &[Mapping]) -> MappingProposal {
    let headers = source_headers(source);
    let is_template = source.detection.header.value.is_some()
        && headers.iter().all(|h| h.is_empty() || synonyms::is_template(h).is_some())
        && headers.iter().any(|h| !h.is_empty());
    let known = if is_template { None } else { find_fitting(&headers, remembered) };
    let places = count_occurrences(&headers);
    let choices = known.map(Mapping::column_choices);
    let mut columns: Vec<ProposedColumn> = headers
        .iter()
        .zip(&places)
        .enumerate()
        .map(|(column, (header, place))| {
            let (field, reason) = of_header(header, place, choices.as_ref());
            ProposedColumn {
                column,
                header: header.clone(),
                field,
                reason,
                examples: column_examples(source, column),
                suggestion: None,
            }
        })
        .collect();
    check_cells(source, &mut columns);
    by_heading_above(source, &mut columns);
    match_by_content(source, &mut columns);
    if !is_template {
        ask_for_hidden(source, &mut columns);
    }
    names_beside_numbers(source, &mut columns);
    lines_once(source, &mut columns);
    premiums_of_lines(&mut columns);
    states_beside_the_risks(&mut columns);
    whole_premium(source, &mut columns);
    name_numbered_taxes(source, &mut columns);
    find_stamping_fees(source, &mut columns);
    each_once(&mut columns);
    doubtful_names(&mut columns);
    let charges = if known.is_none() { take_charge_rows(source, &places, &mut columns) } else { None };
    let joined =
        if known.is_none() { take_joined_columns(source, &places, &mut columns) } else { Default::default() };
    explain_terms(source, &mut columns);
    let made = joined.made_fields().chain(charges.iter().flat_map(ChargeRows::made_fields)).collect();
    by_likeness(source, &mut columns, made);
    let choices = columns.iter().map(|c| ColumnChoice {
        header: c.header.clone(),
        occurrence: places[c.column].1,
        field: c.field,
    });
    let base = known.cloned().unwrap_or_default();
    let mut mapping = Mapping { version: 1, columns: choices.collect(), ..base };
    mapping.rules.merges.extend(joined.merges);
    mapping.rules.splits.extend(joined.splits);
    mapping.rules.lines.extend(joined.lines);
    // Words that a remembered mapping has not seen.
    for at in 0..mapping.rules.charges.len() {
        if let Some(column) = mapping.column_named(&mapping.rules.charges[at].charge) {
            let known = std::mem::take(&mut mapping.rules.charges[at]);
            mapping.rules.charges[at] = with_known_words(known, source, column);
        }
    }
    if let Some(charges) = charges {
        mapping.rules.charges.push(charges);
        (mapping.grouping, mapping.row_amounts) = (RowGrouping::ByPolicy, Some(RowAmounts::Add));
    } else if known.is_none()
        && let Some(amounts) = find_row_amounts(source, &mapping)
    {
        (mapping.grouping, mapping.row_amounts) = (RowGrouping::ByPolicy, Some(amounts));
    }
    if known.is_none() {
        read_return_premiums(source, &mut mapping);
    }
    MappingProposal { mapping, columns, is_template, remembered: known.map(|m| m.name.clone()) }
}

/// The first mapping that knows every header it names itself; it may be of a source with fewer columns.
fn find_fitting<'m>(headers: &[String], remembered: &'m [Mapping]) -> Option<&'m Mapping> {
    let there: std::collections::BTreeSet<String> = headers.iter().map(|h| normalize_header(h)).collect();
    remembered.iter().find(|mapping| {
        let mut named = mapping.columns.iter().filter(|c| c.field.is_some()).peekable();
        let mut of_rules = mapping.rules.column_names().peekable();
        (named.peek().is_some() || of_rules.peek().is_some())
            && named.all(|c| there.contains(&normalize_header(&c.header)))
            && of_rules.all(|name| there.contains(&normalize_header(&name.header)))
    })
}

fn of_header(
    header: &str,
    (normal, nth): &(String, u16),
    known: Option<&ColumnChoices>,
) -> (Option<Field>, MappingReason) {
    if header.is_empty() {
        return (None, MappingReason::Unknown);
    }
    if let Some(choice) = known.and_then(|choices| choices.choice_for(normal, *nth)) {
        return (choice, MappingReason::Remembered);
    }
    if let Some(field) = synonyms::is_template(header) {
        return (Some(field), MappingReason::Template);
    }
    match synonyms::field_named(header) {
        Some(field) => (Some(field), MappingReason::Name),
        None => (None, MappingReason::Unknown),
    }
}

/// Longer headings, in bytes, are titles of a report.
const HEADING_MAX: usize = 60;

/// `Number` below a heading `Policy` over several columns is the policy's number.
fn by_heading_above(source: &ImportSource, columns: &mut [ProposedColumn]) {
    let Some(above) = source.detection.header.value.and_then(|row| (row as usize).checked_sub(1)) else {
        return;
    };
    let mut group = "";
    for column in columns {
        let heading = source.table.text_at(above, column.column).trim();
        group = if heading.is_empty() { group } else { heading };
        if group.len() > HEADING_MAX {
            continue;
        }
        let is_open = column.field.is_none() && column.reason == MappingReason::Unknown;
        if is_open && !column.header.is_empty() && !group.is_empty() {
            // Of headers in two rows the heading is the first word.
            let header = column.header.strip_prefix(group).map_or(column.header.as_str(), str::trim);
            let fits =
                |field: &Field| find_misfit(*field, sample_cells(source, column.column).take(50)).is_none();
            // `State` below `Tax` is the state's tax.
            let names = [format!("{group} {header}"), format!("{header} {group}")];
            let named = names.iter().filter_map(|name| synonyms::field_named(name)).find(fits);
            if let Some(field) = named {
                (column.field, column.reason, column.suggestion) = (Some(field), MappingReason::Name, None);
            }
        }
    }
}

/// What a name doesn't say is taken only when a person says so.
fn doubtful_names(columns: &mut [ProposedColumn]) {
    let is_open = |c: &&mut ProposedColumn| c.field.is_none() && c.reason == MappingReason::Unknown;
    for column in columns.iter_mut().filter(is_open) {
        if let Some((field, reason)) = doubtful_field(&column.header) {
            column.suggestion = Some(FieldSuggestion { field, reason: reason.to_owned() });
        }
    }
}

/// Rows of one charge each are put together by their policy. Their columns are none of a field's, nor is an ID that
/// each of them has for itself.
fn take_charge_rows(
    source: &ImportSource,
    places: &[(String, u16)],
    columns: &mut [ProposedColumn],
) -> Option<ChargeRows> {
    let fields: Vec<Option<Field>> = columns.iter().map(|column| column.field).collect();
    if !fields.contains(&Some(Field::PolicyNumber)) {
        return None;
    }
    let found = find_charge_rows(source, &fields)?;
    let credits = find_credit_words(source, &open_columns(places, columns));
    let mut release = |column: usize, reason: &str| release_column(&mut columns[column], reason);
    if let Some(credits) = credits {
        // No rule gives the amounts of charges their signs: as debits they would be due where they are given back.
        release(credits, "It says which amounts are credits.");
        release(
            found.amount,
            "Some of its amounts are credits. Give these a minus in the file, and import it again.",
        );
        return None;
    }
    release(found.charge, "It says what each amount is for.");
    for column in found.further {
        release(column, "It says what each amount is for.");
    }
    release(found.amount, "It has amounts of several fields, one in each row.");
    if let Some(id) = fields.iter().position(|field| *field == Some(Field::Id)) {
        let mut seen = BTreeSet::new();
        if sample_column(source, id).all(|text| seen.insert(text)) {
            release(id, "Each row has one of its own, and several rows are one transaction.");
        }
    }
    Some(found.rule)
}

/// Columns of which nothing is known.
fn open_columns(places: &[(String, u16)], columns: &[ProposedColumn]) -> Vec<OpenColumn> {
    let is_open = |column: &&ProposedColumn| column.field.is_none() && column.suggestion.is_none();
    columns.iter().filter(is_open).map(|column| open_column(places, column)).collect()
}

fn open_column(places: &[(String, u16)], column: &ProposedColumn) -> OpenColumn {
    let name = ColumnName { header: column.header.clone(), occurrence: places[column.column].1 };
    OpenColumn { column: column.column, name }
}

/// "Amount" beside "DR/CR": the premium of both.
fn take_premium_with_credits(
    source: &ImportSource,
    places: &[(String, u16)],
    columns: &mut [ProposedColumn],
) -> Option<ColumnMerge> {
    let credits = find_credit_words(source, &open_columns(places, columns))?;
    let suggested =
        |column: &ProposedColumn| column.suggestion.as_ref().and_then(|suggestion| suggestion.field);
    let is_premium =
        |column: &&ProposedColumn| column.field.or_else(|| suggested(column)) == Some(Field::Premium);
    let mut premiums = columns.iter().filter(is_premium);
    let (premium, None) = (premiums.next()?.column, premiums.next()) else { return None };
    let from = [premium, credits].map(|column| open_column(places, &columns[column]).name);
    let reason = format!("It has a part of {}.", Field::Premium.title());
    [premium, credits].iter().for_each(|column| release_column(&mut columns[*column], &reason));
    Some(ColumnMerge { from: from.into(), separator: "+".to_owned(), field: Field::Premium })
}

/// "RP" is the renewal where "NP" is the new policy [users.md]; beside "AP" and a renewal's own word, or where each of them
/// gives premium back, it is the return premium.
fn read_return_premiums(source: &ImportSource, mapping: &mut Mapping) {
    let column_of =
        |field: Field| mapping.columns.iter().position(|choice: &ColumnChoice| choice.field == Some(field));
    let Some(column) = column_of(Field::TransactionType) else { return };
    let words: BTreeSet<String> = sample_column(source, column).map(str::to_lowercase).collect();
    let is_renewal = |word: &String| {
        let renewal = Some(TransactionType::Renewal.code());
        let meant = match words::find_meaning(Field::TransactionType, word) {
            WordMeaning::Code(code) | WordMeaning::StandsFor(code) => Some(code),
            WordMeaning::Unknown => trade_code(Field::TransactionType, word),
        };
        word != "rp" && meant == renewal
    };
    let has = |word: &str| words.contains(word);
    let gives_back = |premium: usize| {
        let is_return = |row: usize| source.table.text_at(row, column).trim().eq_ignore_ascii_case("rp");
        let cents = |row: usize| amount::parse_cents(source.table.cell(row, premium), DecimalMark::Point);
        (0..source.table.row_count()).filter(|row| is_return(*row)).all(|row| cents(row).is_ok_and(|c| c < 0))
    };
    let is_beside_renewals = has("ap") && !has("np") && words.iter().any(is_renewal);
    if has("rp") && (is_beside_renewals || column_of(Field::Premium).is_some_and(gives_back)) {
        let code = TransactionType::ReturnPremium.code();
        mapping.remember_value(Field::TransactionType, "rp", code);
    }
}

/// Parts of the insured's name and of the premium are merged, and a city is split from its state and ZIP code, where no
/// column has them by itself.
fn take_joined_columns(
    source: &ImportSource,
    places: &[(String, u16)],
    columns: &mut [ProposedColumn],
) -> ColumnRules {
    let signed = take_premium_with_credits(source, places, columns);
    let taken: Vec<Field> = columns.iter().filter_map(|column| column.field).collect();
    let open = open_columns(places, columns);
    let name = if taken.contains(&Field::InsuredName) { None } else { find_name_parts(&open) };
    let dates = find_date_parts(source, &open, &taken);
    let is_taken = |field: &Field| taken.contains(field);
    let lines =
        if LinePremiums::FIELDS.iter().any(is_taken) { None } else { find_line_premiums(source, &open) };
    let premium = match &lines {
        _ if is_taken(&Field::Premium) => None,
        _ if signed.is_some() => signed,
        Some(lines) => Some(lines.premium()),
        None => find_debits_and_credits(source, &open),
    };
    let mut splits = find_place_splits(source, &open, &taken);
    splits.extend(find_period_split(source, &open, &taken));
    splits.extend(split_addresses(source, places, columns, &splits));
    let mut keep = |column: usize, reason: &str| {
        columns[column].suggestion = Some(FieldSuggestion { field: None, reason: reason.to_owned() });
    };
    for column in lines.iter().flat_map(|lines| &lines.columns) {
        if let Some(each) = open.iter().find(|each| each.name == column.from) {
            keep(each.column, "It has the premium of a line of business.");
        }
    }
    for merge in name.iter().chain(&dates).chain(premium.iter().filter(|_| lines.is_none())) {
        for column in open.iter().filter(|each| merge.from.contains(&each.name)) {
            keep(column.column, &format!("It has a part of {}.", merge.field.title()));
        }
    }
    for (column, _) in &splits {
        keep(*column, "It has several fields.");
    }
    ColumnRules {
        merges: name.into_iter().chain(dates).chain(premium).collect(),
        splits: splits.into_iter().map(|(_, split)| split).collect(),
        lines: lines.into_iter().collect(),
        ..ColumnRules::default()
    }
}

/// Columns of streets with the city, the state and the ZIP code in the same cells, of which none has a column of its own.
fn split_addresses(
    source: &ImportSource,
    places: &[(String, u16)],
    columns: &mut [ProposedColumn],
    others: &[(usize, ColumnSplit)],
) -> Vec<(usize, ColumnSplit)> {
    use Field as F;
    let of_others = others.iter().flat_map(|(_, split)| split.fields.iter().flatten().copied());
    let mut taken: BTreeSet<Field> =
        columns.iter().filter_map(|column| column.field).chain(of_others).collect();
    let mut found = Vec::new();
    for address in [
        [F::PhysicalAddress, F::PhysicalCity, F::PhysicalState, F::PhysicalZip],
        [F::MailingAddress, F::MailingCity, F::MailingState, F::MailingZip],
    ] {
        let [street, city, ..] = address;
        let of_street = |column: &&ProposedColumn| column.field == Some(street);
        let mut named = columns.iter().filter(of_street);
        let (Some(column), None) = (named.next(), named.next()) else { continue };
        if column.reason != MappingReason::Name || taken.contains(&city) {
            continue;
        }
        let at = column.column;
        let name = ColumnName { header: column.header.clone(), occurrence: places[at].1 };
        let fields = address.map(|field| (field == street || !taken.contains(&field)).then_some(field));
        if let Some(split) = find_address_split(source, &OpenColumn { column: at, name }, fields) {
            (columns[at].field, columns[at].reason) = (None, MappingReason::Unknown);
            taken.extend(address);
            found.push((at, split));
        }
    }
    found
}

fn column_examples(source: &ImportSource, column: usize) -> Vec<String> {
    let shown = |cell: Cell<'_>| match date::iso_day(cell.text).filter(|_| cell.kind == CellKind::Date) {
        Some(day) => format_day(day),
        None => cell.text.trim().chars().take(60).collect(),
    };
    sample_cells(source, column).take(3).map(shown).collect()
}

/// A usual name is not enough where no cell can be a value of the field.
fn check_cells(source: &ImportSource, columns: &mut [ProposedColumn]) {
    for column in columns.iter_mut().filter(|c| c.reason == MappingReason::Name) {
        let Some(field) = column.field else { continue };
        if let Some(misfit) = find_misfit(field, sample_cells(source, column.column).take(50)) {
            column.field = None;
            column.reason = MappingReason::Unknown;
            let reason = match misfit.fitting {
                Some(fitting) => format!("{} They may be {}.", misfit.reason, fitting.title()),
                None => misfit.reason,
            };
            column.suggestion = Some(FieldSuggestion { field: misfit.fitting, reason });
        } else if field.kind() == ValueKind::Amount && may_be_cents(source, column.column) {
            release_column(
                column,
                "Its amounts have zeros in front and no decimal mark, so the last two digits may be cents. Match it where they are dollars.",
            );
        }
    }
}

/// A column that nobody sees is imported only when a person says so: it may have what was there before.
fn ask_for_hidden(source: &ImportSource, columns: &mut [ProposedColumn]) {
    for note in source.notes.iter().filter(|note| note.kind == NoteKind::ColumnHidden) {
        let Some(column) = columns.get_mut(note.column as usize) else { continue };
        let is_open = column.reason != MappingReason::Remembered && column.suggestion.is_none();
        if is_open && !column.examples.is_empty() {
            let (field, reason) = (column.field, "The sheet hides this column.".to_owned());
            (column.field, column.reason) = (None, MappingReason::Unknown);
            column.suggestion = Some(FieldSuggestion { field, reason });
        }
    }
}

/// Shorter numbers with a zero in front are a person's.
const PADDED_MIN: usize = 7;

/// Whether amounts are written as mainframes do, with zeros up to a width and the decimal mark left to whoever reads them.
fn may_be_cents(source: &ImportSource, column: usize) -> bool {
    let digits = |cell: Cell<'_>| cell.text.trim().trim_matches(['+', '-']).to_owned();
    let amounts: Vec<String> = sample_cells(source, column).map(digits).collect();
    let is_number =
        |digits: &String| digits.len() >= PADDED_MIN && digits.bytes().all(|byte| byte.is_ascii_digit());
    amounts.iter().all(is_number) && amounts.iter().any(|digits| digits.starts_with('0'))
}

/// Headers that are close to a name of a field that no column has and no rule makes, and whose cells can be it.
fn by_likeness(source: &ImportSource, columns: &mut [ProposedColumn], made: Vec<Field>) {
    let mut taken = made;
    taken.extend(columns.iter().filter_map(|c| c.field));
    let headers = columns.iter().filter_map(|column| Some((column.field?, column.header.clone())));
    let header_of: BTreeMap<Field, String> = headers.collect();
    let is_open = |column: &&ProposedColumn| column.field.is_none() && column.suggestion.is_none();
    let mut states: BTreeMap<Field, BTreeSet<String>> = BTreeMap::new();
    for column in columns.iter().filter(is_open).take(LIKE_COLUMNS_MAX) {
        if let Some((state, field)) = synonyms::field_behind_state(&column.header) {
            states.entry(field).or_default().insert(state.to_owned());
        }
    }
    let find_other_column = |header: &str| {
        let field = synonyms::field_named(header)?;
        let reason = format!("{} is taken from column \"{}\".", field.title(), header_of.get(&field)?);
        Some(FieldSuggestion { field: None, reason })
    };
    for column in columns.iter_mut().take(LIKE_COLUMNS_MAX) {
        // A person chose not to import it.
        if column.field.is_some() || column.reason == MappingReason::Remembered {
            column.suggestion = None;
            continue;
        }
        // A second column of what may repeat would be a second insurer or line.
        let is_free = |field: &Field| !taken.contains(field);
        if let Some(suggestion) = &mut column.suggestion {
            suggestion.field = suggestion.field.filter(is_free);
        } else if let Some((field, how)) = synonyms::field_beside_brackets(&column.header)
            && is_free(&field)
            && find_misfit(field, sample_cells(source, column.column).take(50)).is_none()
        {
            let reason = format!("{how} what is in brackets, it is a name of {}.", field.title());
            column.suggestion = Some(FieldSuggestion { field: Some(field), reason });
        } else if let Some((state, field)) = synonyms::field_behind_state(&column.header)
            && is_free(&field)
            && find_misfit(field, sample_cells(source, column.column).take(50)).is_none()
        {
            let title = field.title();
            column.suggestion = Some(if states.get(&field).is_some_and(|states| states.len() > 1) {
                let reason = format!(
                    "It has {title} of {state}, and other columns have other states'. Match the one that is due."
                );
                FieldSuggestion { field: None, reason }
            } else {
                let reason = format!("Without \"{state}\", it is a name of {title}.");
                FieldSuggestion { field: Some(field), reason }
            });
        } else if let Some((field, name)) = synonyms::field_like(&column.header)
            && is_free(&field)
            && find_misfit(field, sample_cells(source, column.column).take(50)).is_none()
        {
            let title = field.title();
            let reason = if normalize_header(title) == name {
                format!("Close to {title}.")
            } else {
                format!("Close to \"{name}\", another name of {title}.")
            };
            column.suggestion = Some(FieldSuggestion { field: Some(field), reason });
        } else {
            column.suggestion = suggest_by_words(source, column.column, &taken)
                .or_else(|| find_other_column(&column.header))
                .or_else(|| open_charge(source, column));
        }
        taken.extend(column.suggestion.as_ref().and_then(|suggestion| suggestion.field));
    }
}

/// Words of a charge in a header, such as Florida's for its catastrophe fund (FHCF), Citizens (CPIE) and its guaranty
/// association (FIGA), and Mississippi's for windstorm underwriting (MWUA); and those with which it is something else of it.
const CHARGE_WORDS: [&str; 14] = [
    "assessment",
    "citizens",
    "cpie",
    "fee",
    "fees",
    "fhcf",
    "figa",
    "fund",
    "levy",
    "mwua",
    "surcharge",
    "surcharges",
    "tax",
    "taxes",
];
const NO_AMOUNT_WORDS: [&str; 8] = ["basis", "code", "exempt", "id", "number", "pct", "percent", "rate"];

/// A column of a tax or a fee that no field has a name for: what isn't matched isn't sent, and nothing else would say so.
fn open_charge(source: &ImportSource, column: &ProposedColumn) -> Option<FieldSuggestion> {
    let header = normalize_header(&synonyms::split_words(&column.header));
    let has = |words: &[&str]| header.split(' ').any(|word| words.contains(&word));
    let may_be_state = header == "tx";
    if !(has(&CHARGE_WORDS) || may_be_state) || has(&NO_AMOUNT_WORDS) || column.header.contains('%') {
        return None;
    }
    let mark = column_mark(source, &[u16::try_from(column.column).ok()?]);
    let is_charged = |cell: Cell<'_>| amount::parse_cents(cell, mark).is_ok_and(|cents| cents != 0);
    let what = if may_be_state { "amounts, and \"TX\" is tax or Texas" } else { "amounts of a tax or a fee" };
    let reason = format!("It has {what}. Match it to its field: what isn't matched isn't sent.");
    let suggestion = FieldSuggestion { field: None, reason };
    sample_cells(source, column.column).any(is_charged).then_some(suggestion)
}
