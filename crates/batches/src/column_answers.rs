//! What was detected in the file, the field of each column, and the person's answers.

use bordereau_spreadsheets::{
    ColumnName, DELIMITERS, DateOrder, DecimalMark, ENCODINGS, Field, ImportSource, Mapping, ProposedColumn,
    ReadOptions, RowAmounts, RowGrouping, Table, column_letters, delimiter_name,
};

use super::column_rules::answer_rules;
use super::session::ReviewSession;
use bordereau_api::{BoundaryError, ColumnChange, DetectedView, NamedCode, ReviewMatch};
use bordereau_contract::{format_count, pluralize};

/// Why a column has its field.
pub fn reason_text(proposed: &ProposedColumn, field: Option<Field>) -> &'static str {
    if field == proposed.field { proposed.reason.word() } else { "chosen" }
}

fn named_code(code: impl Into<String>, name: impl Into<String>) -> NamedCode {
    NamedCode { code: code.into(), name: name.into() }
}

fn detected_view(
    what: &str,
    title: &str,
    value: Option<String>,
    evidence: &str,
    choices: Vec<NamedCode>,
) -> DetectedView {
    DetectedView { what: what.into(), title: title.into(), value, evidence: evidence.into(), choices }
}

/// The name of no sheet: no spreadsheet program takes it for one.
const ALL_SHEETS: &str = "*";
/// Files named in the evidence.
const PARTS_SHOWN: usize = 12;

/// The files or sheets that are read as one table.
fn parts_view(source: &ImportSource) -> Option<DetectedView> {
    let (what, title) =
        if source.sheets.is_empty() { ("files", "Files") } else { ("sheets", "Sheets read as one") };
    let count = source.parts.len();
    let shown = source.parts.iter().take(PARTS_SHOWN).map(|part| {
        let difference =
            if part.difference.is_empty() { String::new() } else { format!(", {}", part.difference) };
        format!("{} ({}{difference})", part.name, pluralize(part.rows, "row"))
    });
    let mut evidence = shown.collect::<Vec<_>>().join("; ");
    if count > PARTS_SHOWN {
        evidence.push_str(&format!("; {} more", count - PARTS_SHOWN));
    }
    (count > 0).then(|| {
        let choices = vec![named_code(count.to_string(), format_count(count))];
        detected_view(what, title, Some(count.to_string()), &evidence, choices)
    })
}

/// Everything that was detected, with its evidence and what else can be chosen.
pub fn detected_views(session: &ReviewSession) -> Vec<DetectedView> {
    let review = session.review();
    let source = review.source();
    let mut views = Vec::new();
    views.extend(parts_view(source));
    if source.sheet.is_some() || !source.sheets.is_empty() {
        let visible = source.sheets.iter().filter(|s| !s.hidden);
        let mut visible: Vec<NamedCode> = visible.map(|s| named_code(&s.name, &s.name)).collect();
        if visible.len() > 1 {
            visible.push(named_code(ALL_SHEETS, "All sheets with the same columns"));
        }
        let sheet = source.sheet.as_deref().unwrap_or(ALL_SHEETS).to_owned();
        views.push(detected_view(
            "sheet",
            "Sheet",
            Some(sheet),
            "chosen by you, or the first visible sheet with names of fields, a summary of another one aside",
            visible,
        ));
    }
    if let Some(encoding) = &source.detection.encoding {
        let choices = ENCODINGS.map(|name| named_code(name, name)).to_vec();
        views.push(detected_view(
            "encoding",
            "Encoding",
            Some(encoding.value.clone()),
            &encoding.evidence,
            choices,
        ));
    }
    if let Some(delimiter) = &source.detection.delimiter {
        // What was found may be none of them: columns at their places.
        let all = DELIMITERS.into_iter().chain(Some(delimiter.value).filter(|own| !DELIMITERS.contains(own)));
        let choices = all.map(|d| named_code(d, delimiter_name(d))).collect();
        let value = Some(delimiter.value.to_string());
        views.push(detected_view("delimiter", "Delimiter", value, &delimiter.evidence, choices));
    }
    if source.parts.is_empty() {
        views.push(header_view(session));
    }
    views.extend(number_format(&source.table));
    let mark = &review.values().decimal_mark;
    let value = Some(mark_code(mark.value).to_owned());
    let choices = vec![named_code("point", "1,250.50"), named_code("comma", "1.250,50")];
    views.push(detected_view("decimal_mark", "Decimal mark", value, &mark.evidence, choices));
    let order = &review.values().date_order;
    let choices =
        [DateOrder::MonthFirst, DateOrder::DayFirst].map(|o| named_code(order_code(o), o.pattern())).to_vec();
    let value = order.value.map(|order| order_code(order).to_owned());
    views.push(detected_view("date_order", "Order of dates", value, &order.evidence, choices));
    views.extend(grouping_views(review.mapping()));
    views
}

