//! What is opened with Bordereau on every system: "Open with" for spreadsheets, and mapping files, which are its own.
//!
//! The list is here once. The file of each system has its part of it between two marks, which `cargo xtask codegen` fills.

use crate::made_file::MadeFile;
use crate::repository;

/// Files of one kind.
struct OpenedKind {
    extension: &'static str,
    media_type: &'static str,
    /// What macOS calls them.
    uniform_type: &'static str,
}

const fn kind(extension: &'static str, media_type: &'static str, uniform_type: &'static str) -> OpenedKind {
    OpenedKind { extension, media_type, uniform_type }
}

/// What transactions come in. Another program goes on opening them by itself.
const SPREADSHEETS: &[OpenedKind] = &[
    kind("csv", "text/csv", "public.comma-separated-values-text"),
    kind("tsv", "text/tab-separated-values", "public.tab-separated-values-text"),
    kind(
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "org.openxmlformats.spreadsheetml.sheet",
    ),
    kind(
        "xlsm",
        "application/vnd.ms-excel.sheet.macroEnabled.12",
        "org.openxmlformats.spreadsheetml.sheet.macroenabled",
    ),
    kind(
        "xlsb",
        "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
        "com.microsoft.excel.sheet.binary.macroenabled",
    ),
    kind("xls", "application/vnd.ms-excel", "com.microsoft.excel.xls"),
    kind("ods", "application/vnd.oasis.opendocument.spreadsheet", "org.oasis-open.opendocument.spreadsheet"),
];

/// A mapping saved as a file for others.
const MAPPING: OpenedKind =
    kind("bordereau", "application/x-bordereau-mapping", "app.bordereau.desk.mapping");

const BEGIN: &str = "opened files: begin";
const END: &str = "opened files: end";

/// Where the list is, and how that system wants it.
struct ListPlace {
    path: &'static str,
    lines: fn() -> String,
}

const PLACES: &[ListPlace] = &[
    ListPlace { path: "src-tauri/Info.plist", lines: property_list },
    ListPlace { path: "packaging/linux/bordereau-desktop.desktop", lines: desktop_entry },
    ListPlace { path: "packaging/windows/bordereau.nsi", lines: installer_script },
    ListPlace { path: "packaging/windows/bordereau.wxs", lines: installer_fragment },
];

/// The files with their part of the list as it has to be.
pub fn made_files() -> Vec<MadeFile> {
    let file = |ListPlace { path, lines }: &ListPlace| {
        let text = std::fs::read_to_string(repository::repository_path(path)).unwrap_or_default();
        MadeFile { path, text: with_lines(&text.replace("\r\n", "\n"), &lines()) }
    };
    PLACES.iter().map(file).collect()
}

/// The text with these lines between the marks; without marks it stays as it is.
fn with_lines(text: &str, lines: &str) -> String {
    let after_begin = text.find(BEGIN).and_then(|at| Some(at + text[at..].find('\n')? + 1));
    let before_end = text.find(END).and_then(|at| Some(text[..at].rfind('\n')? + 1));
    match (after_begin, before_end) {
        (Some(from), Some(to)) if from <= to => format!("{}{lines}{}", &text[..from], &text[to..]),
        _ => text.to_owned(),
    }
}

fn document_type(name: &str, rank: &str, role: &str, types: &[OpenedKind]) -> String {
    let types: String =
        types.iter().map(|kind| format!("        <string>{}</string>\n", kind.uniform_type)).collect();
    format!(
        "    <dict>\n      <key>CFBundleTypeName</key>\n      <string>{name}</string>\n      \
         <key>CFBundleTypeRole</key>\n      <string>{role}</string>\n      \
         <key>LSHandlerRank</key>\n      <string>{rank}</string>\n      \
         <key>LSItemContentTypes</key>\n      <array>\n{types}      </array>\n    </dict>\n"
    )
}

fn property_list() -> String {
    format!(
        "  <key>CFBundleDocumentTypes</key>\n  <array>\n{}{}  </array>\n",
        document_type("Spreadsheet", "Alternate", "Viewer", SPREADSHEETS),
        document_type("Bordereau mapping", "Owner", "Editor", &[MAPPING]),
    )
}

fn desktop_entry() -> String {
    let types: String =
        SPREADSHEETS.iter().chain([&MAPPING]).map(|kind| format!("{};", kind.media_type)).collect();
    format!("MimeType={types}x-scheme-handler/bordereau;\n")
}

fn installer_script() -> String {
    let line = |kind: &OpenedKind| {
        format!(
            "  WriteRegStr SHCTX \"Software\\Classes\\Applications\\bordereau-desktop.exe\\SupportedTypes\" \".{}\" \"\"\n",
            kind.extension
        )
    };
    SPREADSHEETS.iter().map(line).collect()
}

fn installer_fragment() -> String {
    let line = |kind: &OpenedKind| {
        format!("            <RegistryValue Name=\".{}\" Type=\"string\" Value=\"\" />\n", kind.extension)
    };
    SPREADSHEETS.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str) -> String {
        let text = std::fs::read_to_string(repository::repository_path(path)).unwrap();
        text.replace("\r\n", "\n")
    }

    #[test]
    fn every_system_opens_the_files_of_the_list() {
        for ListPlace { path, lines } in PLACES {
            let text = read(path);
            assert!(text.contains(&lines()), "{path} is stale: cargo xtask codegen");
            assert!(text.contains("bordereau-desktop") || text.contains("CFBundleURLSchemes"), "{path}");
        }
    }

    #[test]
    fn mapping_files_are_known_by_the_same_name_everywhere() {
        let ending = format!(".{}", MAPPING.extension);
        for (path, text) in [
            ("packaging/linux/bordereau.xml", format!("type=\"{}\"", MAPPING.media_type)),
            ("packaging/linux/bordereau.xml", format!("pattern=\"*{ending}\"")),
            ("packaging/windows/bordereau.nsi", format!("Software\\Classes\\{ending}\"")),
            ("packaging/windows/bordereau.wxs", format!("Software\\Classes\\{ending}\"")),
            ("src-tauri/Info.plist", format!("<string>{}</string>", MAPPING.uniform_type)),
            ("src-tauri/Info.plist", format!("<string>{}</string>", MAPPING.extension)),
            ("crates/batches/src/mapping.rs", format!("\"{}\"", MAPPING.extension)),
        ] {
            assert!(read(path).contains(&text), "{path} lacks {text}");
        }
    }

    #[test]
    fn the_desk_reads_what_it_is_offered_for() {
        // The window asks the core for the same list.
        let endings = read("crates/spreadsheets/src/lib.rs");
        for OpenedKind { extension, .. } in SPREADSHEETS {
            assert!(endings.contains(&format!("\"{extension}\"")), "{extension}: TABLE_ENDINGS");
        }
    }

    #[test]
    fn links_are_registered_on_every_system() {
        for (path, text) in [
            ("src-tauri/Info.plist", "<string>bordereau</string>"),
            ("packaging/linux/bordereau-desktop.desktop", "x-scheme-handler/bordereau;"),
            ("packaging/windows/bordereau.nsi", "\"URL Protocol\""),
            ("packaging/windows/bordereau.wxs", "\"URL Protocol\""),
        ] {
            assert!(read(path).contains(text), "{path}");
        }
    }

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let text = "a\n# opened files: begin\nold\n# opened files: end\nb\n";
        let expected = "a\n# opened files: begin\nnew\n# opened files: end\nb\n";
        assert_eq!(with_lines(text, "new\n"), expected);
        assert_eq!(with_lines("a\n", "new\n"), "a\n");
    }
}
