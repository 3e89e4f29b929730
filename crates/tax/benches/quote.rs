//! How long a quote takes, beside the same arithmetic without any rules: both measured in one run.
//!
//! Prints `figure | measured | target | pass` lines for `cargo xtask bench`.

use std::hint::black_box;
use std::str::FromStr;
use std::time::{Duration, Instant};

use bordereau_contract::{Jurisdiction, TransactionType};
use bordereau_money::{Rate, Rounding, Usd};
use bordereau_tax::{LineInput, LocalTables, QuoteInput, RuleBook};
use chrono::NaiveDate;

const ROUNDS: usize = 400;
const PER_ROUND: u32 = 500;

fn main() {
    let started = Instant::now();
    let book = RuleBook::builtin();
    let local = LocalTables::default();
    let cases = cases();
    black_box(book.calculate(&cases[0].1, &local).ok());
    let first = started.elapsed();

    // One case alone, for a counter of instructions: `quote-HASH --only KY`.
    let only = std::env::args().skip_while(|argument| argument != "--only").nth(1);
    if let Some((_, input)) = cases.iter().find(|(name, _)| Some(*name) == only.as_deref()) {
        for _ in 0..ROUNDS * 50 {
            black_box(book.calculate(black_box(input), &local).ok());
        }
        return;
    }
    let bare = median(|| {
        black_box(bare_arithmetic(black_box(&cases[0].1)));
    });
    println!("first answer of the process, rules read: {} us", first.as_micros());
    println!("bare arithmetic of TX, three lines: {bare} ns");
    for (at, (name, input)) in cases.iter().enumerate() {
        let quote = median(|| {
            black_box(book.calculate(black_box(input), &local).ok());
        });
        let alone = median(|| {
            black_box(
                book.calculate_amounts(black_box(input), &local).ok().map(|calculation| calculation.total()),
            );
        });
        let what = format!("tax quote {name}, full trace");
        figure(&what, &format!("{quote} ns"), "at most 5000 ns", quote <= 5_000);
        if at == 0 {
            let tenths = quote * 10 / bare.max(1);
            let ratio = format!("{}.{} times", tenths / 10, tenths % 10);
            figure("the same beside the bare arithmetic", &ratio, "at most 20 times", tenths <= 200);
        }
        println!("{name}, amounts alone without a trace: {alone} ns");
    }
}

/// The states whose rules ask most, each with three lines unless it says otherwise.
fn cases() -> Vec<(&'static str, QuoteInput)> {
    let three = ["GEN-1002", "GEN-1004", "GEN-1007"];
    let property = ["GEN-1001", "GEN-1004", "GEN-1002"];
    let liability = ["GEN-1002", "GEN-1006", "GEN-1008"];
    let kentucky = |municipality: &str, city: Option<&str>, codes: &[&str]| {
        let mut kentucky = input("KY", codes);
        kentucky.location.municipality = Some(municipality.into());
        kentucky.location.city = city.map(String::from);
        kentucky
    };
    let kind = |transaction_type, input: QuoteInput| QuoteInput {
        transaction_type,
        transaction_effective: NaiveDate::from_ymd_opt(2026, 5, 4).unwrap_or_default(),
        ..input
    };
    let ten = ["GEN-1001", "GEN-1002", "GEN-1003", "GEN-1004", "GEN-1006"];
    let ten = [ten, ["GEN-1007", "GEN-1008", "GEN-1009", "GEN-1010", "GEN-1011"]].concat();
    vec![
        ("TX", input("TX", &three)),
        ("TX, one line", input("TX", &["GEN-1002"])),
        ("TX, ten lines", input("TX", &ten)),
        ("TX, an endorsement", kind(TransactionType::AdditionalPremium, input("TX", &three))),
        ("TX, an RPE", kind(TransactionType::ReturnPremium, input("TX", &three))),
        ("IL", input("IL", &property)),
        ("IL, an RPE", kind(TransactionType::ReturnPremium, input("IL", &property))),
        ("KY, a city", kentucky("Lexington-Fayette", None, &liability)),
        ("KY, city and county, two categories", kentucky("Kenton County", Some("Covington"), &property)),
        ("OR", input("OR", &property)),
        ("NH", QuoteInput { commission_received: true, ..input("NH", &three) }),
        ("CA", input("CA", &three)),
        ("FL", input("FL", &property)),
        ("IA", input("IA", &three)),
        ("GA", input("GA", &three)),
        ("NY", input("NY", &three)),
        ("PA", input("PA", &three)),
        ("SD", input("SD", &property)),
        ("MT", input("MT", &property)),
    ]
}

fn figure(what: &str, measured: &str, target: &str, reached: bool) {
    println!("{what} | {measured} | {target} | {}", if reached { "pass" } else { "MISS" });
}

/// Median of the time of one call, in nanoseconds.
fn median(mut call: impl FnMut()) -> u128 {
    let mut times: Vec<Duration> = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        for _ in 0..PER_ROUND {
            call();
        }
        times.push(started.elapsed());
    }
    times.sort_unstable();
    times[ROUNDS / 2].as_nanos() / u128::from(PER_ROUND)
}

/// What a quote for Texas computes, written down without rules: the sums, two percentages rounded to
/// the cent, the total.
fn bare_arithmetic(input: &QuoteInput) -> Option<Usd> {
    let premium = Usd::checked_sum(input.lines.iter().map(|line| line.premium))?;
    let base = premium.checked_add(input.agency_fee)?.checked_add(input.inspection_fee)?;
    let mut total = base;
    for rate in RATES.get_or_init(|| ["0.0485", "0.0004"].map(|r| Rate::parse(r).unwrap_or(Rate::ZERO))) {
        total = total.checked_add(base.checked_mul(*rate)?.round(Rounding::Cent))?;
    }
    Some(total)
}

static RATES: std::sync::OnceLock<[Rate; 2]> = std::sync::OnceLock::new();

fn input(state: &str, codes: &[&str]) -> QuoteInput {
    let amount = |text| Usd::parse(text).unwrap_or(Usd::ZERO);
    let lines = codes
        .iter()
        .zip(["5000.25", "3000", "1520.75"].into_iter().cycle())
        .map(|(code, premium)| LineInput { code: (*code).into(), premium: amount(premium) })
        .collect();
    let day = NaiveDate::from_ymd_opt(2026, 2, 23).unwrap_or_default();
    QuoteInput {
        agency_fee: amount("400"),
        inspection_fee: amount("150.42"),
        ..QuoteInput::new_policy(Jurisdiction::from_str(state).unwrap_or(Jurisdiction::Tx), lines, day)
    }
}
