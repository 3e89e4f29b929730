//! `docs/rates.md`: every rate with its dates, its source and how sure it is, written from the rule files.

use std::fmt::Write as _;

use bordereau_contract::format_long_day;
use bordereau_money::Rounding;
use chrono::NaiveDate;

use crate::RuleBook;
use crate::answer::{Confidence, ConfidenceNote, RuleSource, RuleText};
use crate::lines::Class;
use crate::rules::{
    AgencyFee, CapAlternative, CapScope, CreditRule, DatedRate, FeeCap, FeeRule, LineSelection, RateLookup,
    RateValue, RatedCharge, StateRules,
};

/// The page, in Markdown.
pub fn rates_page(book: &RuleBook) -> String {
    let mut page = String::from(HEAD);
    write_summary(&mut page, book);
    for rules in book.iter() {
        write_state(&mut page, rules);
    }
    page
}

const HEAD: &str = "# Rates

Generated from `crates/tax/rules/*.toml` by `cargo xtask codegen`; a test fails when this page is stale.

A rate is looked up by the policy's effective date unless the charge says otherwise. *From* and *until* are inclusive; an empty *from* means
that the start was not found, an empty *until* that no end is known. How sure a value is: **confirmed** by a page of this or the previous year;
**secondary** where only private tables or a carrier's own tests say it; **older** where only an older page was found; **conflicting** where sources disagree; **not found** where nothing was found: then nothing is
charged on a guess. Amounts are in US dollars and rounded to the cent, half up, unless the charge says whole dollars.
";

/// What is sure and what is not, for the rates in force when the rules were checked.
fn write_summary(page: &mut String, book: &RuleBook) {
    let _ = writeln!(page, "\n## What is sure and what is not\n\nChecked on {}.\n", book.rules_checked());
    page.push_str(
        "| State | Rates not confirmed | Agency fee taxed | Inspection fee taxed |\n|---|---|---|---|\n",
    );
    for rules in book.iter() {
        let unsure: Vec<String> =
            rules.charges.iter().filter_map(|charge| describe_uncertainty(charge, rules)).collect();
        let _ = writeln!(
            page,
            "| {} {} | {} | {} | {} |",
            rules.state.code(),
            rules.state.title(),
            if unsure.is_empty() { "none".to_string() } else { unsure.join("; ") },
            agency_words(&rules.agency),
            fee_words(&rules.inspection)
        );
    }
}

fn describe_uncertainty(charge: &RatedCharge, rules: &StateRules) -> Option<String> {
    match charge.series.value_on(rules.checked_on) {
        RateLookup::Rate(rate) if rate.checked.level != Confidence::Confirmed => {
            Some(format!("{} {}: {}", charge.title, format_value(rate), level_name(rate.checked.level)))
        }
        RateLookup::Unknown => Some(format!("{}: not found", charge.title)),
        _ => None,
    }
}

fn fee_words(fee: &FeeRule) -> String {
    format!("{} ({})", if fee.taxed { "yes" } else { "no" }, level_name(fee.checked.level))
}

fn agency_words(fee: &AgencyFee) -> String {
    if fee.is_shared() {
        return fee_words(&fee.licensee);
    }
    format!("retail agent's {}; licensee's {}", fee_words(&fee.retail), fee_words(&fee.licensee))
}

fn level_name(level: Confidence) -> &'static str {
    match level {
        Confidence::Confirmed => "confirmed",
        Confidence::Announced => "announced",
        Confidence::Secondary => "secondary",
        Confidence::Older => "older",
        Confidence::Conflicting => "conflicting",
        Confidence::NotFound => "not found",
    }
}

/// Level and words, the level once.
fn describe_confidence(checked: &ConfidenceNote) -> String {
    let (level, words) = (level_name(checked.level), escape_cell(&checked.text));
    if words.starts_with(level) { words } else { format!("{level}: {words}") }
}

fn write_state(page: &mut String, rules: &StateRules) {
    let _ = writeln!(page, "\n## {} {}\n", rules.state.code(), rules.state.title());
    page.push_str(
        "| Charge | Field | Rate | From | Until | How sure | Source |\n|---|---|---|---|---|---|---|\n",
    );
    for charge in &rules.charges {
        for rate in charge.series.iter() {
            rate_row(page, charge, rate);
        }
    }
    page.push('\n');
    for charge in &rules.charges {
        charge_words(page, charge);
    }
    write_fees(page, rules);
    for cap in &rules.caps {
        cap_words(page, cap);
    }
    for exemption in &rules.exemptions {
        let _ = writeln!(page, "- Exemption ({}): {}", exemption.checked.text, exemption.note.text);
    }
    if let Some(rule) = &rules.tax_exempt {
        let title = rule.title();
        let (sure, text) = (describe_confidence(&rule.checked), escape_cell(&rule.text));
        let _ = writeln!(page, "- {title} ({sure}): {text} {}", format_links(&rule.sources));
    }
    if rules.premium_rounding == Some(Rounding::Dollar) {
        page.push_str("- Charges are computed on the premium of each line rounded to the whole dollar; the premium itself stays as it is.\n");
    }
    if rules.no_fee_with_commission {
        page.push_str("- No agency fee where a commission is received.\n");
    }
    if rules.local_tax {
        page.push_str("- City and county tax: from the table `crates/tax/kentucky.csv`, which is partial, or from your own.\n");
    }
    write_recorded(page, rules);
}

