//! Text from the clipboard.

#![no_main]

mod whole;

use bordereau_spreadsheets::{ReadOptions, read_paste};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(source) = read_paste(text, &ReadOptions::default()) {
        whole::review(source);
    }
});
