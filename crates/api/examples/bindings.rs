//! Prints the TypeScript bindings; `cargo xtask codegen` writes them to `ui/src/bindings/operations.ts`.

fn main() {
    print!("{}", bordereau_api::typescript_bindings());
}
