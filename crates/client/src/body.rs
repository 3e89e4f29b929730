//! Answers: read up to a limit, decoded with the name of the field at fault.

use std::borrow::Cow;

use bordereau_contract::{ReadAnswer, ReadFaultKind, has_entries, read_answer, read_in_spite};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use hyper::body::Bytes;
use reqwest::Response;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use serde::de::{DeserializeOwned, IgnoredAny};
use tokio::sync::mpsc::Sender;

use crate::documents::is_about_document;
use crate::markup::plain_text;
use crate::refusal::{ServiceRefusal, shorten_text};
use crate::transport::ServiceAnswer;
use crate::transport_error::is_cut;
use crate::unread_answer::UnreadAnswer;
use crate::{ClientError, OperationEffect};

/// Why a body was not read.
pub(crate) enum BodyTrouble {
    /// Larger than allowed.
    TooLarge,
    /// The connection failed.
    Transport(reqwest::Error),
}

/// Reads a body of at most `max` bytes; what a service announces to be larger is not even begun.
pub(crate) async fn read_bounded(mut response: Response, max: u64) -> Result<Vec<u8>, BodyTrouble> {
    let announced = response.content_length().unwrap_or(0);
    if announced > max {
        return Err(BodyTrouble::TooLarge);
    }
    let mut body = Vec::with_capacity(usize::try_from(announced).unwrap_or(0).min(1024 * 1024));
    // A body of no announced length ends with its connection.
    let ends_with_connection =
        [CONTENT_LENGTH, TRANSFER_ENCODING].iter().all(|name| !response.headers().contains_key(name));
    loop {
        let piece = match response.chunk().await {
            Ok(Some(piece)) => piece,
            Ok(None) => break,
            Err(error) if ends_with_connection && is_cut(&error) && is_whole_json(&body) => break,
            Err(error) => return Err(BodyTrouble::Transport(error)),
        };
        if (body.len() + piece.len()) as u64 > max {
            return Err(BodyTrouble::TooLarge);
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// Whether nothing can be missing: JSON of any kind but a number, which could have had more digits. Services that end a
/// connection without TLS's word for it leave nothing else to tell by.
fn is_whole_json(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    !matches!(body, [b'-' | b'0'..=b'9', ..]) && serde_json::from_slice::<IgnoredAny>(body).is_ok()
}

/// Passes a document of at most `max` bytes on, piece by piece. Where nobody takes the pieces any more, the rest is
/// left. Words about the document are not passed on, but returned.
pub(crate) async fn forward_bounded(
    mut response: Response,
    max: u64,
    pieces: &Sender<Bytes>,
) -> Result<Vec<u8>, BodyTrouble> {
    if response.content_length().unwrap_or(0) > max {
        return Err(BodyTrouble::TooLarge);
    }
    let (mut passed, mut words) = (0, None);
    while let Some(piece) = response.chunk().await.map_err(BodyTrouble::Transport)? {
        passed += piece.len() as u64;
        if passed > max {
            return Err(BodyTrouble::TooLarge);
        }
        let about = words.get_or_insert_with(|| is_about_document(response.headers(), &piece).then(Vec::new));
        match about {
            Some(words) => words.extend_from_slice(&piece),
            None if pieces.send(piece).await.is_err() => break,
            None => {}
        }
    }
    Ok(words.flatten().unwrap_or_default())
}

/// Reads the beginning of an error body: whatever came before the limit or a cut is worth showing.
pub(crate) async fn read_beginning(mut response: Response, max: usize) -> Vec<u8> {
    let mut body = Vec::new();
    while body.len() < max {
        let Ok(Some(piece)) = response.chunk().await else { break };
        body.extend_from_slice(&piece[..piece.len().min(max - body.len())]);
    }
    body
}

/// Reads a JSON answer with the one reader of [`bordereau_contract::read_answer`]. The content type is not asked
/// for: the bytes say it better, and providers differ in what they write there.
pub(crate) fn decode_json<T: DeserializeOwned>(answer: &ServiceAnswer) -> Result<ReadAnswer<T>, ClientError> {
    let unreadable = |path: String, detail: String| ClientError::Unreadable {
        status: answer.status.as_u16(),
        path,
        detail: shorten_text(&detail),
        answer: Box::new(UnreadAnswer::of(answer, Vec::new())),
    };
    let text = utf8_text(answer);
    let body = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text).trim_ascii();
    if body.is_empty() {
        return Err(unreadable(String::new(), "it is empty".to_owned()));
    }
    if body[0] == b'<' {
        let page = plain_text(&String::from_utf8_lossy(body));
        return Err(unreadable(String::new(), format!("it is a web page: {page}")));
    }
    read_answer(body).or_else(|fault| {
        let said = || ServiceRefusal::read(answer.status, &answer.headers, body, &answer.secrets);
        let error = match fault.kind {
            // A read has what was asked for, such as results of which some failed, or its reason.
            ReadFaultKind::Contradiction | ReadFaultKind::Refusal
                if answer.effect == OperationEffect::Read =>
            {
                let read = has_entries(body).then(|| read_in_spite(body)).flatten();
                return read.ok_or_else(|| said().into_error());
            }
            // A write may have been carried out.
            ReadFaultKind::Contradiction => unreadable(
                fault.path,
                format!("it says that it failed and gives a number; the service says: {}", said().text),
            ),
            ReadFaultKind::Refusal => said().into_error(),
            // A read that is answered with a sentence has no record; whether a write was carried out, a sentence
            // alone does not say.
            ReadFaultKind::Sentence if answer.effect == OperationEffect::Read => said().into_error(),
            ReadFaultKind::Sentence => {
                let says = match said().whole_text() {
                    text if text.is_empty() => text,
                    text => format!("; the service says: {text}"),
                };
                unreadable(fault.path, format!("{}{says}", fault.detail))
            }
            ReadFaultKind::Garbled => unreadable(fault.path, fault.detail),
        };
        Err(error)
    })
}

/// The text of an answer in UTF-8. What its header calls it counts only where its bytes are something else: many
/// services call UTF-8 by another name.
fn utf8_text(answer: &ServiceAnswer) -> Cow<'_, [u8]> {
    let body = answer.body.as_slice();
    let kind = answer.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let label = kind.split(';').find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
    });
    let named = label.and_then(|label| Encoding::for_label(label.as_bytes()));
    let marked = Encoding::for_bom(body).map(|(encoding, _)| encoding);
    // JSON begins with an ASCII character: a zero beside it is its other half.
    let unmarked = match body {
        [0, second, ..] if *second != 0 => Some(UTF_16BE),
        [first, 0, third, ..] if *first != 0 && *third != 0 => Some(UTF_16LE),
        _ => None,
    };
    let wide = marked.or(unmarked).or(named).filter(|encoding| [UTF_16LE, UTF_16BE].contains(encoding));
    match (wide, std::str::from_utf8(body)) {
        (None, Ok(_)) => Cow::Borrowed(body),
        (wide, _) => {
            let encoding = wide.or(named.filter(|named| *named != UTF_8)).unwrap_or(WINDOWS_1252);
            Cow::Owned(encoding.decode(body).0.into_owned().into_bytes())
        }
    }
}

