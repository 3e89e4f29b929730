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

macro_rules! targets {
    ($($name:expr, $shape:ident, $check:path, $about:literal;)+) => {
        &[$(Target { name: $name, about: $about, check: $check, shape: InputShape::$shape },)+]
    };
}

/// Every reader; last the one with a mistake.
pub const TARGETS: &[Target] = targets! {
    "delimited", Bytes, tables::check_file, "CSV and other text files";
    "paste", Bytes, tables::check_paste, "cells from the clipboard";
    "xlsx", Archive, tables::check_file, "XLSX workbooks, part by part";
    "xlsb", Archive, tables::check_file, "XLSB workbooks, part by part";
    "ods", Archive, tables::check_file, "ODS workbooks, part by part";
    "xls", Container, tables::check_file, "XLS workbooks, by the records of their stream";
    "markup", Bytes, tables::check_file, "tables of web pages, and XML spreadsheets";
    "archive", Bytes, tables::check_file, "the bytes of archives and containers";
    "transfer", Bytes, tables::check_transfer, "cells from the process that reads workbooks";
    "mapping", Bytes, tables::check_mapping, "mapping files";
    "rates", Bytes, tables::check_rates, "a profile's lines of business and Kentucky rates";
    "answers", Bytes, network::check_answer, "JSON answers of a service";
    "events", Bytes, network::check_event, "bodies of webhook deliveries";
    "feed", Bytes, network::check_feed, "server-sent events of a listener";
    "pem", Bytes, network::check_pem, "files of certificate authorities";
    "template", Bytes, files::check_template, "form templates of one's own";
    "pdf", Bytes, files::check_pdf, "fillable PDFs of one's own";
    "store", Bytes, store_file::check_store, "the data file, with bytes of it changed";
    CANARY, Bytes, canary::read_records, "a reader with a known mistake, which must be found";
};

/// The target that must fail: where it does not, what the others say is worth nothing.
pub const CANARY: &str = "canary";
