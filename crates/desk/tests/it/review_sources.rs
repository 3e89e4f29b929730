//! Rules of a mapping, versions of it, several files at once.

use bordereau_desk::api::*;

use crate::review_flow::{HEAD, good, id, last_step, rows, settled, started};
use crate::test_desk::TestDesk;

/// The template's rows with state and city in one column, and the insured's name in two.
fn merged_file() -> (String, String) {
    let head = HEAD.replace("physical_state", "Location").replace("mailing_insured_name", "First,Last");
    let row = good(1).replace(",TX,", ",Houston/TX,").replace(",Insured 1,", ",Ada,Lovelace,");
    (head, row)
}

fn rule_answer(review: &str, columns: &[ColumnMatch]) -> ReviewMatch {
    let column = |header: &str| columns.iter().find(|column| column.header == header).unwrap().column;
    let part = |field: Option<&str>| SplitPart { field: field.map(str::to_owned), examples: Vec::new() };
    let rules = ColumnRuleSet {
        defaults: vec![FieldDefault { field: "retail_producer".into(), value: "Jones".into(), rows: 0 }],
        splits: vec![ColumnSplitRule {
            column: column("Location"),
            method: SplitMethod::Separators,
            separators: vec!["/".into()],
            positions: Vec::new(),
            parts: vec![part(Some("physical_city")), part(Some("physical_state"))],
            short_rows: 0,
        }],
        merges: vec![ColumnMergeRule {
            columns: vec![column("First"), column("Last")],
            separator: " ".into(),
            field: "mailing_insured_name".into(),
            examples: Vec::new(),
        }],
        charges: Vec::new(),
        lines: Vec::new(),
    };
    ReviewMatch { id: review.into(), rules: Some(rules), ..ReviewMatch::default() }
}

#[tokio::test]
async fn rules_are_shown_with_what_they_make_remembered_and_undone() {
    let test = TestDesk::offline();
    let (head, row) = merged_file();
    let view = started(&test, "a.csv", &format!("{head}{row}")).await;
    assert_eq!(view.stage, ReviewStage::Match);
    let answer =
        ReviewMatch { remember_as: "Ours".into(), done: true, ..rule_answer(&view.id, &view.columns) };
    let matched = test.desk.review_match(answer).await.unwrap();
    assert_eq!((matched.stage, matched.counts.ready), (ReviewStage::Review, 1), "{:#?}", matched.groups);
    let rules = &matched.rules;
    assert_eq!(rules.splits[0].parts[1].examples, ["TX"]);
    assert_eq!(rules.merges[0].examples, ["Ada Lovelace"]);
    assert_eq!(rules.defaults[0].rows, 1);
    let made: Vec<&str> =
        matched.columns.iter().filter(|c| c.reason == "rule").filter_map(|c| c.field.as_deref()).collect();
    assert_eq!(made, ["mailing_insured_name", "physical_city", "physical_state", "retail_producer"]);
    let page = rows(&test, &view.id, RowFilter::All).await;
    let made = ["Ada Lovelace", "Houston", "TX", "Jones"];
    assert!(page.rows[0].cells.windows(4).any(|cells| cells == made), "{:?}", page.rows[0].cells);
    assert!(page.rows[0].changed.is_empty());

    let none =
        ReviewMatch { id: view.id.clone(), rules: Some(ColumnRuleSet::default()), ..ReviewMatch::default() };
    let without = test.desk.review_match(none).await.unwrap();
    assert_eq!((without.undo.as_str(), without.counts.ready), ("Change rules", 0));
    let undone = test.desk.review_undo(last_step(&view)).await.unwrap();
    assert_eq!((undone.counts.ready, &undone.rules), (1, rules));

    let again = started(&test, "b.csv", &format!("{head}{row}")).await;
    assert_eq!(
        (again.stage, again.counts.ready),
        (ReviewStage::Review, 1),
        "remembered with its columns: {:#?}",
        again.groups
    );
    let to_column = vec![ColumnChange {
        column: again.columns.iter().find(|column| column.header == "First").unwrap().column,
        field: Some("mailing_insured_name".into()),
    }];
    let moved = ReviewMatch { id: again.id.clone(), columns: to_column, ..ReviewMatch::default() };
    let moved = test.desk.review_match(moved).await.unwrap();
    assert!(moved.rules.merges.is_empty(), "a field is filled once");
}

/// A file with a row for each premium, tax and fee, of one policy.
fn rows_of_charges(policy: &str, charges: &[(&str, &str)]) -> String {
    let row = |(code, amount): &(&str, &str)| {
        format!(
            "{policy}-1,{policy},02/23/2026,{code},TX,GEN-1002,{amount},Diner LLC,{policy}-I,10899,Shop,0,0\n"
        )
    };
    let head = "Transaction ID,Policy Number,Effective Date,Tran Code,State,Class,Amount,Named Insured,Invoice No,\
        Company,Description,Layered Risk,RRG\n";
    format!("{head}{}", charges.iter().map(row).collect::<String>())
}

