//! Files of a crate that import each other in a circle: none of them can be understood without all of them.

use std::collections::{BTreeMap, BTreeSet};

use super::rust_source::RustSource;

/// The largest group of files of each crate in which every file imports, over others, every other one.
pub fn largest_cycles(sources: &[RustSource]) -> BTreeMap<String, Vec<String>> {
    let mut crates: BTreeMap<&str, Vec<&RustSource>> = BTreeMap::new();
    for source in sources {
        crates.entry(&source.root).or_default().push(source);
    }
    crates
        .into_values()
        .map(|sources| (sources[0].crate_name().to_owned(), largest_cycle(&sources)))
        .filter(|(_, cycle)| cycle.len() > 1)
        .collect()
}

fn largest_cycle(sources: &[&RustSource]) -> Vec<String> {
    let files: BTreeMap<Vec<String>, usize> =
        sources.iter().enumerate().map(|(at, source)| (module_path(source), at)).collect();
    let imports: Vec<BTreeSet<usize>> =
        sources.iter().enumerate().map(|(at, source)| imported_files(source, at, &files)).collect();
    let reached: Vec<BTreeSet<usize>> = (0..sources.len()).map(|from| reached_from(from, &imports)).collect();
    let cycles = (0..sources.len()).map(|from| {
        reached[from].iter().copied().filter(|to| reached[*to].contains(&from)).collect::<Vec<_>>()
    });
    let largest = cycles.max_by_key(Vec::len).unwrap_or_default();
    largest.into_iter().map(|at| sources[at].path.clone()).collect()
}

/// `["review", "slots"]` of `crates/desk/src/review/slots.rs`; nothing for the root.
fn module_path(source: &RustSource) -> Vec<String> {
    let inside = source.path[source.root.len()..].trim_start_matches('/').trim_end_matches(".rs");
    let mut parts: Vec<String> = inside.split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|name| ["mod", "lib", "main"].contains(&name.as_str())) {
        parts.pop();
    }
    parts
}

fn imported_files(source: &RustSource, own: usize, files: &BTreeMap<Vec<String>, usize>) -> BTreeSet<usize> {
    let module = module_path(source);
    let file_of = |path: &Vec<String>| {
        let full = absolute_path(&module, path);
        (0..=full.len()).rev().find_map(|length| files.get(&full[..length]).copied()).filter(|_| {
            // A path without `crate`, `self` or `super` is another crate's unless a module of here begins it.
            let is_rooted = matches!(path[0].as_str(), "crate" | "self" | "super");
            is_rooted || files.contains_key(&[&module[..], &path[..1]].concat())
        })
    };
    source
        .own_paths()
        .iter()
        .filter(|path| !path.is_empty())
        .filter_map(file_of)
        .filter(|at| *at != own)
        .collect()
}

fn absolute_path(module: &[String], path: &[String]) -> Vec<String> {
    let mut full = module.to_vec();
    for (at, name) in path.iter().enumerate() {
        match name.as_str() {
            "crate" if at == 0 => full.clear(),
            "self" => {}
            "super" => drop(full.pop()),
            _ => full.push(name.clone()),
        }
    }
    full
}

fn reached_from(from: usize, imports: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        waiting.extend(imports[at].iter().copied().filter(|to| reached.insert(*to)));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_circle_of_a_crate_is_found() {
        let read = |path: &str, text: &str| RustSource::read(&format!("crates/{path}"), text);
        let sources = [
            read("desk/src/lib.rs", "mod a; pub use a::A; use std::fmt;"),
            read("desk/src/a.rs", "use crate::b::{self, B};"),
            read("desk/src/b/mod.rs", "use super::c;"),
            read("desk/src/b/inner.rs", "use super::B;"),
            read("desk/src/c.rs", "fn f() { crate::a::g() }"),
            read("desk/src/d.rs", "use crate::e::E;"),
            read("desk/src/e.rs", "use crate::d::D;"),
            read("tax/src/a.rs", "use crate::b::B;"),
            read("tax/src/b.rs", ""),
        ];
        let circle = ["a.rs", "b/mod.rs", "c.rs"].map(|name| format!("crates/desk/src/{name}")).to_vec();
        assert_eq!(largest_cycles(&sources), BTreeMap::from([("desk".to_owned(), circle)]));
    }
}
