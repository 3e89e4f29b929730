//! Prints what differs between two folders of rule files, state by state: `cargo xtask rates FROM [TO]`.

#[path = "../tests/rules_diff/mod.rs"]
mod rules_diff;

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    let [before, after] = &folders[..] else { return Err("two folders of rule files are expected".into()) };
    let names: BTreeSet<String> = [before, after]
        .into_iter()
        .map(|folder| rule_files(folder))
        .collect::<Result<Vec<_>, _>>()?
        .concat()
        .into_iter()
        .collect();
    let mut count = 0;
    for name in names {
        let text = |folder: &str| std::fs::read_to_string(Path::new(folder).join(&name)).unwrap_or_default();
        let found =
            rules_diff::differences(&text(before), &text(after)).map_err(|why| format!("{name}: {why}"))?;
        if found.is_empty() {
            continue;
        }
        count += found.len();
        println!("\n{}", name.trim_end_matches(".toml").to_uppercase());
        for difference in found {
            println!("- {difference}");
        }
    }
    if count == 0 {
        println!("The rules do not differ.");
    }
    Ok(())
}

fn rule_files(folder: &str) -> Result<Vec<String>, std::io::Error> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".toml") {
            names.push(name);
        }
    }
    Ok(names)
}
