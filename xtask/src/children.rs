//! Ends a command together with everything it started.
//!
//! Children stay in the terminal's process group, so that Ctrl-C reaches all of them; at a time-out
//! the tree is found through `/proc` instead.

use std::process::{Child, Command};

/// Ends `child` and all its descendants.
pub fn end_tree(child: &mut Child) {
    let mut tree = descendants_of(child.id());
    tree.push(child.id());
    send_signal("-TERM", &tree);
    std::thread::sleep(std::time::Duration::from_millis(500));
    send_signal("-KILL", &tree);
    // Where there is no `kill` command the child at least ends.
    child.kill().ok();
    child.wait().ok();
}

fn send_signal(name: &str, processes: &[u32]) {
    Command::new("kill")
        .arg(name)
        .args(processes.iter().map(u32::to_string))
        .stderr(std::process::Stdio::null())
        .status()
        .ok();
}

/// Processes below `top`, deepest last; empty where there is no `/proc`.
pub fn descendants_of(top: u32) -> Vec<u32> {
    let parents = process_parents();
    let mut found = vec![top];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(process, _)| *process));
        next += 1;
    }
    found.remove(0);
    found
}

fn process_parents() -> Vec<(u32, u32)> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let process = entry.file_name().to_str()?.parse().ok()?;
            let status = std::fs::read_to_string(entry.path().join("status")).ok()?;
            let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()?;
            Some((process, parent))
        })
        .collect()
}
