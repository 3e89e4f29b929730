//! Quotes by keyboard alone, to the cent.

use fantoccini::key::Key;

use crate::driver::Desktop;
use crate::person::{Answer, Person};
use crate::within_limit;

/// What a person types. Empty text is not typed.
#[derive(Default)]
pub struct Policy<'a> {
    pub state: &'a str,
    pub transaction: &'a str,
    pub effective: &'a str,
    pub transaction_effective: &'a str,
    pub municipality: &'a str,
    pub lines: &'a [(&'a str, &'a str)],
    pub agency_fee: &'a str,
    pub inspection_fee: &'a str,
}

/// The quote of the README and of the broker's day.
pub const TEXAS: Policy = Policy {
    state: "Texas",
    transaction: "PN",
    effective: "02/23/2026",
    transaction_effective: "",
    municipality: "",
    lines: &[("GEN-1002", "8,000"), ("GEN-1008", "$1,521")],
    agency_fee: "400",
    inspection_fee: "150.42",
};

/// A policy, and what its answer has to show.
struct Case<'a> {
    name: &'a str,
    policy: Policy<'a>,
    /// Title and amount; a charge more or less fails.
    charges: &'a [(&'a str, &'a str)],
    total: &'a str,
}

/// Fills the form from top to bottom and asks the service.
pub async fn quotes(person: &Person, policy: &Policy<'_>) -> Answer {
    person.tabs_to("/state").await;
    person.types(policy.state).await;
    for (pointer, text) in [
        ("/transaction_type", policy.transaction),
        ("/policy_effective", policy.effective),
        ("/transaction_effective", policy.transaction_effective),
        ("/municipality", policy.municipality),
    ] {
        fills(person, pointer, text).await;
    }
    for (index, (code, premium)) in policy.lines.iter().enumerate() {
        if index > 0 {
            person.presses_control(Key::Enter).await;
        }
        fills(person, &format!("/lines/{index}/code"), code).await;
        fills(person, &format!("/lines/{index}/premium"), premium).await;
    }
    fills(person, "/agency_fee", policy.agency_fee).await;
    fills(person, "/inspection_fee", policy.inspection_fee).await;
    person.gets_taxes().await
}

async fn fills(person: &Person, pointer: &str, text: &str) {
    if !text.is_empty() {
        person.tabs_to(pointer).await;
        person.types(text).await;
    }
}

