//! Start and memory of the real window, beside an empty Tauri window built the same way.
//!
//! Both are watched from outside, by the picture on a virtual screen and the kernel's figures, so that
//! neither can flatter itself. First paint is the first moment the screen shows content (many colors),
//! not an empty background. Memory is PSS, which shares out what processes have in common.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::children;
use crate::command::TaskFailure;
use crate::desktop_session::{PrivateHome, VirtualScreen, end_group};

/// Text is drawn with soft edges, so any page with a word on it passes this; an empty window does not.
const CONTENT: usize = 12;

/// One start of a window.
pub struct WindowStart {
    /// From the start of the process to the first content on the screen.
    pub first_paint: Duration,
    /// PSS of all its processes after it came to rest, in KiB.
    pub memory_kib: u64,
}

/// Opens `program` once, in its own home, and closes it again.
pub fn start_once(program: &Path, home: &PrivateHome) -> Result<WindowStart, TaskFailure> {
    let trouble = |why: std::io::Error| TaskFailure::new(format!("{}: {why}", program.display()));
    let screen = VirtualScreen::start(1280, 900).map_err(trouble)?;
    let mut command = home.command_on(&screen, program);
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let started = Instant::now();
    let mut child = command.spawn().map_err(trouble)?;
    let mut first_paint = None;
    while first_paint.is_none() && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(4));
        if screen.count_colors(CONTENT) >= CONTENT {
            first_paint = Some(started.elapsed());
        }
    }
    std::thread::sleep(Duration::from_secs(4));
    let memory_kib = memory_below(child.id());
    end_group(&mut child);
    let first_paint = first_paint
        .ok_or_else(|| TaskFailure::new(format!("{} painted nothing in 60 s", program.display())))?;
    Ok(WindowStart { first_paint, memory_kib })
}

/// PSS of every process below `top` but the session bus, in KiB.
fn memory_below(top: u32) -> u64 {
    children::descendants_of(top)
        .into_iter()
        .filter(|process| {
            let name = std::fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
            !name.starts_with("dbus-")
        })
        .filter_map(|process| {
            let rollup = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
            let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        })
        .sum()
}
