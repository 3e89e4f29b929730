//! What a check found, gathered for the report: groups with their first places in words.

use bordereau_desk::Desk;
use bordereau_desk::api::{CellId, IssueGroupView, IssueView, ReviewView, RowFilter, RowsRequest};

use crate::ending::Ending;
use crate::import::report::counted;

/// What is said of a file with headers and nothing below them.
pub(crate) const NOTHING: &str =
    "there is nothing to import: the file has no row with content below its headers";

/// Places named for each group.
const PLACES: u32 = 3;

/// A group and where it is first.
pub(crate) struct FoundGroup<'r> {
    pub(crate) group: &'r IssueGroupView,
    pub(crate) first: Vec<IssueView>,
}

/// A review with the words for it.
pub(crate) struct Found<'r> {
    pub(crate) review: &'r ReviewView,
    /// What only a person can say.
    pub(crate) questions: Vec<String>,
    pub(crate) groups: Vec<FoundGroup<'r>>,
}

impl<'r> Found<'r> {
    pub(crate) async fn of(
        desk: &Desk,
        review: &'r ReviewView,
        questions: Vec<String>,
    ) -> Result<Found<'r>, Ending> {
        let mut groups = Vec::new();
        for group in &review.groups {
            groups.push(FoundGroup { group, first: first(desk, &review.id, group).await? });
        }
        Ok(Found { review, questions, groups })
    }

    /// Why no row can be sent, the largest trouble first.
    pub(crate) fn nothing_ready(&self) -> String {
        const TOLD: usize = 3;
        let mut errors: Vec<&IssueGroupView> =
            self.groups.iter().map(|found| found.group).filter(|group| group.severity == "error").collect();
        errors.sort_by_key(|group| std::cmp::Reverse(group.rows));
        let told: Vec<String> = errors
            .iter()
            .take(TOLD)
            .map(|group| format!("{} ({})", group.title, counted(group.rows, "row")))
            .collect();
        let why = if told.is_empty() { "the file has none".to_owned() } else { told.join("; ") };
        format!(
            "nothing was sent: no row is without errors: {why}. `bordereau import` without --send shows all"
        )
    }

    /// Done, or the one line that says why not.
    pub(crate) fn ending(&self) -> Result<(), Ending> {
        let counts = self.review.counts;
        if self.questions.is_empty() && counts.rows == 0 {
            return Err(Ending::rejected(NOTHING));
        }
        match (self.questions.as_slice(), counts.errors) {
            ([], 0) => Ok(()),
            ([], 1) => Err(Ending::rejected("1 row has errors")),
            ([], errors) => Err(Ending::rejected(format!("{errors} rows have errors"))),
            ([one], _) => Err(Ending::rejected(one.clone())),
            (many, _) => {
                Err(Ending::rejected(format!("{} questions are open. {}", many.len(), many.join(" "))))
            }
        }
    }
}

async fn first(desk: &Desk, review: &str, group: &IssueGroupView) -> Result<Vec<IssueView>, Ending> {
    let request = RowsRequest {
        id: review.to_owned(),
        filter: RowFilter::All,
        code: group.code.clone(),
        from: 0,
        count: PLACES,
    };
    let mut issues = Vec::new();
    for row in desk.review_rows(request).await?.rows {
        let cell = CellId { id: review.to_owned(), row: row.row, column: None };
        let plain = group.code.split(':').next().unwrap_or_default();
        let of_row = desk.review_issues(cell).await?.issues;
        // A group of one field: the row may have the same trouble in another one.
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
