//! How WebKitGTK draws, and guards against blank windows.
//!
//! WebKitGTK from 2.42 draws through DMA-BUF, which leaves the window blank on some NVIDIA, Wayland and
//! virtual machines (tauri-apps/tauri#9304, #9394, #13151). Upstream calls it an application's matter.
//!
//! From 2.46 it also paints text and boxes through OpenGL. A page of forms and tables gains nothing by it: it costs
//! memory beside each tile, and where there is no graphics card everything is painted by a pretended one.
//! `docs/decisions/0018-painted-by-the-processor.md` has the figures.

/// Set by tests and by people for whom the guards do harm: WebDriver's screenshots hang with them.
pub(crate) const NO_GUARD_VARIABLE: &str = "BORDEREAU_NO_GRAPHICS_GUARD";

/// Text and boxes are painted by the processor's threads; putting the layers together stays where it was.
const PAINTED_BY_PROCESSOR: &str = "WEBKIT_SKIA_ENABLE_CPU_RENDERING";

/// Whether the guards are on.
pub(crate) fn is_guarded() -> bool {
    std::env::var_os(NO_GUARD_VARIABLE).is_none_or(|value| value.is_empty() || value == "0")
}

/// The variables to set before GTK starts: only what the person has not set, so that it can be undone.
fn guard_variables(guarded: bool, safe: bool, set: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let mut wanted = vec![PAINTED_BY_PROCESSOR];
    if guarded {
        wanted.push("WEBKIT_DISABLE_DMABUF_RENDERER");
    }
    if safe {
        wanted.push("WEBKIT_DISABLE_COMPOSITING_MODE");
    }
    wanted.retain(|name| !set(name));
    wanted
}

/// Prepares the environment for WebKitGTK. To be called before anything else, while there is one thread.
#[expect(unsafe_code, reason = "WebKitGTK reads its settings from the environment of this process only")]
pub(crate) fn prepare_graphics(safe: bool) {
    if !cfg!(target_os = "linux") {
        return;
    }
    for name in guard_variables(is_guarded(), safe, |name| std::env::var_os(name).is_some()) {
        // SAFETY: `run` calls this first, before any thread is started.
        unsafe { std::env::set_var(name, "1") };
    }
}

/// Starts the program once more in safe graphics, in place of this one; returns only when that fails.
#[cfg(unix)]
pub(crate) fn restart_safely() -> std::io::Error {
    use std::os::unix::process::CommandExt;
    match std::env::current_exe() {
        Ok(program) => std::process::Command::new(program)
            .args(std::env::args_os().skip(1).filter(|a| a != "--safe-graphics"))
            .arg("--safe-graphics")
            .exec(),
        Err(error) => error,
    }
}

#[cfg(not(unix))]
pub(crate) fn restart_safely() -> std::io::Error {
    std::io::ErrorKind::Unsupported.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_set_is_set() {
        let (dmabuf, compositing) = ("WEBKIT_DISABLE_DMABUF_RENDERER", "WEBKIT_DISABLE_COMPOSITING_MODE");
        let paint = PAINTED_BY_PROCESSOR;
        let cases: [(bool, bool, &[&str], &[&str]); 6] = [
            (true, false, &[], &[paint, dmabuf]),
            (true, true, &[], &[paint, dmabuf, compositing]),
            (true, true, &[dmabuf], &[paint, compositing]),
            (true, false, &[paint], &[dmabuf]),
            (false, false, &[], &[paint]),
            (false, true, &[], &[paint, compositing]),
        ];
        for (guarded, safe, set, expected) in cases {
            assert_eq!(
                guard_variables(guarded, safe, |n| set.contains(&n)),
                expected,
                "{guarded} {safe} {set:?}"
            );
        }
    }
}
