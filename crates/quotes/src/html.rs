//! HTML from outside: a few inline tags stay, everything else goes; and plain text made from it.

use std::sync::LazyLock;

use ammonia::Builder;

/// Tags that may stay, without any attribute. No links: where they point is not ours to vouch for.
const TAGS: [&str; 9] = ["b", "strong", "i", "em", "u", "sub", "sup", "br", "p"];

static INLINE: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder.tags(TAGS.into()).clean_content_tags(["script", "style"].into());
    builder
});

/// The HTML with nothing but a few inline tags.
pub fn sanitize_html(html: &str) -> String {
    INLINE.clean(html).to_string()
}

/// The text of the HTML: paragraphs apart by a blank line, breaks as line ends.
pub fn plain_text(html: &str) -> String {
    let clean = sanitize_html(html);
    let mut text = String::with_capacity(clean.len());
    let mut rest = clean.as_str();
    // What the sanitizer writes is well formed: a `<` always opens one of our tags.
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(&without_breaks(before));
        let (tag, after) = after.split_once('>').unwrap_or((after, ""));
        match tag.trim_end_matches(['/', ' ']) {
            "br" => text.push('\n'),
            "/p" => text.push_str("\n\n"),
            _ => {}
        }
        rest = after;
    }
    text.push_str(&without_breaks(rest));
    let text = unescape_entities(&text);
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// Plain text as HTML: paragraphs are separated by a blank line.
pub fn from_plain(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let paragraphs: Vec<&str> = escaped.split("\n\n").map(str::trim).filter(|p| !p.is_empty()).collect();
    match paragraphs.as_slice() {
        [one] => one.replace('\n', "<br>"),
        many => many.iter().map(|p| format!("<p>{}</p>", p.replace('\n', "<br>"))).collect(),
    }
}

/// A line end in HTML source is a blank.
fn without_breaks(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}

fn unescape_entities(text: &str) -> String {
    text.replace("&nbsp;", "\u{a0}")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_few_inline_tags_stay() {
        let cases = [
            ("plain", "plain"),
            ("<b>bold</b> & <i>it</i>", "<b>bold</b> &amp; <i>it</i>"),
            ("<script>alert(1)</script>x", "x"),
            ("<img src=x onerror=alert(1)>x", "x"),
            ("<p onclick=\"x()\" style=\"color:red\">a</p>", "<p>a</p>"),
            ("<a href=\"javascript:x\">link</a>", "link"),
            ("<svg><script>x</script></svg>y", "y"),
            ("<table><tr><td>cell</td></tr></table>", "cell"),
            ("1 < 2", "1 &lt; 2"),
        ];
        for (found, expected) in cases {
            assert_eq!(sanitize_html(found), expected, "{found}");
        }
    }

    #[test]
    fn text_keeps_breaks_and_loses_tags() {
        let cases = [
            ("a<br>b", "a\nb"),
            ("<p>one</p><p>two</p>", "one\n\ntwo"),
            ("This is &lt;insured&gt; &amp; Co.", "This is <insured> & Co."),
            ("&amp;lt;", "&lt;"),
            ("a\n b", "a  b"),
        ];
        for (found, expected) in cases {
            assert_eq!(plain_text(found), expected, "{found}");
        }
    }

    #[test]
    fn plain_text_survives_the_way_through_html() {
        for text in ["one line", "two\nlines", "one\n\ntwo & <three>"] {
            assert_eq!(plain_text(&from_plain(text)), text);
        }
    }
}
