//! A payment plan, a cancellation and an endorsement as text for the terminal, and for scripts.

use std::fmt::Write;

use bordereau_api::{CancellationAnswer, EndorsementAnswer, QuotePayments};
use bordereau_contract::format_day_text;
use bordereau_money::Usd;
use serde_json::{Value, json};

use crate::text::group_thousands;

/// The plan as a table for the terminal; empty where everything is paid at once.
pub fn payments_table(plan: &QuotePayments) -> String {
    let mut text = String::new();
    if plan.payments.is_empty() {
        return text;
    }
    let _ = writeln!(text, "\nPayments");
    for payment in &plan.payments {
        let fee = if Usd::parse(&payment.fee).is_ok_and(Usd::is_zero) {
            String::new()
        } else {
            format!("   {} and a fee of {}", group_thousands(&payment.amount), group_thousands(&payment.fee))
        };
        let (due, amount) = (format_day_text(&payment.due), group_thousands(&payment.payment));
        let _ = writeln!(text, "  {due:<12}  {:<15} {amount:>14}{fee}", payment.title);
    }
    let _ = writeln!(text, "  {:<12}  {:<15} {:>14}", "", "In all", group_thousands(&plan.total));
    text
}

/// The premium of a canceled policy: how many days are left, and what goes back for each line.
pub fn cancellation_table(answer: &CancellationAnswer) -> String {
    let day = |text: &str| format_day_text(text);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "Policy {} to {}, canceled on {}: {} of {} days left, factor {}",
        day(&answer.effective),
        day(&answer.expires),
        day(&answer.canceled_on),
        answer.days_left,
        answer.days,
        answer.factor
    );
    if answer.flat {
        text.push_str("Canceled on its first day: the whole premium is returned\n");
    }
    if let Some(minimum) = &answer.minimum_earned {
        let _ =
            writeln!(text, "The minimum earned premium {} stays with the carrier", group_thousands(minimum));
    }
    let _ = writeln!(text, "  {:<12} {:>14} {:>14} {:>14}", "Line", "Premium", "Earned", "Returned");
    let mut row = |name: &str, amounts: [&str; 3]| {
        let [premium, earned, returned] = amounts.map(group_thousands);
        let _ = writeln!(text, "  {name:<12} {premium:>14} {earned:>14} {returned:>14}");
    };
    for line in &answer.lines {
        row(&line.code, [&line.premium, &line.earned, &line.returned]);
    }
    row("All lines", [&answer.premium, &answer.earned, &answer.returned]);
    text.push_str("Fees are taken as earned. The credit:\n\n");
    text
}

/// The same for scripts, without the credit, which is the quote itself.
pub fn cancellation_json(answer: &CancellationAnswer) -> Value {
    json!({
        "policy_effective_date": answer.effective,
        "policy_expiration_date": answer.expires,
        "canceled_on": answer.canceled_on,
        "days": answer.days,
        "days_left": answer.days_left,
        "factor": answer.factor,
        "flat": answer.flat,
        "minimum_earned": answer.minimum_earned,
        "lines": answer.lines,
        "premium": answer.premium,
        "earned": answer.earned,
        "returned": answer.returned,
    })
}

/// The premium of an endorsement: how many days are left, and what they cost more or less for each line.
pub fn endorsement_table(answer: &EndorsementAnswer) -> String {
    let (from, until) = (format_day_text(&answer.effective), format_day_text(&answer.expires));
    let on = format_day_text(&answer.endorsed_on);
    let mut text = format!(
        "Policy {from} to {until}, changed on {on}: {} of {} days left, factor {}\n",
        answer.days_left, answer.days, answer.factor
    );
    let _ = writeln!(text, "  {:<12} {:>14} {:>14} {:>14}", "Line", "Before", "After", "Difference");
    let mut row = |name: &str, amounts: [&str; 3]| {
        let [before, after, difference] = amounts.map(group_thousands);
        let _ = writeln!(text, "  {name:<12} {before:>14} {after:>14} {difference:>14}");
    };
    for line in &answer.lines {
        row(&line.code, [&line.before, &line.after, &line.difference]);
    }
    row("All lines", [&answer.before, &answer.after, &answer.difference]);
    text.push_str("Fees are those of the endorsement alone. The endorsement:\n\n");
    text
}

/// The same for scripts, without the endorsement, which is the quote itself.
pub fn endorsement_json(answer: &EndorsementAnswer) -> Value {
    json!({
        "policy_effective_date": answer.effective,
        "policy_expiration_date": answer.expires,
        "endorsed_on": answer.endorsed_on,
        "days": answer.days,
        "days_left": answer.days_left,
        "factor": answer.factor,
        "lines": answer.lines,
        "before": answer.before,
        "after": answer.after,
        "difference": answer.difference,
    })
}
