//! `bordereau import` of a file in chunks: checked and sent as if it were read at once, also by runs that are killed.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::command::Place;
use crate::sending::{an_hour_goes_by, known, many, office};
use crate::service::Served;
use crate::stored::stored;

fn write(place: &Place, name: &str, text: &str) -> PathBuf {
    let path = place.folder().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Rows without ids of their own: what makes them the same is the run that was stopped.
fn nameless(rows: usize) -> String {
    let text = many(rows);
    let (head, rows) = text.split_once('\n').unwrap();
    let rows = rows.lines().map(|row| format!("{}\n", &row[row.find(',').unwrap()..]));
    format!("{head}\n{}", rows.collect::<String>())
}

fn group<'v>(report: &'v Value, code: &str) -> Option<&'v Value> {
    report["groups"].as_array().unwrap().iter().find(|group| group["code"] == code)
}

/// The service has each row once, whenever the importer was killed with -9.
#[test]
fn a_file_in_chunks_is_sent_once_by_runs_that_are_killed() {
    let served = Served::start();
    let place = office(&served, "sandbox");
    let before = known(&place);
    let file = write(&place, "night.csv", &nameless(2_500)).display().to_string();
    let line = [
        "import",
        &file,
        "--send",
        "all",
        "--wait",
        "--profile",
        "Office",
        "--chunk-rows",
        "100",
        "--in-flight",
        "3",
    ];
    // Right after it began; while a chunk is read, recorded, stored and sent; with several on their way.
    let moments =
        [("has about", 0), ("Chunk 1 of", 0), ("Chunk", 20), ("Chunk", 60), ("stopped", 150), ("Chunk", 300)];
    for (seen, pause_ms) in moments {
        let mut child = place.command().args(line).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let _ = said.any(|line| line.is_ok_and(|line| line.contains(seen)));
        std::thread::sleep(Duration::from_millis(pause_ms));
        child.kill().unwrap();
        child.wait().unwrap();
        an_hour_goes_by(&place);
        let there = stored(&served);
        assert!(
            there.values().all(|count| *count == 1),
            "killed after {seen:?} and {pause_ms} ms: {there:?}"
        );
    }
    let done = place.run(line);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.err.contains("An earlier run with this file was stopped"), "{done:?}");
    let there = stored(&served);
    assert_eq!((there.len(), there.values().all(|count| *count == 1)), (2_500 + before, true));
    let batches = place.json("batch list")["batches"].as_array().map(Vec::len);
    assert_eq!(batches, Some(25 + 1), "a batch for each chunk");

    let again = place.run(line);
    assert_eq!(again.code, 3, "a file that is done is not gone on with: {again:?}");
    assert!(again.err.contains("100 rows were sent before and excluded"), "{again:?}");
    assert_eq!(stored(&served).len(), 2_500 + before);
}

