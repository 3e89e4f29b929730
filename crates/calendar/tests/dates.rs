//! The date cases of the worked examples, and the way of every kind of rule.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use bordereau_calendar::{Calendar, Duty, DutySubject};
use bordereau_contract::{DueKind, Jurisdiction, TransactionType};
use bordereau_money::Usd;
use chrono::NaiveDate;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn state(code: &str) -> Jurisdiction {
    code.parse().unwrap()
}

fn new_policy(code: &str, effective: &str) -> DutySubject {
    DutySubject {
        state: state(code),
        transaction_type: TransactionType::New,
        policy_effective: day(effective),
        effective: day(effective),
        issued: None,
        filed: None,
        paid: [None; 3],
    }
}

fn filed(code: &str, on: &str) -> DutySubject {
    DutySubject { filed: Some(day(on)), ..new_policy(code, on) }
}

fn the(subject: &DutySubject, kind: DueKind) -> Duty<'static> {
    let mut duties = Calendar::builtin().duties_for(subject);
    let at = duties.iter().position(|duty| duty.rule.kind == kind).unwrap();
    duties.swap_remove(at)
}

fn due(subject: &DutySubject, kind: DueKind) -> NaiveDate {
    the(subject, kind).due.unwrap()
}

#[test]
fn every_jurisdiction_of_the_data_has_rules() {
    let calendar = Calendar::builtin();
    assert_eq!(calendar.iter().count(), 53);
    let without: Vec<_> = calendar.iter().filter(|state| state.duties.is_empty()).map(|s| s.state).collect();
    assert_eq!(without, [Jurisdiction::Pr], "no date was found for Puerto Rico only");
}

/// NY-date-roll-2026: the statutory date falls on a Saturday before Presidents' Day.
#[test]
fn new_york_rolls_over_a_long_weekend() {
    let filing = the(&new_policy("NY", "2025-12-31"), DueKind::Filing);
    assert_eq!(filing.statutory, Some(day("2026-02-14")));
    assert_eq!(filing.due, Some(day("2026-02-17")));
    assert_eq!(filing.act_by, filing.due);
}

/// The tax of Washington moves off a Saturday and a Sunday, the filing is not known to.
#[test]
fn washington_moves_the_tax_alone() {
    for (effective, statutory, expected) in [
        ("2025-06-01", "2026-03-01", "2026-03-02"),
        ("2026-06-01", "2027-03-01", "2027-03-01"),
        ("2024-06-01", "2025-03-01", "2025-03-03"),
    ] {
        let tax = the(&new_policy("WA", effective), DueKind::Tax);
        assert_eq!((tax.statutory, tax.due), (Some(day(statutory)), Some(day(expected))), "{effective}");
    }
    // 60 days from 2025-12-30 end on a Saturday.
    let filing = the(&new_policy("WA", "2025-12-30"), DueKind::Filing);
    assert_eq!((filing.due, filing.act_by), (Some(day("2026-02-28")), Some(day("2026-02-27"))));
}

/// Idaho counts the year of the tax from the office's acceptance, and bills the fee by month.
#[test]
fn idaho_goes_by_the_filing() {
    let late = DutySubject { filed: Some(day("2026-01-05")), ..new_policy("ID", "2025-12-20") };
    assert_eq!(due(&late, DueKind::Tax), day("2027-03-01"));
    let fee = the(&late, DueKind::StampingFee);
    assert_eq!(
        (fee.billed, fee.due),
        (Some((day("2026-02-01"), day("2026-02-10"))), Some(day("2026-03-02")))
    );
}

/// Where it was not found whether a rest day moves the date, nothing is moved: acting the business day
/// before is in time either way.
#[test]
fn elsewhere_nothing_is_moved_on_a_guess() {
    // 2025-12-16 and 60 days are 2026-02-14, a Saturday.
    let filing = the(&new_policy("TX", "2025-12-16"), DueKind::Filing);
    assert_eq!((filing.due, filing.act_by), (Some(day("2026-02-14")), Some(day("2026-02-13"))));
}

/// NY-billing, IL-billing.
#[test]
fn monthly_bills() {
    let new_york = the(&filed("NY", "2026-07-10"), DueKind::StampingFee);
    assert_eq!(new_york.billed, Some((day("2026-08-15"), day("2026-08-20"))));
    assert_eq!(new_york.due, Some(day("2026-09-30")));
    let illinois = the(&filed("IL", "2026-07-10"), DueKind::StampingFee);
    assert_eq!(illinois.billed, Some((day("2026-08-01"), day("2026-08-07"))));
    assert_eq!(illinois.due, Some(day("2026-09-15")));
}