#[tokio::test]
async fn words_of_charges_are_chosen_once_and_remembered() {
    let test = TestDesk::offline();
    let first = rows_of_charges("P1", &[("NEW", "1000"), ("SLT", "48.50"), ("STMP", "0.40"), ("KLV", "25")]);
    let view = started(&test, "a.csv", &first).await;
    let rule = &view.rules.charges[0];
    let field = |rule: &ChargeRowsRule, word: &str| {
        rule.words.iter().find(|known| known.word == word).and_then(|known| known.field.clone())
    };
    assert_eq!(field(rule, "SLT").as_deref(), Some("sl_tax"));
    assert_eq!(field(rule, "KLV"), None);
    assert_eq!((view.counts.rows, view.counts.transactions, view.counts.errors), (4, 1, 1), "{view:#?}");

    let mut rules = view.rules.clone();
    for word in rules.charges[0].words.iter_mut().filter(|known| known.word == "KLV") {
        word.field = Some("agency_fee".into());
    }
    let answer = ReviewMatch {
        id: view.id.clone(),
        rules: Some(rules),
        remember_as: "Ledger".into(),
        done: true,
        ..ReviewMatch::default()
    };
    let matched = test.desk.review_match(answer).await.unwrap();
    assert_eq!((matched.stage, matched.counts.ready), (ReviewStage::Review, 1), "{:#?}", matched.groups);
    assert_eq!((matched.totals.premium.as_str(), matched.totals.taxes.as_str()), ("1000.00", "48.90"));

    // A word that is known everywhere needs nobody, one that was chosen neither.
    let next = [("NB", "2000"), ("SLTX", "97"), ("STMP", "0.80"), ("KLV", "10")];
    let again = started(&test, "b.csv", &rows_of_charges("P2", &next)).await;
    assert_eq!((again.stage, again.counts.ready), (ReviewStage::Review, 1), "{:#?}", again.groups);
    assert_eq!((again.totals.premium.as_str(), again.totals.taxes.as_str()), ("2000.00", "97.80"));

    let column = |header: &str| again.columns.iter().find(|column| column.header == header).unwrap().column;
    let change = |header: &str, field: &str| ReviewMatch {
        id: again.id.clone(),
        columns: vec![ColumnChange { column: column(header), field: Some(field.into()) }],
        ..ReviewMatch::default()
    };
    let released = test.desk.review_match(change("Description", "sl_tax")).await.unwrap();
    assert_eq!(field(&released.rules.charges[0], "SLTX"), None, "a field is filled once");
    assert_eq!(field(&released.rules.charges[0], "KLV").as_deref(), Some("agency_fee"));
    let released = test.desk.review_match(change("Amount", "premium")).await.unwrap();
    assert!(released.rules.charges.is_empty(), "the column has amounts of one field");

    // Set by hand, the known words have their fields, and the rows are put together.
    let removed = ReviewMatch {
        id: again.id.clone(),
        rules: Some(ColumnRuleSet::default()),
        overrides: vec![NamedCode { code: "grouping".into(), name: "none".into() }],
        ..ReviewMatch::default()
    };
    test.desk.review_match(removed).await.unwrap();
    let by_hand = ChargeRowsRule {
        charge: column("Tran Code"),
        amount: column("Amount"),
        is_type: true,
        words: Vec::new(),
    };
    let rules = ColumnRuleSet { charges: vec![by_hand], ..ColumnRuleSet::default() };
    let set = ReviewMatch { id: again.id.clone(), rules: Some(rules), ..ReviewMatch::default() };
    let set = test.desk.review_match(set).await.unwrap();
    assert_eq!(field(&set.rules.charges[0], "SLTX").as_deref(), Some("sl_tax"));
    assert_eq!((set.counts.transactions, set.counts.errors), (1, 1), "no field of KLV: {:#?}", set.groups);

    // A column whose words nobody knows is taken too: each is asked for.
    let unknown = ChargeRowsRule { charge: column("Company"), ..set.rules.charges[0].clone() };
    let charges = vec![ChargeRowsRule { words: Vec::new(), ..unknown }];
    let rules = Some(ColumnRuleSet { charges, ..ColumnRuleSet::default() });
    let set = ReviewMatch { id: again.id.clone(), rules, ..ReviewMatch::default() };
    let set = test.desk.review_match(set).await.unwrap();
    let words: Vec<_> = set.rules.charges[0].words.iter().map(|word| (&*word.word, &word.field)).collect();
    assert_eq!(words, [("10899", &None)]);
}

