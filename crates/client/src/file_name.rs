//! A file name for a download: what the service suggests, made safe for every system.

use bordereau_contract::changes_text_direction;

/// Longest name in characters, extension included; every file system in use takes it.
const NAME_MAX: usize = 120;
/// Names that Windows keeps for devices, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The name out of `Content-Disposition`, else the end of the path, else `document`.
pub(crate) fn file_name(disposition: Option<&str>, path: &str, content_type: &str) -> String {
    let suggested = disposition
        .and_then(suggested_name)
        .map(|name| safe_file_name(&name))
        .filter(|name| !name.is_empty());
    let name = suggested.unwrap_or_else(|| {
        let end = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
        let end = safe_file_name(&percent_decoded(end));
        if end.is_empty() { "document".to_owned() } else { end }
    });
    if content_type == "application/pdf" && !name.to_ascii_lowercase().ends_with(".pdf") {
        format!("{name}.pdf")
    } else {
        name
    }
}

/// `filename*=UTF-8''...` (RFC 5987) comes first, then `filename="..."`.
fn suggested_name(disposition: &str) -> Option<String> {
    let mut plain = None;
    for (name, value) in header_parameters(disposition) {
        match name.as_str() {
            "filename*" => {
                let mut parts = value.splitn(3, '\'');
                let charset = parts.next().unwrap_or_default();
                if charset.eq_ignore_ascii_case("utf-8")
                    && let Some(encoded) = parts.nth(1)
                {
                    return Some(percent_decoded(encoded));
                }
            }
            "filename" => plain = Some(value),
            _ => {}
        }
    }
    plain
}

/// The `name=value` pairs of a header; a quoted value may hold semicolons and escaped quotes.
fn header_parameters(header: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut pair = String::new();
    let (mut quoted, mut escaped) = (false, false);
    for c in header.chars().chain(std::iter::once(';')) {
        match c {
            _ if escaped => {
                pair.push(c);
                escaped = false;
            }
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ';' if !quoted => {
                if let Some((name, value)) = pair.split_once('=') {
                    pairs.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
                }
                pair.clear();
            }
            _ => pair.push(c),
        }
    }
    pairs
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let pair = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let value =
            pair.and_then(|p| std::str::from_utf8(p).ok()).and_then(|p| u8::from_str_radix(p, 16).ok());
        decoded.push(value.unwrap_or(bytes[at]));
        at += if value.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// A file name as it can be shown, sent and written on every system: no folders, no characters that a system forbids
/// or that change the direction of writing, no device. Empty where nothing remains.
pub fn safe_file_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = name
        .chars()
        .filter(|c| !c.is_control() && !changes_text_direction(*c))
        .map(|c| if matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*') { '_' } else { c })
        .collect();
    let name = shorten_name(kept.trim_matches(|c: char| c == '.' || c.is_whitespace()));
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let numbered = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let device = DEVICES.contains(&stem.as_str())
        || numbered.is_some_and(|digit| digit.chars().count() == 1 && digit != "0");
    if device { format!("_{name}") } else { name }
}

/// At most [`NAME_MAX`] characters, the extension kept.
fn shorten_name(name: &str) -> String {
    let length = name.chars().count();
    if length <= NAME_MAX {
        return name.to_owned();
    }
    let extension = name.rsplit_once('.').map_or("", |(_, e)| e);
    if extension.is_empty() || extension.chars().count() > 10 {
        return name.chars().take(NAME_MAX).collect();
    }
    let stem: String = name.chars().take(NAME_MAX - extension.chars().count() - 1).collect();
    format!("{}.{extension}", stem.trim_end_matches(['.', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        for (disposition, path, kind, expected) in [
            (Some(r#"attachment; filename="SL-1 form.pdf""#), "/x", "application/pdf", "SL-1 form.pdf"),
            (Some("attachment; filename=plain.pdf"), "/x", "", "plain.pdf"),
            (Some("attachment; filename=a.pdf; filename*=UTF-8''%C3%A9t%C3%A9.pdf"), "/x", "", "été.pdf"),
            (Some("attachment; filename*=latin1''x.pdf; filename=b.pdf"), "/x", "", "b.pdf"),
            (Some(r#"attachment; filename="a;b\"c.pdf""#), "/x", "", "a;b_c.pdf"),
            (Some(r#"attachment; filename="../../etc/passwd""#), "/x", "", "passwd"),
            (Some(r#"attachment; filename="C:\\temp\\evil.exe""#), "/x", "", "evil.exe"),
            (Some("attachment; filename=\"a\u{202e}fdp.exe\""), "/x", "", "afdp.exe"),
            (Some("attachment; filename=\"a\u{61c}fdp.exe\""), "/x", "", "afdp.exe"),
            (Some("attachment; filename=\"..\""), "/docs/form%20D1.pdf", "", "form D1.pdf"),
            (Some("attachment; filename=con.txt"), "/x", "", "_con.txt"),
            (Some("attachment; filename=LPT1"), "/x", "", "_LPT1"),
            (Some("attachment; filename=company.pdf"), "/x", "", "company.pdf"),
            (Some("attachment; filename=\" .a. \""), "/x", "", "a"),
            (None, "/transaction/document/1/2/download", "application/pdf", "download.pdf"),
            (None, "/", "", "document"),
            (None, "/a%2f..%2fb", "", "b"),
            (None, "/%zz%4", "", "%zz%4"),
        ] {
            assert_eq!(file_name(disposition, path, kind), expected, "{disposition:?} {path}");
        }
        let long = format!("attachment; filename={}.pdf", "x".repeat(500));
        let name = file_name(Some(&long), "/", "");
        assert!(name.chars().count() == NAME_MAX && name.ends_with(".pdf"), "{name}");
    }
}
