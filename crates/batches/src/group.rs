//! Issues grouped by repair: what they have in common, how many rows, and the repair of the whole group.

use std::collections::{BTreeMap, HashMap};

use bordereau_money::Usd;
use bordereau_spreadsheets::{
    Code, CodeProposal, Field, Finding, InsurerNames, Issue, RepairKind, Severity, finding_group,
    group_headline, is_by_field, is_word_without_code, propose_code, shorten_text, takes_one_value,
};

use super::acknowledgement::{KEPT, kept_finding, kept_message, kept_of_row, kept_rows, same_finding};
use super::session::ReviewSession;
use bordereau_api::{IssueGroupView, ProposedCode, ValueMatch, to_u32};
use bordereau_contract::{TransactionType, format_count, pluralize};

/// Words of a group that are counted; nobody reads a longer list.
const WORDS_MAX: usize = 500;

#[derive(Default)]
struct IssueTally<'r> {
    first: Option<&'r Finding>,
    /// In the next row that has the issue.
    second: Option<&'r Finding>,
    /// The type, where all its rows have the same.
    kind: Option<TransactionType>,
    rows: u32,
    /// The first that says what its value most likely is, and how many do.
    likely: Option<(&'r Finding, u32)>,
    last_row: Option<usize>,
    words: HashMap<&'r str, u32>,
    largest: Option<(Usd, usize)>,
}

pub(super) fn finding_word<'r>(session: &'r ReviewSession, finding: &'r Finding) -> &'r str {
    let cell = || {
        let table = &session.review().source().table;
        finding.column().map_or("", |column| table.text_at(finding.row(), column)).trim()
    };
    match finding.code() {
        Code::LineUnknown | Code::InsurerUnnumbered => finding.text(),
        Code::ValueMapped => finding.text().rsplit_once('=').map_or_else(cell, |(word, _)| word),
        Code::CodeUnknown | Code::FlagUnreadable => cell(),
        _ => "",
    }
}

fn transaction_type(session: &ReviewSession, row: usize) -> Option<TransactionType> {
    let review = session.review();
    review.figures(review.transactions().of_row(row)?).transaction_type
}

/// Groups of all rows that are not excluded, errors first, the largest first; what was sent comes last.
pub fn issue_groups(session: &ReviewSession) -> Vec<IssueGroupView> {
    let review = session.review();
    let mut groups: BTreeMap<(Code, Option<Field>), IssueTally<'_>> = BTreeMap::new();
    for finding in review.findings().iter().filter(|f| !review.is_excluded(f.row())) {
        if kept_finding(session, finding).is_some() {
            continue;
        }
        let group = groups
            .entry((finding.code(), finding.field().filter(|_| is_by_field(finding.code()))))
            .or_default();
        if group.last_row != Some(finding.row()) {
            let kind = transaction_type(session, finding.row());
            if group.rows == 0 {
                group.first = Some(finding);
                group.kind = kind;
            } else if group.rows == 1 {
                group.second = Some(finding);
            }
            group.kind = group.kind.filter(|known| Some(*known) == kind);
            group.rows += 1;
            group.last_row = Some(finding.row());
        }
        if finding.has_likely_value() {
            group.likely.get_or_insert((finding, 0)).1 += 1;
        }
        let word = finding_word(session, finding);
        if !word.is_empty() && (group.words.len() < WORDS_MAX || group.words.contains_key(word)) {
            *group.words.entry(word).or_default() += 1;
        }
        if let Some((provided, calculated)) = finding.amounts() {
            let difference = calculated.checked_sub(provided).unwrap_or(Usd::ZERO).abs();
            if group.largest.is_none_or(|(largest, _)| difference > largest) {
                group.largest = Some((difference, finding.row()));
            }
        }
    }
    let mut views: Vec<IssueGroupView> =
        groups.into_values().filter_map(|g| group_view(session, &g)).collect();
    views.extend(service_groups(session));
    let is_done = |g: &IssueGroupView| g.code == Code::SentBefore.code();
    views.sort_by_key(|g| (is_done(g), g.severity != "error", std::cmp::Reverse(g.rows)));
    views.extend(acknowledged_group(session));
    views
}

