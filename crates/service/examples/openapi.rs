//! Prints the OpenAPI document: `cargo run -p bordereau-service --example openapi > crates/service/openapi.json`.

use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(bordereau_service::openapi::document_text().as_bytes())
}
