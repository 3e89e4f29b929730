//! The README's pictures: `cargo xtask screenshots`.

use std::path::Path;

use crate::batches::{drops, waits_for_rows};
use crate::driver::Desktop;
use crate::quotes::{TEXAS, quotes};
use crate::within_limit;

#[test]
#[ignore = "takes pictures, checks nothing"]
fn readme_pictures() {
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        quotes(&person, &TEXAS).await;
        for theme in ["light", "dark"] {
            person.asks(&format!("document.documentElement.dataset.theme = '{theme}'; return null;")).await;
            person.pictures(&format!("quote-{theme}")).await;
        }
        person.leaves().await;
    });
}

#[test]
#[ignore = "takes pictures, checks nothing"]
fn readme_pictures_of_a_batch() {
    const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/batches/bad.csv");
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        drops(&desktop, &[Path::new(SAMPLE)]).await;
        waits_for_rows(&person, 60).await;
        for theme in ["light", "dark"] {
            person.asks(&format!("document.documentElement.dataset.theme = '{theme}'; return null;")).await;
            person.pictures(&format!("batch-{theme}")).await;
        }
        person.leaves().await;
    });
}
