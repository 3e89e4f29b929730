//! What a start of the program is given to open: files ("Open with"), and links into Bordereau.
//!
//! Files go the way of dropped ones, links to the page. Both wait until the page listens; a second start hands its own
//! over to the first.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use serde::Serialize;
use tauri::{AppHandle, Manager, Runtime, State, Url};

use crate::drops;

/// A link was followed: `{ kind, id }`.
pub(crate) const LINK: &str = "bordereau://link";

/// Longer than any id of a service or of the desk.
const ID_CHARS_MAX: usize = 100;

/// What a link shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    /// A transaction of the profile in use.
    Transaction,
    /// A batch of the data folder.
    Batch,
    /// A saved or recent quote of the data folder.
    Quote,
}

/// `bordereau://transaction/1042`: it shows something and does nothing, because any page of the web may hold one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeskLink {
    /// What it shows.
    pub kind: LinkKind,
    /// Which one.
    pub id: String,
}

impl DeskLink {
    fn parse(text: &str) -> Option<DeskLink> {
        let url = Url::parse(text).ok().filter(|url| url.scheme() == "bordereau")?;
        let kind = match url.host_str()? {
            "transaction" => LinkKind::Transaction,
            "batch" => LinkKind::Batch,
            "quote" => LinkKind::Quote,
            _ => return None,
        };
        let id = url.path().trim_matches('/');
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let fits = (1..=ID_CHARS_MAX).contains(&id.len()) && id.chars().all(is_plain);
        let nothing_more = url.query().is_none() && url.fragment().is_none();
        (fits && nothing_more).then(|| DeskLink { kind, id: id.to_owned() })
    }
}

/// Files and links that a start was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenRequest {
    /// Absolute paths.
    pub files: Vec<PathBuf>,
    /// Links, of which the last is what the window shows in the end.
    pub links: Vec<DeskLink>,
}

impl OpenRequest {
    /// Adds a path, an address of a file or a link; `false` when it is none of them. A path is of the folder.
    pub(crate) fn add_argument(&mut self, argument: &OsStr, folder: &Path) -> bool {
        let text = argument.to_str().unwrap_or_default();
        if text.starts_with("bordereau:") {
            let link = DeskLink::parse(text);
            let is_link = link.is_some();
            self.links.extend(link);
            return is_link;
        }
        // Desktops and the Finder give files as addresses.
        if text.starts_with("file:") {
            let file = Url::parse(text).ok().and_then(|url| url.to_file_path().ok());
            let is_file = file.is_some();
            self.files.extend(file);
            return is_file;
        }
        self.files.push(folder.join(argument));
        !argument.is_empty()
    }

    fn append(&mut self, other: OpenRequest) {
        self.files.extend(other.files);
        self.links.extend(other.links);
    }
}

/// What waits for the page.
#[derive(Default)]
pub(crate) struct PendingOpens(Mutex<PendingState>);

#[derive(Default)]
struct PendingState {
    is_page_listening: bool,
    waiting: OpenRequest,
}

/// Opens what was given, as soon as the page listens.
pub(crate) fn open_requested<R: Runtime>(app: &AppHandle<R>, request: OpenRequest) {
    let pending: State<'_, PendingOpens> = app.state();
    pending.0.lock().waiting.append(request);
    open_waiting(app);
}

/// The page listens from now on.
pub(crate) fn page_listens<R: Runtime>(app: &AppHandle<R>) {
    let pending: State<'_, PendingOpens> = app.state();
    pending.0.lock().is_page_listening = true;
    open_waiting(app);
}

fn open_waiting<R: Runtime>(app: &AppHandle<R>) {
    let pending: State<'_, PendingOpens> = app.state();
    let OpenRequest { files, links } = {
        let mut pending = pending.0.lock();
        if !pending.is_page_listening {
            return;
        }
        std::mem::take(&mut pending.waiting)
    };
    if !files.is_empty() {
        drops::hand_over(app.clone(), files);
    }
    if let Some(link) = links.last() {
        drops::emit_event(app, LINK, serde_json::json!(link));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_shows_one_thing_and_nothing_else_is_a_link() {
        let link = |kind, id: &str| Some(DeskLink { kind, id: id.to_owned() });
        for (text, expected) in [
            ("bordereau://transaction/1042", link(LinkKind::Transaction, "1042")),
            ("bordereau://transaction/1042/", link(LinkKind::Transaction, "1042")),
            ("bordereau://batch/01J-x_9", link(LinkKind::Batch, "01J-x_9")),
            ("bordereau://quote/q1", link(LinkKind::Quote, "q1")),
            ("bordereau://send/1", None),
            ("bordereau://batch/", None),
            ("bordereau://batch/1/2", None),
            ("bordereau://batch/1?send=true", None),
            ("bordereau://batch/1#x", None),
            ("bordereau://batch/%2e%2e", None),
            ("bordereau:batch/1", None),
            ("https://transaction/1042", None),
        ] {
            assert_eq!(DeskLink::parse(text), expected, "{text}");
        }
        assert_eq!(DeskLink::parse(&format!("bordereau://batch/{}", "1".repeat(101))), None);
    }

    #[test]
    #[cfg(unix)]
    fn files_are_taken_by_path_and_by_address() {
        let mut request = OpenRequest::default();
        for (argument, is_understood) in [
            ("rows.csv", true),
            ("/d/week 1.xlsx", true),
            ("file:///d/week%202.xlsx", true),
            ("file://other-host/d/rows.csv", false),
            ("bordereau://nothing/1", false),
            ("", false),
        ] {
            let mut one = OpenRequest::default();
            assert_eq!(one.add_argument(argument.as_ref(), Path::new("/here")), is_understood, "{argument}");
            if is_understood {
                request.append(one);
            }
        }
        let expected = ["/here/rows.csv", "/d/week 1.xlsx", "/d/week 2.xlsx"].map(PathBuf::from);
        assert_eq!(request, OpenRequest { files: expected.into(), links: Vec::new() });
    }
}