fn write_fees(page: &mut String, rules: &StateRules) {
    let agency = &rules.agency;
    let mut row = |name: &str, fee: &FeeRule| {
        let taxed = if fee.taxed { "yes" } else { "no" };
        let (sure, text) = (describe_confidence(&fee.checked), escape_cell(&fee.text));
        let _ = writeln!(page, "- {name}, {taxed} ({sure}): {text} {}", format_links(&fee.sources));
    };
    if agency.is_shared() {
        row("Agency fee taxed", &agency.licensee);
    } else {
        row("Agency fee taxed, charged by the retail agent", &agency.retail);
        row("Agency fee taxed, charged by the surplus lines licensee", &agency.licensee);
    }
    row("Inspection fee taxed", &rules.inspection);
    if !agency.is_shared() {
        let _ = writeln!(
            page,
            "- Who charges the agency fee, if the quote doesn't say: the {}.",
            agency.assumed.title().to_lowercase()
        );
    }
}

fn rate_row(page: &mut String, charge: &RatedCharge, rate: &DatedRate) {
    let from = match rate.from {
        Some(from) if charge.series.begins_with(rate) => format!("{from} (begins)"),
        Some(from) => from.to_string(),
        None => rate.known_from.map(|known| format!("{known} at the latest")).unwrap_or_default(),
    };
    let until = match rate.until {
        Some(until) if charge.series.ends_with(rate) => format!("{until} (ends)"),
        Some(until) => until.to_string(),
        None if rate.end_not_found => "a day not found".into(),
        None => String::new(),
    };
    let sure = if rate.announced { "announced; " } else { "" };
    let _ = writeln!(
        page,
        "| {} (`{}`) | `{}` | {} | {from} | {until} | {sure}{} | {} |",
        charge.title,
        charge.kind,
        charge.field.name(),
        format_value(rate),
        describe_confidence(&rate.checked),
        format_links(&rate.sources)
    );
}

pub(crate) fn format_value(rate: &DatedRate) -> String {
    match rate.value {
        RateValue::Percent(rate, None) => format!("{}%", rate.to_percent()),
        RateValue::Percent(rate, Some(most)) => format!("{}%, at most ${most}", rate.to_percent()),
        RateValue::Flat(amount) => format!("${amount}"),
    }
}

/// What a charge falls on, and how.
pub(crate) fn describe_charge(charge: &RatedCharge) -> String {
    let mut words = format!("on {}; {}", charge.basis_text, describe_selection(&charge.selection));
    if charge.once_per_policy {
        words.push_str("; once, on new and renewal policies");
    }
    if charge.entered.is_some() {
        words.push_str("; an entered rate is taken");
    }
    match charge.credit {
        CreditRule::Mirrored if charge.return_unknown.is_some() => {
            words.push_str("; whether a return gives it back was not found");
        }
        CreditRule::Mirrored => {}
        CreditRule::FlatCancellationOnly => words.push_str("; given back on a flat cancellation only"),
        CreditRule::Never => words.push_str("; never given back"),
    }
    if charge.reinstatement_charged {
        words.push_str("; charged again on a reinstatement");
    }
    if charge.except_purchasing_groups {
        words.push_str("; not on policies of risk purchasing groups");
    }
    if charge.rounding == Rounding::Dollar {
        words.push_str("; whole dollars");
    }
    if charge.admitted {
        words.push_str("; admitted business only");
    }
    words
}