#[test]
fn a_stopped_run_goes_on_only_with_the_same_file_and_options() {
    let mut served = Served::start();
    let place = office(&served, "sandbox");
    let file = write(&place, "night.csv", &many(250)).display().to_string();
    let line = |more: &str| {
        format!("import {file} --send valid --at-most 0 --profile Office --chunk-rows 100 {more}")
    };
    served.stop();
    let stopped = place.line(&line(""));
    assert_eq!(stopped.code, 5, "{stopped:?}");
    // What waits to be sent comes first, so a file is looked at only where nothing does.
    let id = place.json("batch list")["batches"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(place.line(&format!("batch cancel {id}")).code, 0);

    let other = place.line(&line("--repair trim"));
    assert_eq!(other.code, 3, "{other:?}");
    assert!(other.err.contains("was stopped (1 chunk of it was sent) and had other options"), "{other:?}");
    write(&place, "night.csv", &many(251));
    let changed = place.line(&line(""));
    assert_eq!(changed.code, 3, "{changed:?}");
    assert!(changed.err.contains("night.csv changed since an earlier run"), "{changed:?}");
    assert!(changed.err.contains("--start-over"), "{changed:?}");
    let over = place.line(&line("--start-over"));
    assert!(over.err.contains("Forgot where an earlier run was stopped"), "{over:?}");
}

#[test]
fn twins_and_wrong_rows_of_all_chunks_are_told_by_their_lines() {
    let place = Place::new();
    let mut lines: Vec<String> = many(450).lines().map(str::to_owned).collect();
    // Row 2 once more in line 402, with its own id and as another one; a row without a date in line 302.
    lines[401] = lines[1].clone();
    lines[420] = lines[2].replacen("NIGHT-00001", "OTHER-00001", 1);
    let cells: Vec<&str> = lines[301].split(',').collect();
    let day = cells.iter().position(|cell| cell.contains("2026")).unwrap();
    let mut broken: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
    broken[day] = "someday".into();
    lines[301] = broken.join(",");
    let file = write(&place, "night.csv", &format!("{}\n", lines.join("\n")));
    let rejects = place.folder().join("rejects.csv");
    let line = format!("import {} --json --rejects {}", file.display(), rejects.display());
    let whole = place.line(&line);
    let chunked = place.line(&format!("{line} --chunk-rows 100"));
    assert_eq!((whole.code, chunked.code), (3, 3), "{chunked:?}");
    let (whole, chunked): (Value, Value) =
        (serde_json::from_str(&whole.out).unwrap(), serde_json::from_str(&chunked.out).unwrap());
    assert_eq!(chunked["counts"], whole["counts"]);
    assert_eq!(chunked["totals"], whole["totals"]);
    for known in whole["groups"].as_array().unwrap() {
        let found = group(&chunked, known["code"].as_str().unwrap()).unwrap_or_else(|| panic!("{known}"));
        assert_eq!(
            (&found["rows"], &found["first"][0]["message"]),
            (&known["rows"], &known["first"][0]["message"])
        );
    }
    let message = |code: &str| group(&chunked, code).unwrap()["first"][0]["message"].to_string();
    assert!(message("duplicate_id").contains("Row 402") && message("duplicate_id").contains("row 2 has"));
    assert!(message("duplicate_transaction").contains("row 3"), "{}", message("duplicate_transaction"));
    let of_chunk =
        |number: u32| std::fs::read_to_string(place.folder().join(format!("rejects-{number}.csv")));
    assert!(of_chunk(1).is_err(), "a chunk without wrong rows leaves none");
    assert!(of_chunk(4).unwrap().contains("someday") && of_chunk(5).unwrap().contains("NIGHT-00000"));
    assert_eq!(
        place.json("batch list")["batches"].as_array().map(Vec::len),
        Some(0),
        "a check sends nothing"
    );
}

#[test]
fn good_rows_of_a_chunk_with_wrong_ones_are_sent() {
    let served = Served::start();
    let place = office(&served, "sandbox");
    let text = many(300).replacen(",0007000150,", ",,", 1);
    let file = write(&place, "night.csv", &text).display().to_string();
    let sent = place.line(&format!(
        "import {file} --send valid --wait --profile Office --chunk-rows 100 --in-flight 2 --json"
    ));
    assert_eq!(sent.code, 3, "{sent:?}");
    assert!(sent.err.contains("1 row with errors was not sent"), "{sent:?}");
    let report: Value = serde_json::from_str(&sent.out).unwrap();
    assert_eq!(report["batches"].as_array().map(Vec::len), Some(3), "{report}");
    assert_eq!(report["counts"]["total"], 299);
    assert_eq!(stored(&served).len(), 299);
    let wrong =
        report["review"]["groups"].as_array().unwrap().iter().find(|g| g["severity"] == "error").unwrap();
    assert!(wrong["first"][0]["message"].to_string().contains("Row 152"), "{wrong}");
}

/// Fifteen million wrong rows would be looked at for minutes.
#[test]
fn of_a_file_without_a_row_that_can_be_sent_the_rest_is_not_read() {
    let place = Place::new();
    let file = |name: &str, last: &str| {
        let text = format!("id,premium\n{}{last}", "A-1,wrong\n".repeat(130_000));
        write(&place, name, &text).display().to_string()
    };
    let wrong = file("wrong.csv", "");
    for more in ["", " --send valid"] {
        let ended = place.line(&format!("import {wrong} --chunk-rows 50000{more}"));
        assert_eq!(ended.code, 3, "{more}: {ended:?}");
        let sentence = "none of the first 100,000 rows can be sent, so the rest of wrong.csv was not read";
        assert!(ended.err.contains(sentence), "{more}: {ended:?}");
    }
    // Nothing is left to go on with, so the corrected file is no changed one.
    let corrected =
        place.line(&format!("import {} --chunk-rows 50000 --send valid", file("wrong.csv", "A-2,1\n")));
    assert!(corrected.err.contains("none of the first 100,000"), "{corrected:?}");
}
