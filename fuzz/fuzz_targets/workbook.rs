//! Bytes of a file that begins as a workbook.

#![no_main]

mod whole;

use bordereau_spreadsheets::{ReadOptions, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(source) = read("fuzzed", bytes.to_vec(), &ReadOptions::default()) {
        whole::review(source);
    }
});