/// The figures follow from the published rates: percentages of premium and, where the state taxes them, fees.
const CASES: &[Case] = &[
    Case {
        name: "texas-two-lines",
        policy: TEXAS,
        charges: &[("Surplus Lines Tax", "488.46"), ("Stamping Fee", "4.03")],
        total: "10563.91",
    },
    Case {
        name: "california",
        policy: Policy {
            state: "CA",
            transaction: "PN",
            effective: "03/01/2026",
            lines: &[("general liab", "10,000")],
            ..NOTHING
        },
        charges: &[("Surplus Lines Tax", "300.00"), ("Stamping Fee", "18.00")],
        total: "10318.00",
    },
    Case {
        name: "florida",
        policy: Policy {
            state: "Florida",
            transaction: "PN",
            effective: "02/05/2026",
            lines: &[("GEN-1002", "2500"), ("GEN-1008", "750")],
            ..NOTHING
        },
        charges: &[("Florida Tax", "160.55"), ("FSLSO Fee", "1.95")],
        total: "3412.50",
    },
    Case {
        name: "illinois",
        policy: Policy {
            state: "Illinois",
            transaction: "PN",
            effective: "04/01/2026",
            lines: &[("GEN-1001", "10,000"), ("GEN-1004", "5,000")],
            ..NOTHING
        },
        charges: &[
            ("Surplus Lines Tax", "525.00"),
            ("Stamping Fee", "6.00"),
            ("Fire Marshal Tax", "100.00"),
            ("Fire Marshal Tax", "20.00"),
        ],
        total: "15651.00",
    },
    Case {
        name: "kentucky-lexington",
        policy: Policy {
            state: "Kentucky",
            transaction: "PN",
            effective: "02/18/2026",
            municipality: "Lexington-Fayette",
            lines: &[("GEN-1002", "400"), ("GEN-1006", "1299"), ("GEN-1008", "7822")],
            agency_fee: "100",
            inspection_fee: "50",
            ..NOTHING
        },
        charges: &[("Surplus Lines Tax", "290.13"), ("Surcharge", "174.08"), ("Municipal Tax", "483.55")],
        total: "10618.76",
    },
    Case {
        name: "oregon",
        policy: Policy {
            state: "Oregon",
            transaction: "PN",
            effective: "05/01/2026",
            lines: &[("GEN-1002", "5000")],
            ..NOTHING
        },
        charges: &[
            ("Surplus Lines Tax", "100.00"),
            ("Surplus Lines Service Charge", "10.00"),
            ("Fire Marshal Tax", "15.00"),
        ],
        total: "5125.00",
    },
    Case {
        name: "iowa-2026",
        policy: Policy {
            state: "Iowa",
            transaction: "PN",
            effective: "12/31/2026",
            lines: &[("GEN-1002", "10000")],
            ..NOTHING
        },
        charges: &[("Surplus Lines Tax", "92.50")],
        total: "10092.50",
    },
    Case {
        name: "iowa-2027",
        policy: Policy {
            state: "Iowa",
            transaction: "PN",
            effective: "01/01/2027",
            lines: &[("GEN-1002", "10000")],
            ..NOTHING
        },
        charges: &[("Surplus Lines Tax", "90.00")],
        total: "10090.00",
    },
    Case {
        name: "texas-return-premium",
        policy: Policy {
            state: "TX",
            transaction: "RPE",
            effective: "02/23/2026",
            transaction_effective: "06/01/2026",
            lines: &[("GEN-1002", "1000")],
            ..NOTHING
        },
        charges: &[("Surplus Lines Tax", "-48.50"), ("Stamping Fee", "-0.40")],
        total: "-1048.90",
    },
];

const NOTHING: Policy = Policy {
    state: "",
    transaction: "",
    effective: "",
    transaction_effective: "",
    municipality: "",
    lines: &[],
    agency_fee: "",
    inspection_fee: "",
};

/// Each case in its own window, so that none depends on what another left behind.
fn answers_to_the_cent(name: &str) {
    let case = CASES.iter().find(|case| case.name == name).expect("a case of that name");
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        let answer = quotes(&person, &case.policy).await;
        person.pictures(name).await;
        assert!(answer.by.contains("Service"), "{answer:?}");
        let shown: Vec<_> = answer.charges.iter().map(|(title, amount)| (&**title, &**amount)).collect();
        for charge in case.charges {
            assert!(shown.contains(charge), "no {charge:?} in {shown:?}");
        }
        let others = shown.iter().filter(|row| {
            let known = row.0.starts_with("Premium") || row.0.starts_with("Fees");
            !known && !case.charges.contains(row) && row.1 != "0.00"
        });
        assert_eq!(others.count(), 0, "more charges than {:?}: {shown:?}", case.charges);
        assert_eq!(answer.total, case.total);
        person.leaves().await;
    });
}

macro_rules! cases {
    ($($test:ident: $name:literal;)+) => {
        $(#[test]
        fn $test() {
            answers_to_the_cent($name);
        })+

        #[test]
        fn every_case_is_tested() {
            let tested = [$($name,)+];
            let cases: Vec<_> = CASES.iter().map(|case| case.name).collect();
            assert_eq!(tested.as_slice(), cases);
        }
    };
}

cases! {
    texas_with_several_lines: "texas-two-lines";
    california: "california";
    florida: "florida";
    illinois_with_its_fire_marshal: "illinois";
    kentucky_with_a_municipality: "kentucky-lexington";
    oregon_with_its_flat_charge: "oregon";
    iowa_on_the_last_day_of_a_rate: "iowa-2026";
    iowa_on_the_first_day_of_the_next: "iowa-2027";
    return_premium_is_a_credit: "texas-return-premium";
}
