//! Text out of HTML, for error pages of servers and proxies: one line, no markup, nothing to execute.

/// More of a page than this is never looked at, in bytes.
const PAGE_MAX: usize = 64 * 1024;

/// The text of a page, or the text itself where there is no markup: blanks joined, control characters
/// removed, content of `script` and `style` dropped.
pub(crate) fn plain_text(page: &str) -> String {
    let page = truncate_bytes(page, PAGE_MAX);
    if !looks_like_markup(page) {
        return one_line(page);
    }
    let mut text = String::with_capacity(page.len() / 2);
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        text.push(' ');
        rest = after_tag(&rest[at..]);
    }
    text.push_str(rest);
    without_title(one_line(&decode_entities(&text)))
}

/// A page that begins with its title says it once.
fn without_title(text: String) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let repeated = |count: &usize| words[..*count] == words[*count..*count * 2];
    match (2..=words.len() / 2).rev().find(repeated) {
        Some(count) => words[count..].join(" "),
        None => text,
    }
}

fn looks_like_markup(page: &str) -> bool {
    page.match_indices('<')
        .any(|(at, _)| page[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!'))
}

/// What follows the tag (with the content, for elements whose content is not text) at the start.
fn after_tag(rest: &str) -> &str {
    if rest.starts_with("<!--") {
        return rest.find("-->").map_or("", |end| &rest[end + 3..]);
    }
    for element in ["script", "style"] {
        let opens = rest.get(1..=element.len()).is_some_and(|name| name.eq_ignore_ascii_case(element));
        if opens {
            let closes = |at: usize| {
                rest.get(at + 2..at + 2 + element.len())
                    .is_some_and(|name| name.eq_ignore_ascii_case(element))
            };
            let end = rest.match_indices("</").map(|(at, _)| at).find(|at| closes(*at));
            let Some(end) = end else { return "" };
            return rest[end..].find('>').map_or("", |close| &rest[end + close + 1..]);
        }
    }
    rest.find('>').map_or("", |end| &rest[end + 1..])
}

fn decode_entities(text: &str) -> String {
    [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain))
}

fn one_line(text: &str) -> String {
    let blank = |c: char| c.is_whitespace() || c.is_control();
    text.split(blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn truncate_bytes(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_become_a_line() {
        for (page, expected) in [
            ("plain", "plain"),
            ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
            ("<p>One<br/>two</p>", "One two"),
            ("<SCRIPT>var a = '<b>';</SCRIPT >after", "after"),
            ("<script>never closed", ""),
            ("<!-- hidden --><b>shown</b>", "shown"),
            ("<b", ""),
            ("<title>413 Too Large</title><h1>413 Too Large</h1><hr>nginx", "413 Too Large nginx"),
            ("<b>no</b> no <i>answer</i>", "no no answer"),
            ("a &lt;b&gt; <i>c</i>", "a <b> c"),
            ("é<é><b>ü", "é ü"),
        ] {
            assert_eq!(plain_text(page), expected, "{page}");
        }
    }

    #[test]
    fn many_scripts_do_not_take_forever() {
        let page = "<script></script>".repeat(10_000);
        assert_eq!(plain_text(&page), "");
    }
}