/// Leading zeros and marks that a workbook shows around numbers, with one of them as the evidence.
fn number_format(table: &Table) -> Option<DetectedView> {
    let numbers: Vec<_> = table.formatted_numbers().filter(|number| !number.has_unit()).collect();
    let count = format_count(numbers.len());
    let first = numbers.first()?;
    let place = format!("{}{}", column_letters(first.column), table.line(first.row));
    let evidence = format!(
        "{place} shows {} and stores {}; {count} such cells. Amounts and dates are read as stored.",
        first.shown, first.stored
    );
    let value = if table.is_as_stored() { "stored" } else { "shown" };
    let choices = vec![
        named_code("shown", format!("As shown, {}", first.shown)),
        named_code("stored", format!("As stored, {}", first.stored)),
    ];
    Some(detected_view("number_format", "Formatted numbers", Some(value.into()), &evidence, choices))
}

fn header_view(session: &ReviewSession) -> DetectedView {
    let source = session.review().source();
    let header = &source.detection.header;
    let code = |row: Option<u32>| {
        row.map_or_else(|| "none".to_owned(), |row| source.table.line(row as usize).to_string())
    };
    let name = |row: Option<u32>| match row {
        Some(row) => format!("Row {}", source.table.line(row as usize)),
        None => "No headers".to_owned(),
    };
    let rows = std::iter::once(header.value).chain(header.alternatives.iter().copied());
    let choices = rows.map(|row| named_code(code(row), name(row))).collect();
    detected_view("header_row", "Headers", Some(code(header.value)), &header.evidence, choices)
}

fn grouping_views(mapping: &Mapping) -> Vec<DetectedView> {
    let value = match mapping.grouping {
        RowGrouping::None => "none",
        RowGrouping::ById => "by_id",
        RowGrouping::ByPolicy => "by_policy",
    };
    let choices = vec![
        named_code("none", "Each row is a transaction"),
        named_code("by_id", "Rows with the same id"),
        named_code("by_policy", "Rows with the same policy, type, date and invoice"),
    ];
    let evidence = "as chosen, or as the amounts of the rows belong together";
    let mut views =
        vec![detected_view("grouping", "Rows of one transaction", Some(value.into()), evidence, choices)];
    if mapping.grouping != RowGrouping::None {
        let value = mapping.row_amounts.map(|amounts| match amounts {
            RowAmounts::Add => "add".to_owned(),
            RowAmounts::Repeat => "repeat".to_owned(),
        });
        let choices =
            vec![named_code("add", "Parts to be added"), named_code("repeat", "The same amount again")];
        let evidence = "several rows of a transaction can have parts of an amount, or repeat it";
        views.push(detected_view("row_amounts", "Amounts in several rows", value, evidence, choices));
    }
    views
}

const fn mark_code(mark: DecimalMark) -> &'static str {
    match mark {
        DecimalMark::Point => "point",
        DecimalMark::Comma => "comma",
    }
}

const fn order_code(order: DateOrder) -> &'static str {
    match order {
        DateOrder::MonthFirst => "month_first",
        DateOrder::DayFirst => "day_first",
    }
}

/// Whether a question is open that only the person can answer.
pub fn has_question(session: &ReviewSession) -> bool {
    let mapping = session.review().mapping();
    session.review().values().date_order.value.is_none()
        || (mapping.grouping != RowGrouping::None && mapping.row_amounts.is_none())
}

fn invalid_answer(pointer: String, message: &str) -> BoundaryError {
    BoundaryError::invalid_field(pointer, message)
}

/// The read options after the overrides; `None` when they do not concern the reading.
pub fn read_options(
    session: &ReviewSession,
    overrides: &[NamedCode],
) -> Result<Option<ReadOptions>, BoundaryError> {
    let mut options = session.draft.options.clone();
    for (at, NamedCode { code: what, name: value }) in overrides.iter().enumerate() {
        let pointer = || format!("/overrides/{at}");
        match what.as_str() {
            "sheet" => {
                options.all_sheets = value == ALL_SHEETS;
                options.sheet = (!options.all_sheets).then(|| value.clone());
                options.header = None;
            }
            "encoding" => options.encoding = Some(value.clone()),
            "delimiter" => {
                let mut chars = value.chars();
                let delimiter = chars.next().filter(|c| c.is_ascii() && chars.next().is_none());
                let message = "A delimiter is one character, such as a comma.";
                options.delimiter = Some(delimiter.ok_or_else(|| invalid_answer(pointer(), message))?);
                options.header = None;
            }
            "number_format" => options.stored_numbers = value == "stored",
            "header_row" if value == "none" => options.header = Some(None),
            "header_row" => {
                let table = &session.review().source().table;
                let line = value.parse::<u32>().ok();
                let row = line.and_then(|line| (0..table.row_count()).find(|row| table.line(*row) == line));
                let row = row.and_then(|row| u32::try_from(row).ok());
                let message = "There is no such row. Give the number of the row with the headers, or none.";
                options.header = Some(Some(row.ok_or_else(|| invalid_answer(pointer(), message))?));
            }
            _ => {}
        }
    }
    Ok((options != session.draft.options).then_some(options))
}

