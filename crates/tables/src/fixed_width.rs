//! Text whose columns are at the same places in each line, as mainframes print reports: no character separates them.

use std::ops::Range;

use crate::header::{HeaderFields, has_header};
use crate::limits::{CELLS_MAX, COLUMNS_MAX};
use crate::table::{CellKind, Table, trim_blanks};

/// Longer texts are read as they are: nobody prints so much.
const TEXT_MAX: usize = 32 << 20;

/// Lines from which the places are taken.
const LINES_LOOKED_AT: usize = 2_000;

/// Places in a line that are looked at, in characters.
const PLACES_MAX: usize = 2_000;

/// Fewer columns, or fewer lines with that many, may be words with wide blanks between them.
const COLUMNS_MIN: usize = 4;
const LINES_MIN: usize = 4;

/// Lines among the first in which dashes may be below the headers, one group for each column.
const RULER_LINES: usize = 30;

/// The table, and how the places of its columns were found; `None` where they aren't at the same places, or no line names
/// fields.
pub(crate) fn split_columns(text: &str, fields: HeaderFields) -> Option<(Table, String)> {
    if text.len() > TEXT_MAX || text.contains('\t') {
        return None;
    }
    let lines = || text.lines().map(|line| line.trim_start_matches('\u{c}').trim_end());
    let ruler = lines().take(RULER_LINES).position(is_ruler);
    let (begins, evidence) = match ruler {
        Some(at) => {
            let begins = words_of(lines().nth(at)?).map(|word| word.start).collect();
            (begins, format!("dashes in row {} are below each column", at + 1))
        }
        None => (places_of_columns(lines())?, "columns are at the same place in each line".to_owned()),
    };
    if !(COLUMNS_MIN..=COLUMNS_MAX).contains(&begins.len()) {
        return None;
    }
    let mut table = Table::default();
    for (at, line) in lines().enumerate() {
        let first = table.cell_count();
        if !is_ruler(line) {
            cells_of(line, &begins).into_iter().for_each(|cell| table.push_cell(cell, CellKind::Text));
        }
        if table.cell_count() > CELLS_MAX {
            return None;
        }
        table.end_row(first, u32::try_from(at + 1).ok()?);
    }
    has_header(&table, fields).then_some((table, evidence))
}

/// `------ ---------- --`, of as many groups as there are columns at least.
fn is_ruler(line: &str) -> bool {
    let are_marks =
        |mark: char| line.chars().all(|letter| letter == mark || letter == ' ') && line.contains(mark);
    (are_marks('-') || are_marks('=')) && words_of(line).count() >= COLUMNS_MIN
}

/// Places of what has no blank in it, in characters.
fn words_of(line: &str) -> impl Iterator<Item = Range<usize>> {
    let mut begin = None;
    let ends = line.chars().chain([' ']).enumerate();
    ends.filter_map(move |(at, letter)| match (letter == ' ', begin) {
        (false, None) => {
            begin = Some(at);
            None
        }
        (true, Some(start)) => {
            begin = None;
            Some(start..at)
        }
        _ => None,
    })
}

/// Where columns begin: behind places that are blank in all lines, or behind two of them in nearly all.
fn places_of_columns<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Vec<usize>> {
    let parts = |line: &str| line.split("  ").filter(|part| !part.trim().is_empty()).count();
    let lines: Vec<(&str, usize)> = lines.take(LINES_LOOKED_AT).map(|line| (line, parts(line))).collect();
    // Titles and sums have fewer parts than rows.
    let most = lines.iter().map(|(_, parts)| *parts).max()?;
    let has_columns = |parts: usize| parts >= COLUMNS_MIN && parts * 3 >= most * 2;
    let (mut filled, mut count) = (vec![0_usize; PLACES_MAX], 0);
    for (line, _) in lines.into_iter().filter(|(_, parts)| has_columns(*parts)) {
        count += 1;
        let letters = line.chars().take(PLACES_MAX).enumerate();
        letters.filter(|(_, letter)| *letter != ' ').for_each(|(at, _)| filled[at] += 1);
    }
    let end = filled.iter().rposition(|lines| *lines > 0)? + 1;
    let few = count / 50;
    let begins = |at: &usize| {
        let before = &filled[..*at];
        let is_blank = before.last().is_none_or(|lines| *lines == 0);
        let is_wide = before.iter().rev().take(2).all(|lines| *lines <= few);
        filled[*at] > few && (is_blank || is_wide)
    };
    (count >= LINES_MIN).then(|| (0..end).filter(begins).collect())
}

