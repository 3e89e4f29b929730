//! Prints `docs/rates.md` to standard output.

fn main() {
    print!("{}", bordereau_tax::rates_page(bordereau_tax::RuleBook::builtin()));
}