pub fn answered_mapping(
    session: &ReviewSession,
    mapping: &Mapping,
    answers: &ReviewMatch,
) -> Result<Mapping, BoundaryError> {
    let ReviewMatch { overrides, columns, values, .. } = answers;
    let mut mapping = mapping.clone();
    for (at, NamedCode { code: what, name: value }) in overrides.iter().enumerate() {
        let refused = || invalid_answer(format!("/overrides/{at}"), "This cannot be chosen here.");
        match (what.as_str(), value.as_str()) {
            ("date_order", "month_first") => mapping.date_order = Some(DateOrder::MonthFirst),
            ("date_order", "day_first") => mapping.date_order = Some(DateOrder::DayFirst),
            ("decimal_mark", "point") => mapping.decimal_mark = Some(DecimalMark::Point),
            ("decimal_mark", "comma") => mapping.decimal_mark = Some(DecimalMark::Comma),
            ("grouping", "none") => mapping.grouping = RowGrouping::None,
            ("grouping", "by_id") => mapping.grouping = RowGrouping::ById,
            ("grouping", "by_policy") => mapping.grouping = RowGrouping::ByPolicy,
            ("row_amounts", "add") => mapping.row_amounts = Some(RowAmounts::Add),
            ("row_amounts", "repeat") => mapping.row_amounts = Some(RowAmounts::Repeat),
            ("sheet" | "encoding" | "delimiter" | "header_row" | "number_format", _) => {}
            _ => return Err(refused()),
        }
    }
    for (at, change) in columns.iter().enumerate() {
        match_column(session, &mut mapping, change)
            .map_err(|message| invalid_answer(format!("/columns/{at}"), message))?;
    }
    for (at, value) in values.iter().enumerate() {
        let field = Field::by_name(&value.field)
            .ok_or_else(|| invalid_answer(format!("/values/{at}"), "This field is not known."))?;
        match value.code.as_deref().map(str::trim).filter(|code| !code.is_empty()) {
            Some(code) => mapping.remember_value(field, &value.found, code),
            None => {
                if let Some(words) = mapping.values.get_mut(&field) {
                    words.remove(&value.found.trim().to_lowercase());
                }
            }
        }
    }
    mapping.values.retain(|_, words| !words.is_empty());
    if let Some(rules) = &answers.rules {
        answer_rules(session, &mut mapping, rules)
            .map_err(|sentence| invalid_answer("/rules".to_owned(), &sentence))?;
    }
    mapping.with_checked_rules().map_err(|sentence| invalid_answer("/rules".to_owned(), &sentence))
}

fn match_column(
    session: &ReviewSession,
    mapping: &mut Mapping,
    change: &ColumnChange,
) -> Result<(), &'static str> {
    let name = change.field.as_deref().filter(|name| !name.is_empty());
    let field = name.map(|name| Field::by_name(name).ok_or("This field is not known.")).transpose()?;
    let column = change.column as usize;
    if column >= session.proposed.len() || column >= mapping.columns.len() {
        return Err("There is no such column in the file.");
    }
    if let Some(field) = field.filter(|field| !field.is_repeatable()) {
        // A field of one column moves with the choice: two columns of it would only contradict each other.
        for other in mapping.columns.iter_mut().filter(|other| other.field == Some(field)) {
            other.field = None;
        }
    }
    if let Some(field) = field {
        let choice = &mapping.columns[column];
        let own = ColumnName { header: choice.header.clone(), occurrence: choice.occurrence };
        mapping.rules.release_field(field, &own);
    }
    mapping.columns[column].field = field;
    Ok(())
}

/// The headers as a key for the history of mappings.
pub fn header_key(session: &ReviewSession) -> String {
    key_of(session.proposed.iter().map(|column| column.header.as_str()))
}

/// The same for columns that were just proposed.
pub fn key_of<'h>(headers: impl Iterator<Item = &'h str>) -> String {
    headers.map(|header| header.trim().to_lowercase()).collect::<Vec<_>>().join("\u{1f}")
}

/// Whether all columns are the template's, apart from those added to rejected rows.
pub fn is_template_with_added(columns: &[ProposedColumn]) -> bool {
    let is_added =
        |column: &ProposedColumn| bordereau_spreadsheets::REJECT_COLUMNS.contains(&column.header.as_str());
    columns.iter().any(is_added)
        && columns
            .iter()
            .filter(|c| !is_added(c) && !c.header.is_empty())
            .all(|column| Field::by_name(&column.header).is_some_and(|field| column.field == Some(field)))
}