fn group_view(session: &ReviewSession, group: &IssueTally<'_>) -> Option<IssueGroupView> {
    let first = group.first?;
    let (fix, fix_label) = group_repair(session, group, first).unzip();
    let fix = fix.map(|kind| <&str>::from(kind).to_owned());
    let code = finding_group(first);
    let title = match first.field().filter(|_| code.contains(':')) {
        Some(field) => format!("{}: {}", first.code().title(), field.title()),
        None => first.code().title().to_owned(),
    };
    Some(IssueGroupView {
        code,
        title,
        headline: group_headline(first.code(), first.field(), group.rows, group.kind),
        severity: severity_name(first.severity()).into(),
        rows: group.rows,
        examples: if group.words.is_empty() { examples(session, group) } else { Vec::new() },
        summary: group_summary(session, group, first),
        first_row: to_u32(first.row()),
        first_column: session.matched_column(first.column()).and_then(|column| u32::try_from(column).ok()),
        fix,
        fix_label,
    })
}

pub fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn group_repair(
    session: &ReviewSession,
    group: &IssueTally<'_>,
    first: &Finding,
) -> Option<(RepairKind, String)> {
    if is_word_without_code(first.code()) {
        let label = format!("Match {}", pluralize(group.words.len(), "value"));
        return Some((RepairKind::MatchValues, label));
    }
    if first.code() == Code::MissingWanted && first.field() == Some(Field::InvoiceNumber) {
        return Some((RepairKind::FillPolicyNumber, "Fill from policy number".into()));
    }
    if first.code() == Code::Missing && first.field() == Some(Field::Id) {
        return Some((RepairKind::FillId, RepairKind::FillId.group_label(group.rows as usize)));
    }
    let (first, rows) = group.likely.unwrap_or((first, group.rows));
    let fix = session.review().describe_finding(first).fix.filter(|fix| fix.kind.is_offered(fix.certain));
    let kind = fix.map(|fix| fix.kind).or_else(|| takes_one_value(first).then_some(RepairKind::SetValue))?;
    Some((kind, kind.group_label(rows as usize)))
}

fn group_summary(session: &ReviewSession, group: &IssueTally<'_>, first: &Finding) -> String {
    if !group.words.is_empty() {
        let mut words: Vec<(&str, u32)> = group.words.iter().map(|(word, n)| (*word, *n)).collect();
        words.sort_by_key(|(word, n)| (std::cmp::Reverse(*n), *word));
        let shown: Vec<String> = words
            .iter()
            .take(3)
            .map(|(word, n)| format!("\"{}\" in {}", shorten_text(word), pluralize(*n, "row")))
            .collect();
        let more = words.len().saturating_sub(3);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        return format!("{}{more}.", shown.join(", "));
    }
    let compares = matches!(first.code(), Code::TaxDiffers | Code::TotalDiffers | Code::TaxMissing);
    if let Some((largest, row)) = group.largest.filter(|_| compares) {
        return format!(
            "Provided and calculated are both kept. Largest difference {} (row {}).",
            largest.to_grouped(),
            format_count(session.line(row) as usize)
        );
    }
    format!("{}.", session.review().describe_finding(first).advice)
}

fn examples(session: &ReviewSession, group: &IssueTally<'_>) -> Vec<String> {
    let both = [group.first, group.second].into_iter().flatten();
    both.map(|finding| row_example(session, finding, &session.review().describe_finding(finding))).collect()
}

/// Messages of the service, by field.
fn service_groups(session: &ReviewSession) -> Vec<IssueGroupView> {
    let mut groups: BTreeMap<String, IssueGroupView> = BTreeMap::new();
    for row in session.draft.messages.keys() {
        if session.review().is_excluded(*row as usize) {
            continue;
        }
        for (column, message) in session.messages(*row as usize) {
            let kept = kept_message(session, *row as usize, column, message);
            let same = same_finding(session, *row as usize, column, message);
            if kept.is_some() || same.is_some_and(|finding| kept_finding(session, finding).is_none()) {
                continue;
            }
            let group = groups.entry(message.group()).or_insert_with(|| IssueGroupView {
                code: message.group(),
                title: match (Field::by_message_key(&message.field), message.field.strip_prefix("documents."))
                {
                    (Some(field), _) => format!("Reported by the service: {}", field.title()),
                    (None, Some(code)) => format!("Reported by the service: document {code}"),
                    (None, None) => "Reported by the service".into(),
                },
                severity: message.severity.clone(),
                summary: message.text.clone(),
                first_row: *row,
                first_column: column.and_then(|column| u32::try_from(column).ok()),
                ..IssueGroupView::default()
            });
            group.rows += 1;
            if message.calculated.is_some() && column.is_some() {
                group.fix = Some(<&str>::from(RepairKind::UseCalculated).into());
            }
            if message.severity == "error" {
                group.severity.clone_from(&message.severity);
            }
        }
    }
    let with_label = |mut group: IssueGroupView| {
        let verb = if group.rows == 1 { "has" } else { "have" };
        group.headline = format!("{} {verb} a message of the service", pluralize(group.rows, "row"));
        if let Some((_, about)) = group.title.split_once(": ") {
            group.headline.push_str(&format!(": {about}"));
        }
        group.fix_label =
            group.fix.is_some().then(|| RepairKind::UseCalculated.group_label(group.rows as usize));
        group
    };
    groups.into_values().map(with_label).collect()
}