/// SLIP-1Q-2025.
#[test]
fn slip_plus_first_quarter_2025() {
    use DueKind::{Affidavit, StampingFee, Tax};
    for (first, last) in [("2025-01-01", "2025-03-31")] {
        for on in [first, last] {
            for code in ["CO", "OK", "SD", "TN", "WY"] {
                let tax = the(&filed(code, on), Tax);
                assert_eq!(tax.billed, Some((day("2025-04-01"), day("2025-04-01"))), "{code}");
                let paid = if code == "OK" { "2025-04-30" } else { "2025-05-15" };
                assert_eq!(tax.due, Some(day(paid)), "{code}");
                assert_eq!(due(&filed(code, on), StampingFee), day("2025-05-15"), "{code}");
            }
            assert_eq!(due(&filed("OK", on), Affidavit), day("2025-04-30"));
            for code in ["CO", "TN", "WY"] {
                assert_eq!(due(&filed(code, on), Affidavit), day("2025-05-15"), "{code}");
            }
        }
    }
}

/// CT-calendar.
#[test]
fn connecticut_by_quarter() {
    for (effective, expected) in [
        ("2026-01-01", "2026-05-15"),
        ("2026-03-31", "2026-05-15"),
        ("2026-04-01", "2026-08-15"),
        ("2026-09-30", "2026-11-15"),
        ("2026-10-01", "2027-02-15"),
        ("2026-12-31", "2027-02-15"),
    ] {
        assert_eq!(due(&new_policy("CT", effective), DueKind::Tax), day(expected), "{effective}");
    }
}

/// PA-late.
#[test]
fn pennsylvania_late_filing() {
    let usd = |text| Usd::parse(text).unwrap();
    let penalty = |effective| Calendar::builtin().penalty_for(state("PA"), DueKind::Filing, day(effective));
    let late = penalty("2026-05-01").unwrap();
    assert_eq!((late.standard, late.late, late.passed_on), (Some(usd("20.00")), Some(usd("25.00")), false));
    assert!(penalty("2016-12-31").is_none(), "the amounts are those from 2017");
}

/// LA-slip-start: an endorsement of a policy effective before 2026-07-01 stays with the old procedures.
#[test]
fn louisiana_before_and_after_slip() {
    let endorsement = DutySubject {
        transaction_type: TransactionType::AdditionalPremium,
        effective: day("2026-08-01"),
        ..new_policy("LA", "2026-06-30")
    };
    let duties = Calendar::builtin().duties_for(&endorsement);
    assert_eq!(duties.len(), 1);
    assert!(duties[0].rule.title.contains("LDI"));
    assert_eq!(duties[0].due, Some(day("2026-12-01")));
    let kinds: Vec<_> =
        Calendar::builtin().duties_for(&new_policy("LA", "2026-07-01")).iter().map(|d| d.rule.kind).collect();
    assert_eq!(kinds, [DueKind::Tax, DueKind::StampingFee]);
}

#[test]
fn filing_days() {
    for (code, effective, expected) in [
        ("FL", "2026-10-01", "2026-10-30"),
        ("CA", "2026-03-02", "2026-05-01"),
        ("UT", "2024-01-01", "2024-03-01"),
        ("UT", "2023-01-01", "2023-03-02"),
        ("MS", "2026-01-10", "2026-02-15"),
        ("MS", "2024-02-29", "2024-03-15"),
        ("MO", "2026-02-10", "2026-05-15"),
        ("OR", "2026-01-31", "2026-05-01"),
        ("MA", "2026-12-20", "2027-01-09"),
        ("SD", "2026-12-20", "2027-01-19"),
    ] {
        assert_eq!(
            the(&new_policy(code, effective), DueKind::Filing).statutory,
            Some(day(expected)),
            "{code}"
        );
    }
}

#[test]
fn texas_counts_from_the_later_date() {
    let base = new_policy("TX", "2026-03-01");
    for (issued, expected) in
        [(None, "2026-04-30"), (Some("2026-02-01"), "2026-04-30"), (Some("2026-03-11"), "2026-05-10")]
    {
        let subject = DutySubject { issued: issued.map(day), ..base };
        assert_eq!(due(&subject, DueKind::Filing), day(expected), "{issued:?}");
    }
    assert!(the(&base, DueKind::Filing).assumed.is_some());
}