/// The cells of a line; the whole line where a word of it is across the beginning of a column, as titles are.
fn cells_of<'a>(line: &'a str, begins: &[usize]) -> Vec<&'a str> {
    let mut letters: Vec<(usize, char)> = line.char_indices().collect();
    letters.push((line.len(), ' '));
    let is_filled = |at: usize| letters.get(at).is_some_and(|(_, letter)| *letter != ' ');
    if begins.iter().skip(1).any(|begin| is_filled(*begin) && is_filled(*begin - 1)) {
        return vec![line.trim()];
    }
    let byte = |at: usize| letters.get(at).map_or(line.len(), |(byte, _)| *byte);
    let ends = begins.iter().skip(1).copied().chain([usize::MAX]);
    let starts = std::iter::once(0).chain(begins.iter().skip(1).copied());
    let mut cells: Vec<&str> =
        starts.zip(ends).map(|(start, end)| trim_blanks(&line[byte(start)..byte(end)])).collect();
    while cells.last().is_some_and(|cell| cell.is_empty()) {
        cells.pop();
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(header: &str) -> Option<usize> {
        ["POLICY", "INSURED NAME", "ST", "EFF DATE", "PREMIUM"].iter().position(|name| *name == header)
    }

    fn rows(text: &str) -> Option<Vec<Vec<String>>> {
        let (table, _) = split_columns(text, HeaderFields::of_headers(field))?;
        let cells = |row| (0..table.row_len(row)).map(|at| table.text_at(row, at).to_owned()).collect();
        Some((0..table.row_count()).map(cells).collect())
    }

    const REPORT: &str = "\
        SURPLUS LINES REGISTER OF MAY                 PAGE 1\n\
        POLICY     INSURED NAME       ST EFF DATE    PREMIUM\n\
        FW-1       ACME FIREWORKS     TX 03/01/26  10,000.00\n\
        FW-2       CAFÉ ZOË           TX 03/05/26   2,500.00\n\
        FW-3       CADDO LAKE MARINA  TX 03/09/26     750.50\n\
        FW-4       BIG BEND RAFTING L TX 03/09/26     750.50\n";

    #[test]
    fn columns_are_found_by_their_places() {
        let header = ["POLICY", "INSURED NAME", "ST", "EFF DATE", "PREMIUM"];
        let dashes =
            REPORT.replacen("\nFW-1", "\n------     ------------       -- --------  ---------\nFW-1", 1);
        for text in [REPORT, dashes.as_str()] {
            let rows = rows(text).unwrap();
            assert_eq!(
                rows[0],
                ["SURPLUS LINES REGISTER OF MAY                 PAGE 1"],
                "a title is one cell"
            );
            assert_eq!(rows[1], header);
            let zoe = rows.iter().find(|row| row[..].first().is_some_and(|cell| cell == "FW-2")).unwrap();
            assert_eq!(*zoe, ["FW-2", "CAFÉ ZOË", "TX", "03/05/26", "2,500.00"]);
            assert_eq!(rows.len(), text.lines().count(), "each line is a row");
        }
        // A row that is longer than its column is left whole, for a person to see.
        let long = REPORT.replace(
            "TX 03/09/26     750.50\nFW-4",
            "TX 03/09/26     750.50\nFW-33333333333333 X LLC  TX 03/09/26 1.00\nFW-4",
        );
        assert!(
            rows(&long)
                .is_none_or(|rows| rows.iter().any(|row| row.len() == 1 && row[0].starts_with("FW-3333")))
        );
    }

    #[test]
    fn other_texts_are_left_alone() {
        let delimited = REPORT.replace("  ", "\t");
        let no_names = REPORT
            .replace("POLICY  ", "NUMBER  ")
            .replace("INSURED NAME", "CLIENT      ")
            .replace("ST EFF", "XX EFF")
            .replace("PREMIUM", "AMOUNTS")
            .replace("DATE", "DAYS");
        for text in
            ["", "POLICY,ST\n1,TX\n", &delimited, &no_names, "Dear all,\n\nthe premium  is  due  now.\n"]
        {
            assert_eq!(rows(text), None, "{text}");
        }
    }
}
