//! Frame times of the grid in the real window, and how soon the first problems of a dropped file are seen:
//! `cargo xtask bench --only grid` runs these and reads the figures they print.

#[path = "../../crates/desk/benches/generated_bordereau/mod.rs"]
mod generated_bordereau;

use std::time::Duration;

use serde_json::{Value, json};

use crate::batches::drops;
use crate::driver::Desktop;
use crate::person::Person;
use crate::within;

/// Longest frame at the 95th percentile, beside the empty grid's own.
const FRAME_MS: f64 = 17.0;
const ROWS_MOST: i64 = 60;
const FIRST_PROBLEMS_MS: i64 = 300;

/// Scrolls the element and gives the 95th percentile of the frame times in milliseconds, and the most rows that
/// were in the document.
const SCROLLS: &str = "
    const [{ selector, step, frames }, done] = arguments;
    const element = document.querySelector(selector);
    element.scrollTop = 0;
    const times = [];
    let most = 0, last = 0;
    const frame = (now) => {
        if (last > 0) times.push(now - last);
        last = now;
        most = Math.max(most, element.querySelectorAll('[role=row]').length);
        if (times.length >= frames) {
            times.sort((a, b) => a - b);
            done({ p95: times[Math.floor(times.length * 0.95)], median: times[Math.floor(times.length / 2)], most });
            return;
        }
        element.scrollTop += step;
        requestAnimationFrame(frame);
    };
    setTimeout(() => requestAnimationFrame(frame), 500);";

/// A grid with nothing in it, as large and as tall as the real one, in its place.
const EMPTIES: &str = "
    const grid = document.querySelector('[role=grid]');
    const empty = document.createElement('div');
    empty.id = 'empty-grid';
    const { width, height } = grid.getBoundingClientRect();
    Object.assign(empty.style, { overflow: 'auto', width: `${width}px`, height: `${height}px`, contain: 'strict' });
    const canvas = document.createElement('div');
    canvas.style.height = `${grid.scrollHeight}px`;
    empty.append(canvas);
    grid.parentElement.append(empty);
    grid.style.display = 'none';
    return null;";

const FILLS_AGAIN: &str = "
    document.querySelector('#empty-grid').remove();
    document.querySelector('[role=grid]').style.display = '';
    return null;";

/// When the first problem is drawn, by the page's clock: among the first rows of a file that is still read, or in the review.
const LOOKS_OUT: &str = "
    window.firstProblem = 0;
    const places = '.first-problems li, .group .group-title, [role=gridcell].warning, [role=gridcell].error';
    const look = () => {
        if (document.querySelector(places))
            requestAnimationFrame(() => setTimeout(() => { window.firstProblem = Date.now(); }));
        else requestAnimationFrame(look);
    };
    look();
    return null;";

async fn scrolls(person: &Person, selector: &str, step: i64) -> (f64, f64, i64) {
    let asked = json!({ "selector": selector, "step": step, "frames": 300 });
    let found: Value = person.asks_and_waits(SCROLLS, asked).await;
    (
        found["p95"].as_f64().unwrap_or(f64::NAN),
        found["median"].as_f64().unwrap_or(f64::NAN),
        found["most"].as_i64().unwrap_or(i64::MAX),
    )
}

fn tells(figure: &str, measured: &str, target: &str, reached: bool) {
    println!("{figure} | {measured} | {target} | {}", if reached { "pass" } else { "MISS" });
}

async fn measures(rows: usize, wide: bool) {
    let desktop = Desktop::start_as_shipped().await;
    let person = desktop.open().await;
    let file = generated_bordereau::csv(&desktop.data_dir(), rows, wide);
    person.asks(LOOKS_OUT).await;
    let dropped = drops(&desktop, &[file.as_path()]).await;
    person
        .waits_at_most(Duration::from_secs(300), "return window.firstProblem > 0;", "the first problem")
        .await;
    let first = person.asks("return window.firstProblem;").await.as_i64().unwrap_or(i64::MAX) - dropped;
    let shown = rows.to_string();
    tells(
        &format!("first problems on screen, file of {shown} rows"),
        &format!("{first} ms"),
        &format!("under {FIRST_PROBLEMS_MS} ms"),
        first < FIRST_PROBLEMS_MS,
    );
    let all = format!(
        "const grid = document.querySelector('[role=grid]');
         return grid?.getAttribute('aria-rowcount') === '{}' && grid.querySelector('[role=gridcell]') !== null;",
        rows + 1
    );
    person.waits_at_most(Duration::from_secs(600), &all, "all rows").await;
    for (how, step) in [("by wheel", 120), ("by its bar", 60_000)] {
        let (p95, median, most) = scrolls(&person, "[role=grid]", step).await;
        person.asks(EMPTIES).await;
        let (empty, ..) = scrolls(&person, "#empty-grid", step).await;
        person.asks(FILLS_AGAIN).await;
        // Where this machine draws nothing at all slower than that, the grid may be a half slower.
        let target = FRAME_MS.max(empty * 1.5);
        tells(
            &format!("grid of {shown} rows scrolled {how}, frame p95"),
            &format!("{p95:.1} ms, median {median:.1} ms (empty grid {empty:.1} ms)"),
            &format!("at most {target:.1} ms"),
            p95 <= target,
        );
        tells(
            &format!("grid of {shown} rows scrolled {how}, rows drawn"),
            &most.to_string(),
            &format!("at most {ROWS_MOST} and the head"),
            most <= ROWS_MOST + 1,
        );
    }
    person.leaves().await;
}

#[test]
#[ignore = "a bench: cargo xtask bench --only grid"]
fn bench_100_000_rows() {
    within(Duration::from_secs(900), measures(100_000, true));
}

#[test]
#[ignore = "a bench: cargo xtask bench --only grid"]
fn bench_1_000_000_rows() {
    within(Duration::from_secs(1200), measures(1_000_000, false));
}