/// What was kept with a reason, last of all.
fn acknowledged_group(session: &ReviewSession) -> Option<IssueGroupView> {
    let rows: Vec<u32> =
        kept_rows(session).into_iter().filter(|row| !session.review().is_excluded(*row as usize)).collect();
    let first_row = *rows.first()?;
    let kept = kept_of_row(session, first_row as usize).into_iter().next()?;
    Some(IssueGroupView {
        code: KEPT.into(),
        title: "Kept with a reason".into(),
        headline: format!("{} kept with a reason", pluralize(rows.len(), "row")),
        severity: KEPT.into(),
        rows: to_u32(rows.len()),
        summary: format!("{}: {}", kept.warning, kept.reason),
        first_row,
        ..IssueGroupView::default()
    })
}

/// Words that have to be matched to a code, then those that are.
pub fn value_matches(session: &ReviewSession) -> Vec<ValueMatch> {
    let review = session.review();
    let mut found: HashMap<(Field, &str), (Option<&str>, u32)> = HashMap::new();
    for finding in review.findings() {
        let Some(field) = finding.field() else { continue };
        let word = finding_word(session, finding);
        let key = (field, word);
        if word.is_empty() || (found.len() >= WORDS_MAX && !found.contains_key(&key)) {
            continue;
        }
        let code = (finding.code() == Code::ValueMapped)
            .then(|| finding.text().rsplit_once('=').map_or(finding.text(), |(_, code)| code));
        let entry = found.entry(key).or_insert((code, 0));
        entry.1 += 1;
    }
    let insurers = found.keys().any(|(field, _)| *field == Field::InsuranceCompany);
    let insurers = insurers.then(|| InsurerNames::of_file(review));
    let propose = |field, word: &str| match (&insurers, field) {
        (Some(names), Field::InsuranceCompany) => names.propose_number(word),
        _ => propose_code(field, word, &session.check_context.local.lines),
    };
    let mut values: Vec<ValueMatch> = found
        .into_iter()
        .map(|((field, word), (code, rows))| ValueMatch {
            field: field.name().into(),
            found: word.into(),
            code: code.map(str::to_owned),
            rows,
            proposed: propose(field, word)
                .filter(|_| code.is_none())
                .map(|CodeProposal { code, reason }| ProposedCode { code, reason }),
        })
        .collect();
    let known: Vec<ValueMatch> = review
        .mapping()
        .values
        .iter()
        .flat_map(|(field, words)| words.iter().map(move |(word, code)| (field, word, code)))
        .filter(|(field, word, _)| {
            !values.iter().any(|v| v.field == field.name() && v.found.eq_ignore_ascii_case(word))
        })
        .map(|(field, word, code)| ValueMatch {
            field: field.name().into(),
            found: word.clone(),
            code: Some(code.clone()),
            rows: 0,
            proposed: None,
        })
        .collect();
    values.extend(known);
    values.sort_by_cached_key(|value| {
        (value.code.is_some(), std::cmp::Reverse(value.rows), value.found.clone())
    });
    values
}

/// One of the rows: `Row 12: "02/01/2026", expected the policy's effective date 03/01/2026`.
fn row_example(session: &ReviewSession, finding: &Finding, issue: &Issue) -> String {
    let row = format_count(session.line(finding.row()) as usize);
    let found = issue.location.found.trim();
    let found = if found.is_empty() { "nothing".to_owned() } else { format!("\"{}\"", shorten_text(found)) };
    match finding.column() {
        Some(_) if session.is_by_hand() => format!("{found}, expected {}", issue.expected),
        Some(_) => format!("Row {row}: {found}, expected {}", issue.expected),
        None => format!("Row {row}: expected {}", issue.expected),
    }
}
