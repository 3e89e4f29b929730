//! Prints `tests/data/amounts_before.csv`: 2,000 fixed questions over all jurisdictions, answered by the rules
//! as they stand. Run it again, with the day of those rules, when the changelog of the rules is closed and a new
//! base is wanted: `cargo run -p bordereau-tax --example amount_grid 2026-11-21 > tests/data/amounts_before.csv`.

#[path = "../tests/grid/mod.rs"]
mod grid;

use bordereau_contract::Jurisdiction;
use grid::Question;

/// Type, policy date, transaction date, lines, agency fee, inspection fee, insured, flags.
type Template = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const COMMERCIAL: &str = "commercial";

/// Asked in every jurisdiction. Several lines in one question have premiums that no sum of others repeats.
#[rustfmt::skip]
const EVERYWHERE: &[Template] = &[
    // Each fee alone and both, on casualty.
    ("PN", "2026-03-01", "", "GEN-1002=9521.40", "", "", COMMERCIAL, ""),
    ("PN", "2026-03-01", "", "GEN-1002=9521.40", "350", "", COMMERCIAL, ""),
    ("PN", "2026-03-01", "", "GEN-1002=9521.40", "", "275.50", COMMERCIAL, ""),
    ("PR", "2027-01-01", "", "GEN-1006=7310", "350", "275.50", COMMERCIAL, ""),
    // Property, and the personal products that a state may tell apart.
    ("PN", "2026-07-01", "", "GEN-1001=12345.50", "150", "350", COMMERCIAL, ""),
    ("PN", "2023-06-01", "", "GEN-1005=5054", "350", "350", "individual", ""),
    ("PR", "2019-01-01", "", "GEN-1005=2480.75", "", "", "individual", ""),
    ("PN", "2025-01-01", "", "GEN-2002=1866", "100", "", "individual", ""),
    ("PN", "2026-01-01", "", "GEN-2004=944.30", "", "85", "individual", ""),
    ("PR", "2026-12-31", "", "GEN-2005=1203", "", "", "individual", ""),
    ("PN", "2024-12-31", "", "GEN-2006=310.10", "45", "", "individual", ""),
    // Every property line at once, then what else a state taxes in part.
    ("PN", "2026-03-01", "", "GEN-1003=1000|GEN-1004=2000|GEN-1018=4000|GEN-1028=8000|GEN-1030=16000|GEN-1031=32000|GEN-2003=64000|GEN-2025=128000|GEN-2027=256000", "200", "400", COMMERCIAL, ""),
    ("PR", "2026-03-01", "", "GEN-1007=1000|GEN-1009=2000|GEN-1017=4000|GEN-1021=8000|GEN-1024=16000|GEN-1027=32000|GEN-1032=64000|GEN-1034=128000", "", "", COMMERCIAL, ""),
    ("PN", "2022-12-31", "", "GEN-2007=101|GEN-2008=202|GEN-2013=404|GEN-2026=808|GEN-2012=1616", "60", "60", "individual", ""),
    // Lines that are outside the tax of some states.
    ("PN", "2026-03-01", "", "GEN-1025=15000", "200", "300", COMMERCIAL, ""),
    ("PR", "2018-05-15", "", "GEN-2016=8750.25", "", "", COMMERCIAL, ""),
    ("PN", "2025-07-01", "", "GEN-1020=6400|GEN-1021=3100", "", "120", COMMERCIAL, ""),
    ("PN", "2020-02-01", "", "GEN-1011=1000", "", "", COMMERCIAL, ""),
    ("PR", "2026-04-01", "", "GEN-1011=48250", "500", "500", COMMERCIAL, ""),
    ("PN", "2026-05-01", "", "GEN-1012=3200|GEN-1016=9400", "", "50", COMMERCIAL, ""),
    ("PN", "2021-10-01", "", "GEN-1022=700|GEN-1023=1400|GEN-2024=2800|GEN-2021=5600", "75", "", COMMERCIAL, ""),
    // Who is insured.
    ("PN", "2026-03-01", "", "GEN-1002=20000|GEN-1001=11000", "300", "300", "governmental", ""),
    ("PR", "2024-07-01", "", "GEN-1005=3999.99", "", "", "governmental", ""),
    ("PN", "2026-03-01", "", "GEN-1002=5000|GEN-1001=2500", "300", "300", "federal", ""),
    ("PN", "2026-03-01", "", "GEN-1002=5000", "300", "", "tribal", ""),
    ("PN", "2026-03-01", "", "GEN-1011=5000", "", "300", "hospital_alliance", ""),
    ("PN", "2026-03-01", "", "GEN-1002=5000|GEN-1001=2500", "300", "300", COMMERCIAL, "exempt"),
    ("PN", "2025-11-30", "", "GEN-1002=880000", "5000", "5000", COMMERCIAL, "ecp rpg export commission"),
    // A binder, and what follows a policy; the policy's own date lies before a change of rates.
    ("BD", "2026-03-01", "", "GEN-1004=4400", "150", "150", COMMERCIAL, ""),
    ("APE", "2024-09-01", "2025-02-01", "GEN-1002=1250.55", "25", "25", COMMERCIAL, ""),
    ("RPE", "2025-03-01", "2026-01-15", "GEN-1001=615.45", "", "20", COMMERCIAL, ""),
    ("AE", "2021-06-01", "2022-08-01", "GEN-1002=3333.33", "", "", COMMERCIAL, ""),
    ("FC", "2026-02-01", "2026-02-01", "GEN-1005=2480.75", "120", "80", "individual", ""),
    ("BO", "2026-02-01", "2026-02-01", "GEN-1002=1900", "120", "80", COMMERCIAL, ""),
    ("RI", "2025-05-01", "2026-01-10", "GEN-1005=1410", "40", "", "individual", ""),
    ("XE", "2015-12-01", "2016-12-01", "GEN-1003=905.05|GEN-1007=95", "", "", COMMERCIAL, ""),
    ("PC", "2026-01-01", "2026-08-01", "GEN-1002=760.10|GEN-1001=39.90", "", "", COMMERCIAL, ""),
];

