//! What the loader refuses.

use bordereau_calendar::{Calendar, CalendarProblem};

const PROOF: &str = "checked = { level = \"confirmed\", text = \"statute\" }\nsource = [ { title = \"a\", url = \"https://example.org\" } ]\n";

fn problem(duty: &str) -> String {
    let text = format!("state = \"TX\"\nchecked_on = \"2026-11-21\"\n[[duty]]\n{duty}");
    match Calendar::read(&[&text]) {
        Err(problem) => problem.to_string(),
        Ok(_) => String::new(),
    }
}

#[test]
fn a_slip_of_the_hand_is_named() {
    let head = "kind = \"filing\"\ntitle = \"Filing\"\n";
    for (lines, expected) in [
        ("after = { days = 60, from = \"effective\" }\n", "AL has no file"),
        ("", "exactly one of after, period and undated"),
        ("after = { days = 0, from = \"effective\" }\n", "days are 1 to 366"),
        ("after = { days = 60, from = \"someday\" }\n", "unknown variant `someday`"),
        ("undated = \" \"\n", "a text is empty"),
        ("undated = \"x\"\nfrom = \"2026-13-01\"\n", "is not a date"),
        ("undated = \"x\"\nfrom = \"2026-02-01\"\nuntil = \"2026-01-01\"\n", "ends before it begins"),
        ("undated = \"x\"\nunknown = 1\n", "unknown field `unknown`"),
        ("period = { length = \"quarter\", by = \"effective\", due = [\"05-15\"] }\n", "1 days, 4 expected"),
        ("period = { length = \"year\", by = \"effective\", due = [\"02-29\"] }\n", "\"02-29\" is not a day"),
        ("period = { length = \"year\", by = \"effective\" }\n", "a period has one of"),
        (
            "period = { length = \"month\", by = \"filed\", months_after = 1, day = 32 }\n",
            "a period has one of",
        ),
        ("undated = \"x\"\nbilled = { months_after = 1, from = 9, until = 3 }\n", "billed:"),
    ] {
        let found = problem(&format!("{head}{lines}{PROOF}"));
        assert!(found.contains(expected), "{lines}: {found}");
    }
    let unproven =
        format!("{head}undated = \"x\"\nchecked = {{ level = \"confirmed\", text = \"s\" }}\nsource = []\n");
    assert!(problem(&unproven).contains("a source with title and address is missing"));
}

#[test]
fn a_state_has_one_file() {
    let text = "state = \"AL\"\nchecked_on = \"2026-11-21\"\n";
    let found = Calendar::read(&[text, text]).err();
    assert_eq!(found, Some(CalendarProblem::Form("AL has two files".into())));
    assert!(Calendar::read(&["state = \"ZZ\"\nchecked_on = \"2026-11-21\"\n"]).is_err());
}
