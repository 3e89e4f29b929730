//! Prints `docs/rates.md` to standard output, for `cargo xtask codegen`.

fn main() {
    print!("{}", bordereau_tax::rates_page(bordereau_tax::RuleBook::builtin()));
}