/// Asked in one jurisdiction, for what its rules alone know.
#[rustfmt::skip]
const SINGLE: &[(&str, Template)] = &[
    ("AZ", ("PR", "2018-08-03", "", "GEN-1001=4000|GEN-1002=6000", "100", "100", "tribal", "")),
    ("CA", ("ZPE", "2025-10-01", "2026-02-01", "GEN-1002=0", "150", "", COMMERCIAL, "")),
    ("CT", ("APE", "2026-01-01", "2026-05-01", "GEN-1005=400", "", "", "individual", "")),
    ("CT", ("PN", "2029-12-31", "", "GEN-1005=2100|GEN-2002=700", "", "", "individual", "")),
    ("CT", ("PN", "2018-12-31", "", "GEN-1005=2100", "", "", "individual", "")),
    ("CT", ("BD", "2026-03-01", "", "GEN-2005=1500", "", "", "individual", "")),
    ("FL", ("PN", "2013-01-01", "", "GEN-1002=1000", "", "", COMMERCIAL, "")),
    ("FL", ("APE", "2013-04-01", "2014-06-01", "GEN-1002=1000", "", "", COMMERCIAL, "")),
    ("ID", ("RI", "2026-01-01", "2026-04-01", "GEN-1002=1033.33", "20", "", COMMERCIAL, "")),
    ("ID", ("ZPE", "2026-01-01", "2026-04-01", "GEN-1002=0", "75", "", COMMERCIAL, "")),
    ("IL", ("PN", "2026-03-01", "", "GEN-1001=100.50|GEN-1005=200.50|GEN-1007=300.50", "10", "10", COMMERCIAL, "")),
    ("IL", ("RPE", "2022-06-01", "2023-02-01", "GEN-1001=99.50", "", "", COMMERCIAL, "")),
    ("IL", ("PN", "2026-03-01", "", "GEN-2026=5486|GEN-1018=4114", "", "", "individual", "")),
    ("KY", ("PN", "2026-03-01", "", "GEN-1001=1000|GEN-1002=2000", "100", "50", COMMERCIAL, "in:Covington")),
    ("KY", ("PN", "2026-03-01", "", "GEN-1002=1000", "", "", COMMERCIAL, "in:Clark_County")),
    ("KY", ("PN", "2026-03-01", "", "GEN-1002=1000", "", "", COMMERCIAL, "in:Kenton_County city:Covington")),
    ("KY", ("PR", "2026-08-01", "", "GEN-1005=1400", "", "", "individual", "in:Lexington-Fayette")),
    ("KY", ("PN", "2026-03-01", "", "GEN-1002=1000|GEN-1026=500", "", "", "federal", "in:Covington")),
    ("KY", ("PN", "2026-03-01", "", "GEN-1002=1000", "", "", COMMERCIAL, "exempt in:Covington")),
    ("KY", ("PN", "2026-03-01", "", "GEN-1002=1000", "", "", "governmental", "in:Covington")),
    ("KY", ("RPE", "2026-03-01", "2026-06-01", "GEN-1001=350.75", "", "", COMMERCIAL, "in:Covington")),
    ("KY", ("PN", "2026-03-01", "", "GEN-1002=1000", "", "", COMMERCIAL, "admitted in:Covington")),
    ("LA", ("PN", "2026-06-30", "", "GEN-1001=7000", "100", "100", COMMERCIAL, "")),
    ("ME", ("PN", "2022-12-31", "", "GEN-1005=5413", "100", "350", "individual", "")),
    ("MS", ("PN", "2026-03-01", "", "GEN-1002=1000|GEN-1001=1000", "20", "30", COMMERCIAL, "exempt")),
    ("MT", ("PN", "2026-03-01", "", "GEN-1005=8108", "50", "350", "individual", "")),
    ("MT", ("PN", "2023-06-01", "", "GEN-2005=1000|GEN-2006=2000|GEN-2002=4000", "", "", "individual", "")),
    ("MT", ("PN", "2026-03-01", "", "GEN-1004=3000", "", "", COMMERCIAL, "")),
    ("NC", ("APE", "2017-01-02", "2017-09-01", "GEN-1002=1000", "", "", COMMERCIAL, "")),
    ("NC", ("PN", "2022-12-31", "", "GEN-1002=1000", "", "10", COMMERCIAL, "")),
    ("NC", ("PN", "2023-01-01", "", "GEN-1002=1000", "", "10", COMMERCIAL, "")),
    ("NY", ("AE", "2008-04-01", "2015-04-01", "GEN-1002=1000", "", "", COMMERCIAL, "")),
    ("OR", ("APE", "2025-09-01", "2026-02-01", "GEN-1025=2200", "", "", COMMERCIAL, "")),
    ("SD", ("PN", "2026-03-01", "", "GEN-2025=1000|GEN-2027=2000|GEN-1005=4000", "", "", COMMERCIAL, "")),
    ("TN", ("APE", "2016-09-30", "2017-02-01", "GEN-1002=1000", "", "", COMMERCIAL, "")),
    ("TX", ("PN", "2023-12-31", "", "GEN-1002=1000", "100", "100", COMMERCIAL, "")),
    ("WA", ("APE", "2024-12-31", "2025-06-01", "GEN-1002=8264", "350", "350", COMMERCIAL, "")),
    ("WA", ("PN", "2025-01-01", "", "GEN-1002=8264", "", "350", COMMERCIAL, "")),
    ("WY", ("PN", "2026-03-01", "", "GEN-2021=5000|GEN-2014=700", "100", "", COMMERCIAL, "")),
];

fn main() {
    let base = std::env::args().nth(1).unwrap_or_else(|| "2026-11-21".into());
    println!("# The rules as of {base}; written by examples/amount_grid.rs.\n{}", grid::HEADER);
    for state in Jurisdiction::ALL {
        let single = SINGLE.iter().filter(|(code, _)| *code == state.code()).map(|(_, template)| template);
        for template in EVERYWHERE.iter().chain(single) {
            println!("{}", question(state.code(), template).row());
        }
    }
}

fn question(state: &str, template: &Template) -> Question {
    let (transaction_type, policy, transaction, lines, agency_fee, inspection_fee, insured, flags) =
        *template;
    Question {
        state: state.into(),
        transaction_type: transaction_type.into(),
        policy: policy.into(),
        transaction: transaction.into(),
        lines: lines.into(),
        agency_fee: agency_fee.into(),
        inspection_fee: inspection_fee.into(),
        insured: insured.into(),
        flags: flags.into(),
    }
}
