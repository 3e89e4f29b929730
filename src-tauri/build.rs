//! Builds the Tauri context: the UI in `ui/dist`, the capabilities and the icons.

use std::path::Path;
use std::process::exit;

fn main() {
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    println!("cargo:rerun-if-changed=src-tauri/permissions");
    println!("cargo:rerun-if-changed=ui/dist");
    println!("cargo:rerun-if-changed=icons");
    let embedded = std::env::var_os("CARGO_FEATURE_EMBED_UI").is_some();
    if embedded && !Path::new("ui/dist/index.html").exists() {
        stop_build("the UI is not built (ui/dist/index.html is missing). Run: cargo xtask ui");
    }
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/**/*.json")
        .app_manifest(
            tauri_build::AppManifest::new().permissions_path_pattern("./src-tauri/permissions/**/*.toml"),
        );
    if let Err(error) = tauri_build::try_build(attributes) {
        stop_build(&format!("the application's context cannot be built: {error:#}"));
    }
}

fn stop_build(sentence: &str) -> ! {
    println!("cargo:warning={sentence}");
    eprintln!("error: {sentence}");
    exit(1)
}