fn charge_words(page: &mut String, charge: &RatedCharge) {
    let _ = write!(
        page,
        "- {} (`{}`): {}; by {}",
        charge.title,
        charge.kind,
        escape_cell(&describe_charge(charge)),
        escape_cell(&charge.dated_by)
    );
    if let Some(payee) = &charge.payee {
        let _ = write!(page, "; to {}", escape_cell(payee));
    }
    page.push_str(".\n");
    for portion in &charge.portions {
        let percent = portion.portion.to_percent();
        let _ = write!(
            page,
            "  - {}: {percent}% of the premium; {}",
            portion.name,
            describe_selection(&portion.on)
        );
        page.push_str(&portion.from.map(|from| format!("; from {from}\n")).unwrap_or_else(|| "\n".into()));
    }
    if let Some(advice) = &charge.portion_advice {
        let _ = writeln!(
            page,
            "  - Where the part or the code is not known, none is charged and it is said. {}",
            escape_cell(advice)
        );
    }
    for rate in charge.series.iter() {
        if let Some(note) = &rate.note {
            let _ = writeln!(page, "  - {}: {}", format_value(rate), escape_cell(note));
        }
    }
    if let Some(unsure) = &charge.unsure_lines {
        let _ = writeln!(page, "  - Not sure: {}", escape_cell(&unsure.text));
    }
}

fn describe_selection(selection: &LineSelection) -> String {
    if selection.is_all() {
        return "all lines".into();
    }
    let mut words = describe_classes(selection);
    let listed = |codes: &[RuleText]| codes.iter().map(|code| &**code).collect::<Vec<_>>().join(", ");
    if !selection.except_lines.is_empty() {
        let _ = write!(words, ", but not {}", listed(&selection.except_lines));
    }
    match selection.personal {
        Some(true) => words.push_str(", personal lines"),
        Some(false) => words.push_str(", not personal lines"),
        None => {}
    }
    if !selection.occupancy.is_empty() {
        let held: Vec<_> = selection.occupancy.iter().map(|o| o.code().replace('_', " ")).collect();
        let _ = write!(words, ", where the dwelling is held as {}", held.join(" or "));
    }
    words
}

/// The classes and the codes.
fn describe_classes(selection: &LineSelection) -> String {
    if !selection.state_codes.is_empty() {
        return format!("lines with the state's codes {}", selection.state_codes.list_in_words());
    }
    let codes = selection.lines.iter().map(|code| code.to_string());
    let names = |taken: bool| {
        let of = Class::ALL
            .iter()
            .filter(|class| (selection.classes & LineSelection::class_bit(**class) != 0) == taken);
        of.map(|class| class.name().replace('_', " ")).collect::<Vec<_>>()
    };
    let (mut taken, left) = (names(true), names(false));
    if left.is_empty() {
        "all lines".into()
    } else if taken.len() <= left.len() {
        taken.extend(codes);
        format!("only {}", taken.join(", "))
    } else {
        format!("all lines but {}", left.join(", "))
    }
}

/// The limit of a fee, and what is done about a higher one.
pub(crate) fn describe_cap(cap: &FeeCap) -> String {
    let words = |alternative: &CapAlternative| match alternative {
        CapAlternative::Flat(amount) => format!("${amount}"),
        CapAlternative::Percent(rate, None) => format!("{}% of the premium", rate.to_percent()),
        CapAlternative::Percent(rate, Some(most)) => {
            format!("{}% of the premium, at most ${most}", rate.to_percent())
        }
    };
    let limit = cap.alternatives.iter().map(words).collect::<Vec<_>>().join(" or ");
    let scope = match cap.scope {
        CapScope::All => "",
        CapScope::Personal => ", personal lines",
        CapScope::Commercial => ", commercial lines",
    };
    let day = |word: &str, day: Option<NaiveDate>| {
        day.map_or_else(String::new, |day| format!(", {word} {}", format_long_day(day)))
    };
    let (from, until) = (day("from", cap.from), day("until", cap.until));
    let done =
        if cap.enforced { "a higher agency fee is lowered" } else { "a higher agency fee is only reported" };
    format!("Fee limit{scope}{from}{until}: {limit}; {done}")
}

fn cap_words(page: &mut String, cap: &FeeCap) {
    let _ = writeln!(
        page,
        "- {} ({}). {} {}",
        describe_cap(cap),
        describe_confidence(&cap.checked),
        cap.text,
        format_links(&cap.sources)
    );
}

fn write_recorded(page: &mut String, rules: &StateRules) {
    if rules.recorded.is_empty() {
        return;
    }
    page.push_str("\nNot charged; recorded so that no one adds it:\n\n");
    for record in &rules.recorded {
        let _ = writeln!(
            page,
            "- `{}`, {}: {}. {} ({}) {}",
            record.kind,
            record.value,
            record.why,
            escape_cell(&record.text),
            describe_confidence(&record.checked),
            format_links(&record.sources)
        );
    }
}

fn format_links(sources: &[RuleSource]) -> String {
    let link = |source: &RuleSource| match (escape_cell(&source.title), &*source.url) {
        (title, "") => format!("{title} (not public)"),
        (title, url) => format!("[{title}]({url})"),
    };
    sources.iter().map(link).collect::<Vec<_>>().join(", ")
}

/// Text that does not break a table or turn into markup.
fn escape_cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}
