//! Hardens a process at start, so that none of a person's data leaks out of it.

/// Makes files and sockets private to their owner, disables core dumps, keeps the person's other programs from
/// reading its memory, lets a panic show only its location, not its data, and bounds the heaps. Call it first; what the
/// system refuses stays as it was.
pub fn protect_process() {
    restrict_system_access();
    ignore_file_size_signal();
    limit_heaps();
    hide_panic_payloads();
}

#[cfg(unix)]
fn restrict_system_access() {
    use rustix::fs::Mode;
    use rustix::process::{Resource, Rlimit, setrlimit, umask};
    umask(Mode::RWXG | Mode::RWXO);
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    if setrlimit(Resource::Core, none).is_err() {
        eprintln!(
            "The system didn't let this program turn off crash dumps: after a crash, a file with its memory may be on the disk."
        );
    }
    #[cfg(target_os = "linux")]
    if rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable).is_err() {
        eprintln!("The system didn't let this program close its memory to your other programs.");
    }
}

/// Windows protects by the person's own profile folder, and writes no dumps unless configured to.
#[cfg(not(unix))]
fn restrict_system_access() {}

/// A file that grows beyond a limit is refused with an error, which is said, where the system would end the program.
#[cfg(unix)]
#[allow(unsafe_code, reason = "the system has no other way; it is called before there is a second thread")]
fn ignore_file_size_signal() {
    // SAFETY: no handler runs; the signal is ignored.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

#[cfg(not(unix))]
fn ignore_file_size_signal() {}

/// glibc gives every thread a heap of its own, up to eight for each processor, and returns little of any: that was two
/// thirds of the memory of an import of millions of rows.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code, reason = "glibc has no other way; it is called before there is a second thread")]
fn limit_heaps() {
    const HEAPS: i32 = 4;
    // SAFETY: it takes two numbers and keeps the second.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, HEAPS) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn limit_heaps() {}

/// A panic's message may contain what a person typed, and standard error may end in a log that others read. Setting
/// `RUST_BACKTRACE` shows everything.
fn hide_panic_payloads() {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|asked| !asked.is_empty() && asked != "0") {
        return;
    }
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string).unwrap_or_default();
        eprintln!("A part of Bordereau failed at {at}. Please report this line.");
    }));
}
