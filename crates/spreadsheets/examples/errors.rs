//! Prints the catalog of issues (`docs/errors.md`) from the fixtures, for `cargo xtask codegen`. With `--expect`, as in
//! `cargo run -p bordereau-spreadsheets --example errors -- --expect`, it writes the `expected.json` of every fixture
//! instead; look at the difference before you commit it.

#[path = "../tests/it/fixture.rs"]
mod fixture;

fn main() {
    if std::env::args().any(|a| a == "--expect") {
        for code in bordereau_spreadsheets::Code::ALL {
            let fixture = fixture::Fixture::of(*code);
            std::fs::write(fixture.path("expected.json"), fixture.expected_text())
                .expect("the fixture's folder");
        }
        return;
    }
    print!("{}", fixture::catalog());
}
