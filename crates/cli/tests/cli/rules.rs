//! Rules packs from the command line.

use crate::command::Place;

#[test]
fn without_a_trusted_key_no_pack_is_taken() {
    let place = Place::new();
    let shown = place.json("rules status");
    assert_eq!(shown["rules"]["from_pack"], false, "{shown}");
    assert_eq!(shown["rules"]["version"], shown["rules"]["builtin_version"], "{shown}");
    let told = place.line("rules status");
    assert!(
        told.out.contains("Built-in rules of ") && told.out.contains("no key to check their signature"),
        "{told:?}"
    );

    let pack = place.folder().join("some.rules");
    std::fs::write(&pack, "bordereau-rules-pack 1\n").unwrap();
    let taken = place.run(["rules", "take", &pack.display().to_string()]);
    assert!(taken.code == 3 && taken.err.contains("no key to check their signature"), "{taken:?}");
    let fetched = place.line("rules fetch");
    assert_eq!(fetched.code, 3, "{fetched:?}");
    assert_eq!(place.line("rules reset").code, 0);
    let updates = place.line("updates");
    assert!(updates.code == 3 && updates.err.contains("No address of a list of versions"), "{updates:?}");
    let rates = place.line("rates TX");
    assert!(rates.out.contains("from the built-in rules (version "), "{rates:?}");
}
