//! Project rules that the compiler can't check: who may import whom, what pure crates must not touch,
//! names, lengths, what the window is allowed to do, and that the documents are true.
//!
//! Each rule is a function from files to complaints, so that a small table can show that it bites.

mod documents;
mod findings;
mod layers;
mod ratchets;
mod shell;
mod source_text;
mod sources;

use xtask::tree::SourceTree;

/// Fails with every complaint at once.
fn assert_none(rule: &str, complaints: &[String]) {
    assert!(
        complaints.is_empty(),
        "{rule}: {} complaints\n  {}\n",
        complaints.len(),
        complaints.join("\n  ")
    );
}

macro_rules! rules {
    ($($name:ident: $check:path;)+) => {
        $(#[test]
        fn $name() {
            assert_none(stringify!($name), &$check(&SourceTree::of_the_repository()));
        })+
    };
}

rules! {
    arrows_point_down_only: layers::arrows;
    no_tauri_below_the_shell: layers::tauri_below_shell;
    versions_agree: layers::versions;
    pure_crates_touch_nothing: sources::impure;
    no_floats_where_money_is: sources::floats;
    the_ui_reaches_the_shell_in_one_place: sources::tauri_in_ui;
    names_say_something: sources::names;
    files_can_be_read_in_one_sitting: sources::lengths;
    nothing_is_left_over: sources::leftovers;
    the_core_names_no_button_and_no_command: sources::shell_words;
    commands_are_asynchronous: sources::blocking_commands;
    crates_stay_small: ratchets::crate_lines;
    types_stay_small: ratchets::methods;
    types_are_in_few_files: ratchets::impl_files;
    files_do_not_import_each_other_in_circles: ratchets::import_cycle;
    sql_is_in_the_store: ratchets::sql_outside_store;
    names_are_nouns: ratchets::participle_names;
    spelling_is_american: ratchets::british_spellings;
    sentences_are_plain: ratchets::banned_phrases;
    capabilities_are_exact: shell::capabilities;
    windows_keep_their_keys_on_every_platform: shell::platform_windows;
    the_content_policy_is_strict: shell::content_policy;
    downloads_are_quarantined: shell::quarantined_files;
    prototypes_are_frozen: shell::frozen_prototypes;
    every_window_is_kept_on_its_page: shell::window_guards;
    lock_files_name_no_download_address: shell::lock_addresses;
    findings_have_their_tests: findings::findings;
    builds_are_as_they_must_be: findings::build_settings;
    links_in_documents_resolve: documents::links;
    the_changelog_has_a_place_for_changes: documents::changelog;
    every_rule_file_is_in_the_rates: documents::rates;
    every_issue_is_in_the_catalog: documents::errors;
    every_sample_is_described: documents::samples;
    the_contract_names_every_path: documents::paths;
    the_documents_name_every_crate_and_command: documents::map;
    decisions_are_numbered_and_dated: documents::decisions;
}