#[cfg(test)]
mod tests {
    use bordereau_contract::CalculateResponse;
    use reqwest::StatusCode;
    use reqwest::header::HeaderMap;

    use super::*;

    const GOOD: &str = r#"{"transaction_type":"PN","physical_state":"TX","premium":1,"agency_fee":0,"inspection_fee":0,
        "sl_tax":4.85,"stamping_fee":0.04,"sl_service_charge":0,"fm_tax":0,"empa_tax":0,"collection_fee":0,
        "tax_rule":{"sl_tax_amount":4.85,"state_notes":[{"bold":true}]},
        "municipal_tax_settings":{"municipal_tax_setting":{"municipality_name":"Louisville"}}}"#;

    fn decoded(body: &str) -> Result<CalculateResponse, ClientError> {
        decoded_as("", body.as_bytes())
    }

    fn decoded_as(kind: &str, body: &[u8]) -> Result<CalculateResponse, ClientError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, kind.parse().expect("a header"));
        let answer = ServiceAnswer {
            status: StatusCode::OK,
            headers,
            body: body.to_vec(),
            url: "https://filing.example/".parse().expect("an address"),
            operation: "calculate",
            effect: OperationEffect::Read,
            is_secret: false,
            secrets: Vec::new(),
        };
        decode_json(&answer).map(|read| read.value)
    }

    #[test]
    fn the_field_at_fault_is_named() {
        decoded(GOOD).expect("the sample is good");
        for (from, to, path) in [
            (r#""sl_tax":4.85"#, r#""sl_tax":"four""#, "sl_tax"),
            (r#""sl_tax":4.85"#, r#""sl_tax":[]"#, "sl_tax"),
            (r#""sl_tax":4.85"#, r#""sl_tax":1e99"#, "sl_tax"),
        ] {
            match decoded(&GOOD.replace(from, to)) {
                Err(ClientError::Unreadable { path: found, detail, .. }) => {
                    assert_eq!(found, path, "{to}: {detail}");
                }
                other => panic!("{to}: {other:?}"),
            }
        }
    }

    /// A rate of the rule that comes along is no money of the quote.
    #[test]
    fn an_odd_rate_costs_the_rate_alone() {
        for (rate, expected) in
            [(r#""4.85%""#, Some("4.85")), (r#""4.85 %""#, Some("4.85")), ("[]", None), (r#""four""#, None)]
        {
            let body = GOOD.replace(r#""sl_tax_amount":4.85"#, &format!(r#""sl_tax_amount":{rate}"#));
            let read = read_answer::<CalculateResponse>(body.as_bytes())
                .unwrap_or_else(|fault| panic!("{rate}: {fault}"));
            let amount = read.value.tax_rule.sl_tax_amount.map(|rate| rate.to_string());
            assert_eq!(amount.as_deref(), expected, "{rate}");
            let lost: Vec<&str> = read.losses.iter().map(|loss| loss.path.as_str()).collect();
            let is_lost = if expected.is_none() { vec!["tax_rule.sl_tax_amount"] } else { vec![] };
            assert_eq!(lost, is_lost, "{rate}");
        }
    }

    #[test]
    fn what_is_not_json_says_so() {
        for (body, part) in [
            ("", "it is empty"),
            ("  \n", "it is empty"),
            ("<html><body>Sign in</body></html>", "it is a web page: Sign in"),
            (r#"{"premium":"#, "it ends in the middle"),
            ("[]", "an object is expected"),
            ("{} {}", "it is not JSON"),
        ] {
            let said = decoded(body).expect_err(body).to_string();
            assert!(said.contains(part), "{body}: {said}");
        }
        let trailing = format!("{GOOD} and more");
        assert!(decoded(&trailing).is_err());
        assert!(decoded(&format!("\u{feff}{GOOD}")).is_ok());
        assert!(decoded(&"[".repeat(1_000_000)).is_err());
    }

    /// Halves of characters are no blanks: a number read with blanks in it would be another one.
    #[test]
    fn zeros_in_a_text_are_not_passed_over() {
        let halves: Vec<u8> = GOOD.bytes().flat_map(|byte| [byte, 0, 0, 0]).collect();
        for body in [halves, GOOD.replace("4.85", "4.\u{0}85").into_bytes()] {
            let said = decoded_as("application/json", &body).expect_err("no JSON").to_string();
            assert!(said.contains("it is not JSON"), "{said}");
        }
    }

    #[test]
    fn a_text_in_another_encoding_is_read() {
        let accented = GOOD.replace("Louisville", "Cañon");
        let narrow: Vec<u8> =
            accented.chars().map(|c| u8::try_from(u32::from(c)).expect("one byte")).collect();
        let wide: Vec<u8> = accented.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let marked: Vec<u8> = [0xff, 0xfe].into_iter().chain(wide.clone()).collect();
        let big_endian: Vec<u8> = accented.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let ended = [accented.as_bytes(), b"\0"].concat();
        for (kind, body) in [
            ("application/json; charset=ISO-8859-1", narrow.as_slice()),
            ("application/json", &narrow),
            ("application/json; charset=utf-8", &narrow),
            ("application/json; charset=\"UTF-16LE\"", &wide),
            ("application/json", &marked),
            ("application/json", &wide),
            ("application/json; charset=utf-8", &big_endian),
            ("application/json", &ended),
            // UTF-8 under another name.
            ("application/json; charset=windows-1252", accented.as_bytes()),
        ] {
            let read = decoded_as(kind, body).unwrap_or_else(|error| panic!("{kind}: {error}"));
            let whole = serde_json::to_string(&read).expect("serializes");
            assert!(whole.contains("Cañon"), "{kind}: {whole}");
        }
    }

    #[test]
    fn an_answer_is_whole_where_nothing_can_be_missing() {
        for (body, is_whole) in [
            ("{}", true),
            (" [1]\r\n", true),
            ("\u{feff}{\"a\": 1}", true),
            // Many services say so that there is no such transaction.
            ("null", true),
            ("\"Not found\"", true),
            ("nul", false),
            ("\"Not fou", false),
            ("{\"a\": 1", false),
            ("12", false),
            ("", false),
        ] {
            assert_eq!(is_whole_json(body.as_bytes()), is_whole, "{body}");
        }
    }
}