#[test]
fn taxes_by_period() {
    use DueKind::{Affidavit, OtherTax, Report, StampingFee, Tax};
    for (code, effective, kind, expected) in [
        ("TX", "2026-06-01", Tax, "2027-03-01"),
        ("IN", "2026-12-31", Tax, "2027-02-01"),
        ("AK", "2026-11-05", Tax, "2027-03-01"),
        ("VI", "2026-11-05", Tax, "2027-02-01"),
        ("AZ", "2026-06-30", Tax, "2026-08-15"),
        ("AZ", "2026-07-01", Tax, "2027-02-15"),
        ("SC", "2026-03-31", Tax, "2026-04-30"),
        ("SC", "2026-09-30", Tax, "2026-10-30"),
        ("NM", "2026-12-31", Tax, "2027-03-01"),
        ("HI", "2024-03-01", Tax, "2024-05-15"),
        ("KY", "2026-05-20", StampingFee, "2026-06-20"),
        ("KY", "2026-05-20", OtherTax, "2026-07-30"),
        ("NH", "2026-06-30", Report, "2026-07-10"),
        ("PA", "2024-01-15", Report, "2024-03-01"),
        ("UT", "2026-12-10", Tax, "2027-01-25"),
        ("MD", "2026-02-01", Tax, "2026-09-15"),
        ("MD", "2026-08-01", Tax, "2027-03-15"),
        ("AL", "2026-02-10", StampingFee, "2026-05-15"),
        ("AL", "2026-12-31", StampingFee, "2027-02-15"),
        ("LA", "2026-06-30", Tax, "2026-09-01"),
        ("LA", "2025-12-01", Tax, "2026-03-01"),
        ("MT", "2025-12-31", Tax, "2026-04-01"),
        ("MS", "2026-02-10", OtherTax, "2026-04-20"),
        ("MS", "2026-11-10", OtherTax, "2027-01-20"),
        ("PA", "2026-12-10", StampingFee, "2027-01-25"),
        ("AR", "2026-03-31", Tax, "2026-05-30"),
        ("AR", "2026-03-31", Report, "2026-06-01"),
        ("AR", "2026-12-31", Report, "2027-03-01"),
        ("SD", "2026-02-10", Affidavit, "2026-05-15"),
        ("OR", "2026-02-10", OtherTax, "2026-05-15"),
        ("AK", "2026-02-10", StampingFee, "2026-06-01"),
        ("KY", "2026-05-20", Report, "2027-03-31"),
        ("FL", "2026-03-31", Tax, "2026-05-15"),
        ("FL", "2026-04-01", StampingFee, "2026-08-14"),
        ("FL", "2026-12-31", Affidavit, "2027-02-14"),
        ("NJ", "2026-09-30", Tax, "2026-11-14"),
        ("NC", "2026-03-31", Tax, "2026-05-01"),
        ("NC", "2026-12-31", StampingFee, "2027-01-31"),
        ("MD", "2026-05-10", Affidavit, "2026-08-14"),
    ] {
        assert_eq!(
            the(&new_policy(code, effective), kind).statutory,
            Some(day(expected)),
            "{code} {effective}"
        );
    }
}

/// Illinois goes by the day of filing.
#[test]
fn the_filing_decides_the_period_where_the_state_says_so() {
    let early = DutySubject { filed: Some(day("2026-07-02")), ..new_policy("IL", "2026-06-20") };
    assert_eq!(due(&early, DueKind::Tax), day("2027-02-01"));
    let waiting = the(&new_policy("IL", "2026-06-20"), DueKind::Tax);
    assert_eq!(waiting.due, Some(day("2026-08-01")));
    assert!(waiting.assumed.is_some());
}

#[test]
fn what_the_record_says_is_done() {
    let subject = DutySubject {
        filed: Some(day("2026-03-10")),
        paid: [Some(day("2027-02-20")), Some(day("2026-04-30")), None],
        ..new_policy("TX", "2026-03-01")
    };
    assert!(Calendar::builtin().duties_for(&subject).iter().all(|duty| duty.done.is_some()));
    let binder = DutySubject { transaction_type: TransactionType::Binder, ..subject };
    assert!(Calendar::builtin().duties_for(&binder).is_empty());
}
