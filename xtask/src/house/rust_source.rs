//! Reads Rust sources as far as the measures need it: code without comments and strings, the texts of the
//! strings, and what a file declares. No parser, because xtask has no dependency.

use std::collections::BTreeSet;

/// A source file of the product, without its `#[cfg(test)]` items.
pub struct RustSource {
    /// From the top of the repository.
    pub path: String,
    /// Folder of the crate's root module, such as `crates/tax/src`.
    pub root: String,
    /// Lines outside `#[cfg(test)]`, comments and blank lines included.
    pub lines: usize,
    /// Texts of the string literals, in order.
    pub strings: Vec<String>,
    tokens: Vec<String>,
}

/// An inherent `impl` block.
pub struct ImplBlock {
    /// Without its path and parameters.
    pub type_name: String,
    /// Functions in the block, with `self` or without.
    pub methods: usize,
}

impl RustSource {
    /// Reads a file.
    pub fn read(path: &str, text: &str) -> RustSource {
        let (code, strings) = without_test_items(text);
        let root = match path.find("/src/") {
            Some(at) => path[..at + 4].to_owned(),
            None => path.split('/').next().unwrap_or_default().to_owned(),
        };
        RustSource {
            path: path.to_owned(),
            root,
            lines: code.lines().count(),
            strings,
            tokens: tokens(&code),
        }
    }

    /// `desk` of `crates/desk/src/lib.rs`, `src-tauri` of `src-tauri/main.rs`.
    pub fn crate_name(&self) -> &str {
        self.root.trim_start_matches("crates/").trim_end_matches("/src")
    }

    fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", String::as_str)
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.token(at))
    }

    /// Names of the structs, enums and traits, and of the type aliases that others see.
    pub fn type_names(&self) -> impl Iterator<Item = &str> {
        let declares = |at: usize| match self.token(at) {
            "struct" | "enum" | "trait" => true,
            "type" => matches!(self.before(at), "pub" | ")"),
            _ => false,
        };
        (0..self.tokens.len())
            .filter(move |at| declares(*at))
            .map(|at| self.token(at + 1))
            .filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
    }

    /// Names of the functions, methods included.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        (0..self.tokens.len())
            .filter(|at| self.token(*at) == "fn")
            .map(|at| self.token(at + 1))
            .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_'))
    }

    /// Inherent `impl` blocks.
    pub fn impl_blocks(&self) -> Vec<ImplBlock> {
        (0..self.tokens.len())
            .filter(|at| self.token(*at) == "impl")
            .filter(|at| matches!(self.before(*at), "" | "}" | "{" | ";" | "]" | "unsafe"))
            .filter_map(|at| self.impl_block(at + 1))
            .collect()
    }

    fn impl_block(&self, mut at: usize) -> Option<ImplBlock> {
        let mut type_name = String::new();
        let (mut angles, mut is_bounds) = (0_usize, false);
        loop {
            match self.token(at) {
                "<" => angles += 1,
                ">" => angles = angles.saturating_sub(1),
                "{" => break,
                "" | ";" => return None,
                "for" if angles == 0 && self.token(at + 1) != "<" => return None,
                "where" if angles == 0 => is_bounds = true,
                name if angles == 0 && !is_bounds && name.starts_with(is_word) => type_name = name.to_owned(),
                _ => {}
            }
            at += 1;
        }
        let (mut depth, mut methods) = (0_usize, 0);
        loop {
            match self.token(at) {
                "{" => depth += 1,
                "}" if depth == 1 => return Some(ImplBlock { type_name, methods }),
                "}" => depth -= 1,
                "fn" if depth == 1 && self.token(at + 1) != "(" => methods += 1,
                "" => return None,
                _ => {}
            }
            at += 1;
        }
    }

    /// Paths into the own crate: what is imported, and what is named by `crate::` or `super::`.
    /// Re-exports (`pub use`) name what others may use and are not counted.
    pub fn own_paths(&self) -> BTreeSet<Vec<String>> {
        let mut paths = BTreeSet::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let is_root = matches!(self.token(at), "crate" | "super") && self.token(at + 1) == "::";
            if self.token(at) == "use" {
                let is_export = matches!(self.before(at), "pub" | ")");
                let mut found = BTreeSet::new();
                at = self.use_tree(at + 1, &[], &mut found);
                if !is_export {
                    paths.append(&mut found);
                }
            } else if is_root && !matches!(self.before(at), "::" | "$") {
                let mut path = vec![self.token(at).to_owned()];
                while self.token(at + 1) == "::" && self.token(at + 2).starts_with(is_word) {
                    path.push(self.token(at + 2).to_owned());
                    at += 2;
                }
                paths.insert(path);
            }
            at += 1;
        }
        paths
    }

    /// Reads `a::{b, c::d}` from a place; answers the place after it.
    fn use_tree(&self, mut at: usize, prefix: &[String], paths: &mut BTreeSet<Vec<String>>) -> usize {
        let mut path = prefix.to_vec();
        loop {
            match self.token(at) {
                "::" => at += 1,
                "as" => at += 2,
                "{" => {
                    at += 1;
                    while !matches!(self.token(at), "}" | "" | ";") {
                        at = self.use_tree(at, &path, paths);
                        if self.token(at) == "," {
                            at += 1;
                        }
                    }
                    return at + 1;
                }
                word if word.starts_with(is_word) || word == "*" => {
                    path.push(word.to_owned());
                    at += 1;
                }
                _ => {
                    paths.insert(path);
                    return at;
                }
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") || rest.starts_with("->") || rest.starts_with("=>") {
            2
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            tokens.push(rest[..length].to_owned());
        }
        rest = &rest[length..];
    }
    tokens
}

