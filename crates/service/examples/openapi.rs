//! Prints the OpenAPI document (`crates/service/openapi.json`), for `cargo xtask codegen`.

use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(bordereau_service::openapi::document_text().as_bytes())
}
