//! Serves the built UI, which the window embeds, as files to a browser.

use std::path::{Component, Path, PathBuf};

use axum::body::Body;
use axum::http::{Response, StatusCode, header};

/// The file for a request path, or the page itself for a path without an extension (the UI's own routes).
pub(crate) async fn serve_file(ui: Option<&Path>, request_path: &str) -> Response<Body> {
    let Some(path) = ui.and_then(|folder| locate_file(folder, request_path)) else {
        return plain_response(StatusCode::NOT_FOUND, "Not found.");
    };
    match tokio::fs::read(&path).await {
        Ok(bytes) => {
            let mut response = Response::new(Body::from(bytes));
            let kind = header::HeaderValue::from_static(content_type(&path));
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
            response
        }
        Err(_) => plain_response(StatusCode::NOT_FOUND, "Not found. Is the UI built? (cargo xtask ui)"),
    }
}

pub(crate) fn plain_response(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let kind = header::HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// `None` for anything but a plain path below the folder; the build uses no names with `%`.
fn locate_file(folder: &Path, request_path: &str) -> Option<PathBuf> {
    let relative = Path::new(request_path.trim_start_matches('/'));
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    if !plain || request_path.contains(['\\', '%', '\0', ':']) {
        return None;
    }
    let page = relative.extension().is_none();
    Some(if page { folder.join("index.html") } else { folder.join(relative) })
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|e| e.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_never_leaves_the_folder() {
        let cases = [
            ("/", Some("ui/index.html")),
            ("/quote", Some("ui/index.html")),
            ("/assets/index-1.js", Some("ui/assets/index-1.js")),
            ("/../secret.txt", None),
            ("/assets/../../secret.txt", None),
            ("/%2e%2e/secret.txt", None),
            ("/..\\secret.txt", None),
            ("//etc/passwd.txt", Some("ui/etc/passwd.txt")),
        ];
        for (path, expected) in cases {
            assert_eq!(locate_file(Path::new("ui"), path), expected.map(PathBuf::from), "{path}");
        }
    }
}
