//! The changelog of the rules (`rules/CHANGES.md`): which state, for which dates, what changed.

use bordereau_contract::Jurisdiction;

/// One entry of the changelog of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleChange {
    /// The day the change was published, ISO.
    pub published: String,
    /// The states concerned.
    pub states: Vec<Jurisdiction>,
    /// First day of the policies or transactions concerned, ISO; `None` means no first day.
    pub from: Option<String>,
    /// Last day, ISO; `None` means no last day.
    pub until: Option<String>,
    /// What changed, for people.
    pub text: String,
    /// The amounts that changed and who is concerned, in the form that the test of the changelog reads;
    /// `None` where no amount changed.
    pub claim: Option<String>,
}

/// The text of the changelog that comes with the rules.
pub const BUILTIN_CHANGES: &str = include_str!("../rules/CHANGES.md");

/// The changelog that comes with the rules, in the order of the file.
///
/// # Panics
/// Never: a test reads the file.
pub fn rule_changes() -> Vec<RuleChange> {
    RuleChange::parse_all(BUILTIN_CHANGES).expect("the built-in changelog is tested")
}

impl RuleChange {
    /// Reads `## 2026-11-22` headings and entries `- WA, from 2025-01-01: what changed. [stamping_fee]`.
    ///
    /// # Errors
    /// The first entry at fault, with what was expected.
    pub fn parse_all(text: &str) -> Result<Vec<RuleChange>, String> {
        let mut published = None;
        let mut entries: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            if let Some(day) = line.strip_prefix("## ") {
                published = Some(iso_day(day.trim())?);
            } else if let Some(entry) = line.strip_prefix("- ") {
                let day = published.clone().ok_or_else(|| format!("no date above the entry \"{line}\""))?;
                entries.push((day, entry.trim().into()));
            } else if let (true, Some((_, entry))) = (line.starts_with("  "), entries.last_mut()) {
                entry.push(' ');
                entry.push_str(line.trim());
            } else if !line.trim().is_empty() && published.is_some() {
                return Err(format!(
                    "\"{line}\" is neither an entry (- WA: ...) nor its second line (two spaces)"
                ));
            }
        }
        entries.into_iter().map(|(day, entry)| parse_entry(day, &entry)).collect()
    }
}

fn parse_entry(published: String, entry: &str) -> Result<RuleChange, String> {
    let (head, body) =
        entry.split_once(": ").ok_or_else(|| format!("\"{entry}\" has no colon after state and dates"))?;
    let mut change =
        RuleChange { published, states: Vec::new(), from: None, until: None, text: body.into(), claim: None };
    for part in head.split(", ") {
        match part.parse() {
            Ok(state) => change.states.push(state),
            Err(_) => parse_dates(part, &mut change)?,
        }
    }
    if change.states.is_empty() {
        return Err(format!("\"{entry}\" names no state"));
    }
    if let Some((text, claim)) = body.strip_suffix(']').and_then(|body| body.rsplit_once('[')) {
        (change.text, change.claim) = (text.trim().into(), Some(claim.into()));
    }
    Ok(change)
}

/// `all dates`, `from 2025-01-01`, `until 2029-12-31`, or `from 2019-01-01 to 2029-12-31`.
fn parse_dates(part: &str, change: &mut RuleChange) -> Result<(), String> {
    if part == "all dates" {
        return Ok(());
    }
    let mut words = part.split_whitespace();
    while let Some(word) = words.next() {
        let place = match word {
            "from" => &mut change.from,
            "to" | "until" => &mut change.until,
            _ => {
                return Err(format!(
                    "\"{part}\" is neither a state, \"all dates\", nor \"from\", \"to\" or \"until\" with a date"
                ));
            }
        };
        *place = Some(iso_day(words.next().unwrap_or_default())?);
    }
    Ok(())
}

/// Days are compared as text, so their form is checked.
fn iso_day(text: &str) -> Result<String, String> {
    let digits = |part: &str, count: usize| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    match text.split('-').collect::<Vec<_>>()[..] {
        [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2) => Ok(text.into()),
        _ => Err(format!("\"{text}\" is not a date such as 2026-11-22")),
    }
}
