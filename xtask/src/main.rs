//! `cargo xtask`; see the library beside it.

fn main() -> std::process::ExitCode {
    xtask::main()
}
