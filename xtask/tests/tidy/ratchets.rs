//! Rules that the tree does not meet everywhere yet: `ratchet.toml` has what is left, and it only gets less.

use xtask::house::ratchet::{HouseRule, PATH, Ratchet};
use xtask::house::tree_measures::TreeMeasures;
use xtask::tree::SourceTree;

macro_rules! sections {
    ($($section:ident),+) => {
        $(pub fn $section(tree: &SourceTree) -> Vec<String> {
            complaints(tree, stringify!($section))
        })+
    };
}

sections!(
    crate_lines,
    methods,
    impl_files,
    import_cycle,
    sql_outside_store,
    participle_names,
    british_spellings,
    banned_phrases
);

fn complaints(tree: &SourceTree, section: &str) -> Vec<String> {
    match Ratchet::parse(&tree.read_text(PATH).unwrap_or_default()) {
        Ok(ratchet) => {
            HouseRule::for_section(section).list_complaints(&TreeMeasures::from_tree(tree), &ratchet)
        }
        Err(why) => vec![why],
    }
}

#[test]
fn the_ratchets_bite() {
    let long = "// line\n".repeat(9_001);
    let crowded = format!("impl Desk {{\n{}}}\n", "fn a() {}\n".repeat(41));
    let (ring, next) =
        (|at: usize| format!("use crate::r{at}::X;\n"), |at: usize| format!("crates/tax/src/r{at}.rs"));
    let mut files = vec![
        ("crates/money/src/lib.rs".to_owned(), long),
        ("crates/desk/src/desk.rs".to_owned(), crowded),
        ("crates/desk/src/rows.rs".to_owned(), "const ROWS: &str = \"SELECT * FROM rows\";\n".to_owned()),
        (
            "crates/service-store/src/rows.rs".to_owned(),
            "const ROWS: &str = \"SELECT * FROM rows\";\n".to_owned(),
        ),
        ("crates/desk/src/heard.rs".to_owned(), "enum Kept {}\n".to_owned()),
        ("crates/desk/src/names.rs".to_owned(), "fn left_out_rows() {}\n".to_owned()),
        ("ui/src/a.tsx".to_owned(), "<p>Colour</p>\n".to_owned()),
        ("docs/a.md".to_owned(), "Subscribe anew, under licence.\n".to_owned()),
        ("docs/glossary.md".to_owned(), "Not: anew, licence.\n".to_owned()),
    ];
    files.extend((0..7).map(|at| (format!("crates/events/src/i{at}.rs"), "impl Inbox {}\n".to_owned())));
    files.extend((0..4).map(|at| (next(at), ring((at + 1) % 4))));
    let check = |ratchet: &str| {
        let mut all: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        all.push((PATH, ratchet));
        let tree = SourceTree::from_samples(&all);
        let rules: [fn(&SourceTree) -> Vec<String>; 8] = [
            crate_lines,
            self::methods,
            impl_files,
            import_cycle,
            sql_outside_store,
            participle_names,
            british_spellings,
            banned_phrases,
        ];
        rules.map(|rule| rule(&tree).len())
    };
    assert_eq!(check(""), [1, 1, 1, 1, 1, 2, 2, 2]);
    let today = "[crate_lines]\n\"money\" = 9001\n[methods]\n\"desk::Desk\" = 41\n[impl_files]\n\"events::Inbox\" = 7\n[import_cycle]\n\"tax\" = 4\n\
        [sql_outside_store]\n\"crates/desk/src/rows.rs\" = 1\n[participle_names]\n\"Kept\" = 1\n\"heard\" = 1\n\
        [british_spellings]\n\"docs/a.md\" = 1\n\"ui/src/a.tsx\" = 1\n[banned_phrases]\n\"crates/desk/src/names.rs\" = 1\n\"docs/a.md\" = 1\n";
    assert_eq!(check(today), [0; 8]);
    assert_eq!(check(&today.replace("docs/a.md", "docs/gone.md")), [0, 0, 0, 0, 0, 0, 2, 2]);
    assert_eq!(check("[methods\n"), [1; 8]);
}
