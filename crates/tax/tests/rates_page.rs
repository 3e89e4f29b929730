//! `docs/rates.md` is what the rule files say.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use bordereau_tax::{RuleBook, rates_page};

#[test]
fn the_page_is_current() {
    let committed = include_str!("../../../docs/rates.md");
    assert!(
        committed == rates_page(RuleBook::builtin()),
        "docs/rates.md is stale: write it with `cargo xtask codegen`"
    );
}
