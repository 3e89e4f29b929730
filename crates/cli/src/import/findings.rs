//! The findings of a check, collected for the report: groups with their first issues.

use bordereau_contract::{pluralize, pluralize_as};
use bordereau_desk::Desk;
use bordereau_desk::api::{CellId, IssueGroupView, IssueView, ReviewView, RowsQuery, RowsRequest};

use crate::exit::CommandExit;

/// Message for a file with headers and no rows.
pub(crate) const NOTHING: &str =
    "there is nothing to import: the file has no row with content below its headers";

/// Issues shown for each group.
pub(crate) const PLACES: u32 = 3;

/// A group with its first issues.
pub(crate) struct FoundGroup<'r> {
    pub(crate) group: &'r IssueGroupView,
    pub(crate) first: Vec<IssueView>,
}

/// A review with its texts.
pub(crate) struct ReviewFindings<'r> {
    pub(crate) review: &'r ReviewView,
    /// Questions that only a person can answer.
    pub(crate) questions: Vec<String>,
    pub(crate) groups: Vec<FoundGroup<'r>>,
}

impl<'r> ReviewFindings<'r> {
    pub(crate) async fn from_review(
        desk: &Desk,
        review: &'r ReviewView,
        questions: Vec<String>,
    ) -> Result<ReviewFindings<'r>, CommandExit> {
        let mut groups = Vec::new();
        for group in &review.groups {
            groups.push(FoundGroup { group, first: first_issues(desk, &review.id, group).await? });
        }
        Ok(ReviewFindings { review, questions, groups })
    }

    /// Why no row can be sent, the most frequent reason first.
    pub(crate) fn no_rows_ready_text(&self) -> String {
        const TOLD: usize = 3;
        let mut errors: Vec<&IssueGroupView> =
            self.groups.iter().map(|found| found.group).filter(|group| group.severity == "error").collect();
        errors.sort_by_key(|group| std::cmp::Reverse(group.rows));
        let told: Vec<String> = errors
            .iter()
            .take(TOLD)
            .map(|group| format!("{} ({})", group.title, pluralize(group.rows, "row")))
            .collect();
        let why = if told.is_empty() { "the file has none".to_owned() } else { told.join("; ") };
        format!("nothing was sent: every row has errors: {why}. `bordereau import` without --send shows all")
    }

    /// A run fails if a named file wasn't read.
    pub(crate) fn check_all_read(&self) -> Result<(), CommandExit> {
        let mut missing = self.review.left_out.iter().filter(|file| !file.is_duplicate);
        let Some(first) = missing.next() else { return Ok(()) };
        let others = match missing.count() {
            0 => String::new(),
            count => format!(" ({count} more)"),
        };
        Err(CommandExit::rejected(format!("{} was not read{others}: {}", first.name, first.why)))
    }

    /// Success, or one line that says why not.
    pub(crate) fn to_exit(&self) -> Result<(), CommandExit> {
        let counts = self.review.counts;
        if self.questions.is_empty() && counts.rows == 0 {
            return Err(CommandExit::rejected(NOTHING));
        }
        match (self.questions.as_slice(), counts.errors) {
            ([], 0) => self.check_all_read(),
            ([], errors) => {
                let rows = pluralize_as(errors, "row has", "rows have");
                Err(CommandExit::rejected(format!("{rows} errors")))
            }
            ([one], _) => Err(CommandExit::rejected(one.clone())),
            (many, _) => {
                Err(CommandExit::rejected(format!("{} questions are open. {}", many.len(), many.join(" "))))
            }
        }
    }
}

async fn first_issues(
    desk: &Desk,
    review: &str,
    group: &IssueGroupView,
) -> Result<Vec<IssueView>, CommandExit> {
    let request = RowsRequest {
        id: review.to_owned(),
        rows: RowsQuery { code: group.code.clone(), ..RowsQuery::default() },
        from: 0,
        count: PLACES,
    };
    let mut issues = Vec::new();
    for row in desk.review_rows(request).await?.rows {
        let cell = CellId { id: review.to_owned(), row: row.row, column: None };
        let plain = group.code.split(':').next().unwrap_or_default();
        let of_row = desk.review_issues(cell).await?.issues;
        // A group of one field: the row may have the same problem in another one.
        let column = group.first_column;
        let mark = row.marks.iter().any(|mark| mark.code == plain && mark.column == column);
        let found = match column.filter(|_| mark) {
            None => of_row.into_iter().find(|issue| issue.code == plain || issue.code == group.code),
            Some(column) => {
                let cell = CellId { id: review.to_owned(), row: row.row, column: Some(column) };
                let of_cell = desk.review_issues(cell).await?.issues;
                of_cell.into_iter().find(|issue| issue.code == plain || issue.code == group.code)
            }
        };
        issues.extend(found);
    }
    Ok(issues)
}