/// The code of what is not under `#[cfg(test)]`, and the strings in it.
fn without_test_items(text: &str) -> (String, Vec<String>) {
    let (code, strings) = split(text);
    let mut cut: Vec<(usize, usize)> = Vec::new();
    for mark in ["#[cfg(test)]", "#[cfg(all(test"] {
        for (start, _) in code.match_indices(mark) {
            cut.push((start, item_end(&code, start)));
        }
    }
    cut.sort_unstable();
    let (mut kept, mut from) = (String::new(), 0);
    for (start, end) in &cut {
        if *start >= from {
            kept.push_str(&code[from..*start]);
            from = if code[*end..].starts_with('\n') { end + 1 } else { *end };
        }
    }
    kept.push_str(&code[from..]);
    let is_product = |at: usize| !cut.iter().any(|(start, end)| (*start..*end).contains(&at));
    (kept, strings.into_iter().filter(|(at, _)| is_product(*at)).map(|(_, text)| text).collect())
}

/// Where the item ends that begins with an attribute: after its `;` or its closing brace.
fn item_end(code: &str, start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, c) in code[start..].char_indices() {
        match c {
            ';' if depth == 0 => return start + at + 1,
            '{' => depth += 1,
            '}' if depth <= 1 => return start + at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

/// The text with comments and literals blanked out, as long as before, and each string with its place.
fn split(text: &str) -> (String, Vec<(usize, String)>) {
    let bytes = text.as_bytes();
    let mut code = vec![b' '; bytes.len()];
    let mut strings = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            at + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            at + comment_length(rest)
        } else if let Some((open, close, length)) = string_length(rest)
            && (open == 1 || !at.checked_sub(1).is_some_and(|at| is_word(char::from(bytes[at]))))
        {
            strings.push((at, text[at + open..at + close].to_owned()));
            at + length
        } else if let Some(length) = character_length(rest) {
            at + length
        } else {
            code[at] = if bytes[at].is_ascii() { bytes[at] } else { b' ' };
            at + 1
        };
        for (place, byte) in code[at..end].iter_mut().zip(&bytes[at..end]) {
            if *byte == b'\n' {
                *place = b'\n';
            }
        }
        at = end;
    }
    (String::from_utf8_lossy(&code).into_owned(), strings)
}

