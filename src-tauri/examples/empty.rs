//! An empty Tauri window with the same profile and content policy: what the window of Bordereau is
//! measured against (`cargo xtask bench`).

fn main() {
    tauri::Builder::default()
        .run(tauri::generate_context!("src-tauri/examples/empty/tauri.conf.json"))
        .expect("the empty window runs");
}
