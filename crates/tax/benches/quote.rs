//! How long a quote takes, beside the same arithmetic without any rules: both measured in one run.
//!
//! Prints `figure | measured | target | pass` lines for `cargo xtask bench`.

use std::hint::black_box;
use std::str::FromStr;
use std::time::{Duration, Instant};

use bordereau_contract::{EntityType, Jurisdiction, TransactionType};
use bordereau_money::{Rate, Rounding, Usd};
use bordereau_tax::{Input, LineInput, Local, Location, RuleBook};
use jiff::civil::Date;

const ROUNDS: usize = 400;
const PER_ROUND: u32 = 500;

fn main() {
    let started = Instant::now();
    let book = RuleBook::builtin();
    let local = Local::default();
    let texas = input("TX", &["GEN-1002", "GEN-1004", "GEN-1007"], None);
    let illinois = input("IL", &["GEN-1001", "GEN-1004", "GEN-1002"], None);
    let kentucky = input("KY", &["GEN-1002", "GEN-1006", "GEN-1008"], Some("Lexington-Fayette"));
    black_box(book.calculate(&texas, &local).ok());
    let first = started.elapsed();

    let bare = median(|| {
        black_box(bare_arithmetic(black_box(&texas)));
    });
    let quote = |input: &Input| {
        median(|| {
            black_box(book.calculate(black_box(input), &local).ok());
        })
    };
    let (tx, il, ky) = (quote(&texas), quote(&illinois), quote(&kentucky));
    let alone = |input: &Input| {
        median(|| {
            black_box(book.reckon(black_box(input), &local).ok().map(|reckoning| reckoning.total()));
        })
    };
    let (tx_alone, il_alone, ky_alone) = (alone(&texas), alone(&illinois), alone(&kentucky));

    println!("first answer of the process, rules read: {} us", first.as_micros());
    println!("bare arithmetic of TX, three lines: {bare} ns; IL {il} ns; KY with a municipality {ky} ns");
    figure("tax quote TX, three lines, full trace", &format!("{tx} ns"), "at most 2000 ns", tx <= 2_000);
    let tenths = tx * 10 / bare.max(1);
    let ratio = format!("{}.{} times", tenths / 10, tenths % 10);
    figure("the same beside the bare arithmetic", &ratio, "at most 20 times", tenths <= 200);
    let place = "tax quote KY with a municipality, full trace";
    figure(place, &format!("{ky} ns"), "at most 2000 ns", ky <= 2_000);
    println!("amounts alone, without a trace: TX {tx_alone} ns; IL {il_alone} ns; KY {ky_alone} ns");
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
fn bare_arithmetic(input: &Input) -> Option<Usd> {
    let premium = Usd::checked_sum(input.lines.iter().map(|line| line.premium))?;
    let base = premium.checked_add(input.agency_fee)?.checked_add(input.inspection_fee)?;
    let mut total = base;
    for rate in RATES.get_or_init(|| ["0.0485", "0.0004"].map(|r| Rate::parse(r).unwrap_or(Rate::ZERO))) {
        total = total.checked_add(base.checked_mul(*rate)?.round(Rounding::CENT))?;
    }
    Some(total)
}

static RATES: std::sync::OnceLock<[Rate; 2]> = std::sync::OnceLock::new();

fn input(state: &str, codes: &[&str], municipality: Option<&str>) -> Input {
    let amount = |text| Usd::parse(text).unwrap_or(Usd::ZERO);
    let lines = codes
        .iter()
        .zip(["5000.25", "3000", "1520.75"])
        .map(|(code, premium)| LineInput { code: (*code).into(), premium: amount(premium) })
        .collect();
    let day = Date::constant(2026, 2, 23);
    Input {
        state: Jurisdiction::from_str(state).unwrap_or(Jurisdiction::Tx),
        transaction_type: TransactionType::New,
        lines,
        agency_fee: amount("400"),
        inspection_fee: amount("150.42"),
        policy_effective: day,
        transaction_effective: day,
        entity: EntityType::Commercial,
        rpg: false,
        tax_exempt: false,
        ecp: false,
        export_list: false,
        commission_received: false,
        admitted: false,
        written_as: None,
        location: Location { municipality: municipality.map(String::from), ..Location::default() },
        today: day,
    }
}