fn comment_length(rest: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            (at, depth) = (at + 2, depth + 1);
        } else if rest[at..].starts_with(b"*/") {
            (at, depth) = (at + 2, depth - 1);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// Where the text of `"..."`, `r#"..."#`, `b"..."` begins and ends, and the length of the whole literal.
fn string_length(rest: &[u8]) -> Option<(usize, usize, usize)> {
    let prefix = rest.iter().take(2).take_while(|b| matches!(b, b'b' | b'r' | b'c')).count();
    let is_raw = rest[..prefix].contains(&b'r');
    let hashes = if is_raw { rest[prefix..].iter().take_while(|b| **b == b'#').count() } else { 0 };
    let open = prefix + hashes + 1;
    if rest.get(open - 1) != Some(&b'"') {
        return None;
    }
    let mut at = open;
    while at < rest.len() {
        match rest[at] {
            b'\\' if !is_raw => at += 2,
            b'"' if rest[at + 1..].iter().take(hashes).filter(|b| **b == b'#').count() == hashes => {
                return Some((open, at, at + 1 + hashes));
            }
            _ => at += 1,
        }
    }
    Some((open, rest.len(), rest.len()))
}

/// Length of a character literal; `None` for a lifetime.
fn character_length(rest: &[u8]) -> Option<usize> {
    if rest.first() != Some(&b'\'') {
        return None;
    }
    if rest.get(1) == Some(&b'\\') {
        return rest.iter().skip(3).position(|b| *b == b'\'').map(|at| at + 4);
    }
    let text = std::str::from_utf8(&rest[1..rest.len().min(6)]);
    let valid = text.unwrap_or_else(|e| std::str::from_utf8(&rest[1..=e.valid_up_to()]).unwrap_or_default());
    let first = valid.chars().next()?;
    (rest.get(1 + first.len_utf8()) == Some(&b'\'')).then_some(2 + first.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r##"
//! struct Commented
use std::fmt;
use crate::{alpha::Beta, gamma::{self, Delta as D}};
pub use super::shown::Shown;
pub(crate) type Alias = u8;
pub struct Real<'a>(&'a str, char);
impl<'a> Real<'a> {
    pub fn one(&self) -> impl Fn() { let _ = ('{', '\'', "impl Text { fn no() }"); || crate::free::call() }
    fn two(callback: fn() -> u8) { fn inner() {} }
}
impl<T: Clone> From<T> for Real<'_> where T: Copy { fn from(_: T) -> Self { sql(r#"SELECT "x""#) } }
impl Iterator for Real<'_> { type Item = u8; }
#[cfg(test)]
mod tests { struct Hidden; #[test] fn hidden() { "UPDATE x" } }
fn three_words_long() {}
"##;

    #[test]
    fn a_source_is_read() {
        let source = RustSource::read("crates/tax/src/a.rs", SAMPLE);
        assert_eq!((source.root.as_str(), source.crate_name()), ("crates/tax/src", "tax"));
        assert_eq!(source.type_names().collect::<Vec<_>>(), ["Alias", "Real"]);
        assert_eq!(
            source.function_names().collect::<Vec<_>>(),
            ["one", "two", "inner", "from", "three_words_long"]
        );
        let blocks: Vec<_> = source.impl_blocks().into_iter().map(|b| (b.type_name, b.methods)).collect();
        assert_eq!(blocks, [("Real".to_owned(), 2)]);
        assert_eq!(source.strings, ["impl Text { fn no() }", "SELECT \"x\""]);
        assert_eq!(source.lines, SAMPLE.lines().count() - 2);
        let paths: Vec<String> = source.own_paths().iter().map(|path| path.join("::")).collect();
        assert_eq!(
            paths,
            [
                "crate::alpha::Beta",
                "crate::free::call",
                "crate::gamma::Delta",
                "crate::gamma::self",
                "std::fmt"
            ]
        );
    }

    #[test]
    fn an_item_for_tests_alone_is_no_line_of_the_product() {
        let lines = |text| RustSource::read("src-tauri/a.rs", text).lines;
        assert_eq!(lines("fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n"), 1);
        assert_eq!(lines("fn a() {}\n#[cfg(test)]\nmod tests;\nfn b() {}\n"), 2);
    }
}
