//! A blank form as a small PDF (ISO 32000-1) with the standard fonts every reader has.

/// One page, letter size, in points.
const PAGE: (u32, u32) = (612, 792);
/// Characters that fit a line of the body text.
const LINE_CHARS: usize = 84;

/// The blank form of a state's document: its name and fields to fill in.
pub(crate) fn form_pdf(state: &str, code: &str, name: &str) -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 6 0 R \
             /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>",
            PAGE.0, PAGE.1
        ),
        font("Helvetica"),
        font("Helvetica-Bold"),
        stream(&page(state, code, name)),
        format!("<< /Title ({}) /Producer (Bordereau practice service) >>", literal(name)),
    ];
    let mut pdf = b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n".to_vec();
    let mut offsets = Vec::with_capacity(objects.len());
    for (at, object) in objects.iter().enumerate() {
        offsets.push(pdf.len());
        pdf.extend_from_slice(format!("{} 0 obj\n{object}\nendobj\n", at + 1).as_bytes());
    }
    let start = pdf.len();
    let mut tail = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in &offsets {
        tail.push_str(&format!("{offset:010} 00000 n \n"));
    }
    tail.push_str(&format!(
        "trailer\n<< /Size {} /Root 1 0 R /Info 7 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    ));
    pdf.extend_from_slice(tail.as_bytes());
    pdf
}

fn font(name: &str) -> String {
    format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")
}

fn stream(content: &str) -> String {
    format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len())
}

fn page(state: &str, code: &str, name: &str) -> String {
    let mut content = String::new();
    let mut y = 728;
    for line in wrapped(name, 44) {
        content.push_str(&text("F2", 20, 54, y, &line));
        y -= 26;
    }
    content.push_str(&text("F1", 11, 54, y, &format!("{state}   document code {code}")));
    y -= 34;
    for line in wrapped(
        "Blank form of the practice service. It stands in for the state's own form: practise with it, \
         do not file it.",
        LINE_CHARS,
    ) {
        content.push_str(&text("F1", 11, 54, y, &line));
        y -= 16;
    }
    y -= 24;
    let labels =
        ["Named insured", "Policy number", "Policy period", "Insurer(s)", "Producer", "Date", "Signature"];
    for label in labels {
        content.push_str(&text("F1", 11, 54, y, label));
        content.push_str(&format!("0.6 w 170 {} m 558 {} l S\n", y - 3, y - 3));
        y -= 36;
    }
    content
}

fn text(font: &str, points: u32, x: i32, y: i32, line: &str) -> String {
    format!("BT /{font} {points} Tf {x} {y} Td ({}) Tj ET\n", literal(line))
}

/// The inside of a literal string. Beyond ASCII it would need the font's encoding: a question mark will do.
fn literal(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '(' | ')' | '\\' => escaped.extend(['\\', c]),
            '\u{2018}' | '\u{2019}' => escaped.push('\''),
            '\u{2013}' | '\u{2014}' => escaped.push('-'),
            ' '..='~' => escaped.push(c),
            _ => escaped.push('?'),
        }
    }
    escaped
}

fn wrapped(words: &str, chars: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= chars => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