/// What rules make of a rejected row is made again, of what was corrected in the file.
#[tokio::test]
async fn a_rejected_row_is_corrected_in_the_columns_that_it_came_in() {
    let test = TestDesk::offline();
    let head =
        "Transaction ID,Policy Number,Insured,Eff Date,Exp Date,State,Type,GL Premium,Property Premium\n";
    let row = |text: &str| format!("P1-1,P1,Diner LLC,02/23/2026,02/23/2027,TX,PN,1000,{text}\n");
    let view = started(&test, "lines.csv", &format!("{head}{}", row("TBD"))).await;
    let view = if view.stage == ReviewStage::Match {
        let done = ReviewMatch { id: view.id.clone(), done: true, ..ReviewMatch::default() };
        test.desk.review_match(done).await.unwrap()
    } else {
        view
    };
    let path = test.answer_dialog("rejected.csv");
    let save = SaveRejects { id: view.id.clone(), format: TableFormat::Csv, with_warnings: false };
    test.desk.rejects_save(save).await.unwrap();
    let saved = std::fs::read_to_string(path).unwrap();
    let headers = saved.trim_start_matches('\u{feff}').lines().next().unwrap().to_owned();
    let added = headers.strip_prefix(head.trim()).unwrap();
    assert!(!added.contains("premium") && !added.contains("line_of_business"), "made again: {added}");

    let again = started(&test, "rejected.csv", &saved.replace("TBD", "500")).await;
    assert_eq!(again.stage, ReviewStage::Review, "{:#?}", again.columns);
    let page = rows(&test, &again.id, RowFilter::All).await;
    let cells = &page.rows[0].cells;
    assert!(
        cells.contains(&"1,500.00".to_owned()) && cells.contains(&"1000.00 | 500.00".to_owned()),
        "{cells:?}"
    );
}

#[tokio::test]
async fn a_rule_that_cannot_be_is_refused_with_its_reason() {
    let test = TestDesk::offline();
    let view = started(&test, "a.csv", &format!("{HEAD}{}", good(1))).await;
    let default = FieldDefault { field: "agency_fee".into(), value: "a lot".into(), rows: 0 };
    let rules = ColumnRuleSet { defaults: vec![default], ..ColumnRuleSet::default() };
    let request = ReviewMatch { id: view.id.clone(), rules: Some(rules), ..ReviewMatch::default() };
    let refused = test.desk.review_match(request).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Validation);
    assert_eq!(test.desk.review_state(id(&view)).await.unwrap().rules, ColumnRuleSet::default());
}

