//! What reads input from outside, one target for each reader, and what must hold of it whatever comes.
//!
//! The corpora beside this crate are replayed by its tests on the stable toolchain; new input is made by
//! `cargo xtask fuzz`, and for two minutes by `cargo xtask test`.

mod canary;
mod files;
pub mod mutation;
mod network;
mod store_file;
mod tables;

use mutation::InputShape;

/// A reader, and what is done to its input.
pub struct Target {
    /// As `--target` names it, and its folder of kept input.
    pub name: &'static str,
    /// In a few words.
    pub about: &'static str,
    /// Reads the input; a panic is a finding.
    pub check: fn(&[u8]),
    /// What mutations keep whole.
    pub shape: InputShape,
}

/// Every reader; last the one with a mistake.
pub const TARGETS: &[Target] = &[
    target("delimited", "CSV and other text files", tables::check_file, InputShape::Bytes),
    target("paste", "cells from the clipboard", tables::check_paste, InputShape::Bytes),
    target("xlsx", "XLSX workbooks, part by part", tables::check_file, InputShape::Archive),
    target("xlsb", "XLSB workbooks, part by part", tables::check_file, InputShape::Archive),
    target("ods", "ODS workbooks, part by part", tables::check_file, InputShape::Archive),
    target("xls", "XLS workbooks, by the records of their stream", tables::check_file, InputShape::Container),
    target("archive", "the bytes of archives and containers", tables::check_file, InputShape::Bytes),
    target(
        "transfer",
        "cells from the process that reads workbooks",
        tables::check_transfer,
        InputShape::Bytes,
    ),
    target("mapping", "mapping files", tables::check_mapping, InputShape::Bytes),
    target(
        "rates",
        "a profile's lines of business and Kentucky rates",
        tables::check_rates,
        InputShape::Bytes,
    ),
    target("answers", "JSON answers of a service", network::check_answer, InputShape::Bytes),
    target("events", "bodies of webhook deliveries", network::check_event, InputShape::Bytes),
    target("feed", "server-sent events of a listener", network::check_feed, InputShape::Bytes),
    target("pem", "files of certificate authorities", network::check_pem, InputShape::Bytes),
    target("template", "form templates of one's own", files::check_template, InputShape::Bytes),
    target("pdf", "fillable PDFs of one's own", files::check_pdf, InputShape::Bytes),
    target("store", "the data file, with bytes of it changed", store_file::check_store, InputShape::Bytes),
    target(
        CANARY,
        "a reader with a known mistake, which must be found",
        canary::read_records,
        InputShape::Bytes,
    ),
];

/// The target that must fail: where it does not, what the others say is worth nothing.
pub const CANARY: &str = "canary";

const fn target(name: &'static str, about: &'static str, check: fn(&[u8]), shape: InputShape) -> Target {
    Target { name, about, check, shape }
}
