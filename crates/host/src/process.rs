//! What every program does first, so that nothing of a person's data leaks out beside it.

/// Files and sockets are made for their owner alone, a crash leaves no image of the memory, no other program of the
/// person may look into it, and a panic says where it was and not what it worked on. To be called before anything
/// else; what the system refuses is left as it was.
pub fn protect_process() {
    restrict_system_access();
    hide_panic_payloads();
}

#[cfg(unix)]
fn restrict_system_access() {
    use rustix::fs::Mode;
    use rustix::process::{Resource, Rlimit, setrlimit, umask};
    umask(Mode::RWXG | Mode::RWXO);
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    if setrlimit(Resource::Core, none).is_err() {
        eprintln!("A crash of this program may leave an image of its memory: the system keeps its limit.");
    }
    #[cfg(target_os = "linux")]
    if rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable).is_err() {
        eprintln!("Other programs of yours may look into this one: the system keeps its setting.");
    }
}

/// Windows protects by the person's own profile folder, and writes no image unless that is configured.
#[cfg(not(unix))]
fn restrict_system_access() {}

/// A panic's message may hold what a person typed; standard error may end in a log that others read. Whoever sets
/// `RUST_BACKTRACE` asks for all of it.
fn hide_panic_payloads() {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|asked| !asked.is_empty() && asked != "0") {
        return;
    }
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string).unwrap_or_default();
        eprintln!("A part of Bordereau failed at {at}. Please report this line.");
    }));
}