#[tokio::test]
async fn each_save_of_a_mapping_keeps_the_version_before() {
    let test = TestDesk::offline();
    let head = HEAD.replace("policy_number", "Our reference");
    let view = started(&test, "a.csv", &format!("{head}{}", good(1))).await;
    let save = |field: &str| ReviewMatch {
        id: view.id.clone(),
        columns: vec![ColumnChange { column: 1, field: Some(field.into()) }],
        remember_as: "AMS".into(),
        done: true,
        ..ReviewMatch::default()
    };
    let of = |name: &str| MappingName { name: name.into() };
    test.desk.review_match(save("policy_number")).await.unwrap();
    assert!(test.desk.mapping_versions(of("AMS")).await.unwrap().versions.is_empty());
    test.desk.review_match(save("policy_number")).await.unwrap();
    assert!(
        test.desk.mapping_versions(of("AMS")).await.unwrap().versions.is_empty(),
        "the same again is none"
    );
    test.desk.review_match(save("agent_id")).await.unwrap();
    let versions = test.desk.mapping_versions(of("AMS")).await.unwrap().versions;
    assert_eq!(versions.len(), 1);
    assert_eq!(versions[0].changes, ["Column \"Our reference\": Policy number, now Agent ID"]);
    let restore = MappingRestore { name: "AMS".into(), number: versions[0].number };
    test.desk.mapping_restore(restore.clone()).await.unwrap();
    let versions = test.desk.mapping_versions(of("AMS")).await.unwrap().versions;
    assert_eq!(versions.len(), 2, "what it was is a version now");
    assert!(versions[1].changes.is_empty());
    let path = test.answer_dialog("ams.json");
    test.desk.mapping_export(of("AMS")).await.unwrap();
    assert!(std::fs::read_to_string(path).unwrap().contains("\"policy_number\""));
    let copy = MappingCopy { name: "AMS".into(), to: "Nightly".into(), moves: true };
    test.desk.mapping_copy(copy).await.unwrap();
    assert_eq!(test.desk.mapping_versions(of("Nightly")).await.unwrap().versions.len(), 2);
    assert_eq!(test.desk.mapping_restore(restore).await.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test]
async fn several_files_are_one_batch_with_their_source() {
    let test = TestDesk::offline();
    let folder = test.folder.path();
    let paths =
        [("may.csv", good(1)), ("june.csv", good(2).replace("GEN-1002", "NONSENSE"))].map(|(name, row)| {
            let path = folder.join(name);
            std::fs::write(&path, format!("{HEAD}{row}")).unwrap();
            path
        });
    let handles: Vec<String> =
        test.desk.drop_files(paths.to_vec()).into_iter().map(|file| file.handle).collect();
    let source = ReviewSource::Together { handles: handles.clone() };
    let view = test.desk.review_start(ReviewStart { source }).await.unwrap();
    let mut view = settled(&test, view).await;
    assert_eq!((view.name.as_str(), view.counts.rows, view.counts.errors), ("may.csv and 1 more", 2, 1));
    let files = view.detected.iter().find(|detected| detected.what == "files").unwrap();
    assert_eq!(files.evidence, "may.csv (1 row); june.csv (1 row)");
    if view.stage == ReviewStage::Match {
        let done = ReviewMatch { id: view.id.clone(), done: true, ..ReviewMatch::default() };
        view = test.desk.review_match(done).await.unwrap();
    }
    let page = rows(&test, &view.id, RowFilter::Errors).await;
    assert_eq!(page.rows[0].line, 2, "as its own file counts it");
    let cell = CellId { id: view.id.clone(), row: page.rows[0].row, column: None };
    let issue = test.desk.review_issues(cell).await.unwrap().issues.remove(0);
    assert!(issue.place.starts_with("Row 2 of june.csv, column"), "{}", issue.place);
    let path = test.answer_dialog("rejected.csv");
    let save = SaveRejects { id: view.id.clone(), format: TableFormat::Csv, with_warnings: false };
    test.desk.rejects_save(save).await.unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(",Source file,") && text.contains(",june.csv,"), "{text}");

    std::fs::write(&paths[1], "Employee,Salary\nAda,5\n").unwrap();
    let handles = test.desk.drop_files(paths.to_vec()).into_iter().map(|file| file.handle).collect();
    let view =
        test.desk.review_start(ReviewStart { source: ReviewSource::Together { handles } }).await.unwrap();
    let view = settled(&test, view).await;
    assert_eq!((view.counts.rows, view.left_out.len()), (1, 1), "the other is read");
    assert_eq!(view.left_out[0].name, "june.csv");
    assert!(
        view.left_out[0].why.starts_with("It has no column in common with may.csv."),
        "{:?}",
        view.left_out
    );
}

#[tokio::test]
async fn new_files_of_a_watched_folder_become_drafts_once_and_old_ones_do_not() {
    let test = TestDesk::offline();
    let folder = test.folder.path().join("exports");
    std::fs::create_dir(&folder).unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    write("before.csv", format!("{HEAD}{}", good(9)));
    test.person.answers.lock().unwrap().push_back(folder.clone());
    let chosen = test.desk.watch_choose(Nothing {}).await.unwrap();
    assert_eq!(
        (chosen.folder.as_str(), chosen.arrivals.len()),
        ("exports", 0),
        "no path crosses to the page"
    );
    test.desk.begin_watch(std::time::Duration::from_millis(100));
    write("may.csv", format!("{HEAD}{}", good(1)));
    write("scan.csv", "\u{89}PNG\0\u{1}\u{2}\u{3}".into());
    write("notes.pdf", "%PDF-1.7".into());
    let arrived = |count: usize| {
        let desk = test.desk.clone();
        async move {
            loop {
                let view = desk.watch_state(Nothing {}).await.unwrap();
                if view.arrivals.len() >= count {
                    return view;
                }
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        }
    };
    let mut view = arrived(2).await;
    view.arrivals.sort_by(|one, other| one.name.cmp(&other.name));
    assert_eq!((view.arrivals[0].name.as_str(), view.arrivals[0].problem.as_str()), ("may.csv", ""));
    assert!(view.arrivals[1].problem.ends_with('.') && view.arrivals[1].review.is_empty(), "{view:?}");
    write("copy.csv", format!("{HEAD}{}", good(1)));
    write("june.csv", format!("{HEAD}{}", good(2)));
    let view = arrived(3).await;
    assert_eq!(view.arrivals[0].name, "june.csv");
    let drafts = test.desk.review_list(Nothing {}).await.unwrap().reviews;
    let mut names: Vec<&str> = drafts.iter().map(|draft| draft.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["june.csv", "may.csv"], "a copy is read once, and what was there is no news");
    assert_eq!(test.desk.watch_end(Nothing {}).await.unwrap().folder, "");
}
