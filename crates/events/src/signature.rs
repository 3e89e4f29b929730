//! Verifies that a delivery comes from the service: the HMAC of its body and the agreed header.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use bordereau_api::{DeliveryProofKind, EventSignature, Profile, SignatureForm};
use bordereau_contract::SIGNATURE_HEADER;
use ring::hmac;

use bordereau_session::secrets::SecretText;

/// What a delivery must prove. Secrets stay in memory only while the receiver listens.
pub(super) struct DeliveryProofs {
    /// `None` where the service doesn't sign: then only the header pair is checked.
    key: Option<hmac::Key>,
    header: Option<(String, SecretText)>,
    form: SignatureForm,
    prefix: String,
    signature_header: String,
}

impl DeliveryProofs {
    /// For a webhook with this secret, and this header unless its name is empty; signed as the profile says.
    pub(super) fn new(
        profile: &Profile,
        secret: &str,
        header_name: &str,
        header_value: SecretText,
    ) -> DeliveryProofs {
        let header = (!header_name.is_empty()).then(|| (header_name.to_ascii_lowercase(), header_value));
        let is_signed = profile.delivery_proof == DeliveryProofKind::Signature;
        let named = profile.signature_header.trim();
        let signature_header = if named.is_empty() { SIGNATURE_HEADER } else { named }.to_ascii_lowercase();
        DeliveryProofs {
            key: is_signed.then(|| hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes())),
            header,
            form: profile.signature_form,
            prefix: profile.signature_prefix.clone(),
            signature_header,
        }
    }

    /// What an accepted delivery was verified by.
    pub(super) fn kind(&self) -> EventSignature {
        if self.key.is_some() { EventSignature::Valid } else { EventSignature::HeaderPair }
    }

    /// Checks only the headers, before any of the body is read; the returned proof then checks the body piece by
    /// piece. The reason for a refusal is for the person; the sender doesn't learn it.
    pub(super) fn check_headers<'h>(
        &self,
        header: impl Fn(&str) -> Option<&'h [u8]>,
    ) -> Result<BodyProof, &'static str> {
        if let Some((name, expected)) = &self.header {
            let shown = header(name).ok_or("The agreed header is missing.")?;
            if !is_same(expected.as_bytes(), shown) {
                return Err("The agreed header has another value.");
            }
        }
        let Some(key) = &self.key else {
            let is_agreed = self.header.as_ref().is_some_and(|(_, value)| !value.is_empty());
            return if is_agreed {
                Ok(BodyProof(None))
            } else {
                Err("No header is set, and the service does not sign its deliveries.")
            };
        };
        let shown = header(&self.signature_header).ok_or("The delivery isn't signed.")?;
        let tag =
            self.read_signature(shown).ok_or("The signature has another form than the profile says.")?;
        Ok(BodyProof(Some((hmac::Context::with_key(key), tag))))
    }

    /// Hex in either case, or base64 with either alphabet, padded or not. A prefix in the profile is required;
    /// without one, `sha256=` is allowed, as usual elsewhere.
    fn read_signature(&self, shown: &[u8]) -> Option<[u8; 32]> {
        let text = std::str::from_utf8(shown).ok()?.trim();
        let text = match self.prefix.as_str() {
            "" => text.strip_prefix("sha256=").unwrap_or(text),
            prefix => text.strip_prefix(prefix)?.trim_start(),
        };
        match (self.form, text.len() == 64) {
            (SignatureForm::Hex, false) | (SignatureForm::Base64, true) => return None,
            (_, true) => return from_hex(text),
            (_, false) => {}
        }
        let engines = [&STANDARD, &STANDARD_NO_PAD, &URL_SAFE, &URL_SAFE_NO_PAD];
        engines.iter().find_map(|engine| engine.decode(text).ok()?.try_into().ok())
    }
}

/// The proof of a body that is still being read; `None` where the service doesn't sign.
#[derive(Clone)]
pub(super) struct BodyProof(Option<(hmac::Context, [u8; 32])>);

impl BodyProof {
    pub(super) fn add_piece(&mut self, piece: &[u8]) {
        if let Some((context, _)) = &mut self.0 {
            context.update(piece);
        }
    }

    /// Whether the pieces together are what was signed.
    pub(super) fn check_body(self) -> Result<(), &'static str> {
        // Takes the same time wherever the first difference is.
        let Some((context, tag)) = self.0 else { return Ok(()) };
        if is_same(context.sign().as_ref(), &tag) {
            Ok(())
        } else {
            Err("The signature doesn't match: another secret, or the body was changed in transit.")
        }
    }
}

/// Compares two secrets by their HMACs: the time reveals neither the position of a difference nor a length.
pub(super) fn is_same(expected: &[u8], shown: &[u8]) -> bool {
    const ANY: &[u8] = b"compared";
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, expected), ANY);
    hmac::verify(&hmac::Key::new(hmac::HMAC_SHA256, shown), ANY, tag.as_ref()).is_ok()
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0u8; 32];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let digits =
            std::str::from_utf8(pair).ok().filter(|pair| pair.bytes().all(|b| b.is_ascii_hexdigit()))?;
        *byte = u8::from_str_radix(digits, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = br#"{"event":"webhook.transaction.status.filed"}"#;

    fn signed(encode: impl Fn(&[u8]) -> String) -> String {
        encode(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, b"secret of 20 letters"), BODY).as_ref())
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The whole check, with the body in two pieces.
    fn check_delivery<'h>(
        proofs: &DeliveryProofs,
        header: impl Fn(&str) -> Option<&'h [u8]>,
        body: &[u8],
    ) -> Result<(), &'static str> {
        let mut proof = proofs.check_headers(header)?;
        let (start, rest) = body.split_at(body.len() / 2);
        proof.add_piece(start);
        proof.add_piece(rest);
        proof.check_body()
    }

    #[test]
    fn every_form_of_a_signature_and_every_way_to_be_wrong() {
        let right = signed(hex);
        let mut flipped = right.clone().into_bytes();
        flipped[63] = if flipped[63] == b'0' { b'1' } else { b'0' };
        let flipped = String::from_utf8(flipped).unwrap();
        let cases: Vec<(&str, Option<String>, &[u8], bool)> = vec![
            ("hex", Some(right.clone()), BODY, true),
            ("hex, upper case", Some(right.to_uppercase()), BODY, true),
            ("hex with spaces around", Some(format!(" {right} ")), BODY, true),
            ("hex with its name", Some(format!("sha256={right}")), BODY, true),
            ("base64", Some(signed(|b| STANDARD.encode(b))), BODY, true),
            ("base64, no padding", Some(signed(|b| STANDARD_NO_PAD.encode(b))), BODY, true),
            ("base64 for addresses", Some(signed(|b| URL_SAFE.encode(b))), BODY, true),
            ("none", None, BODY, false),
            ("empty", Some(String::new()), BODY, false),
            ("one digit off", Some(flipped), BODY, false),
            ("cut", Some(right[..62].to_owned()), BODY, false),
            ("longer", Some(format!("{right}00")), BODY, false),
            ("not hex", Some("+".repeat(64)), BODY, false),
            ("of another body", Some(right.clone()), b"{}", false),
            ("of the body with a line end", Some(right), b"{\"event\":\"x\"}\n", false),
        ];
        let proofs =
            DeliveryProofs::new(&Profile::default(), "secret of 20 letters", "", SecretText::default());
        for (name, shown, body, fits) in cases {
            let header = |_: &str| shown.as_deref().map(str::as_bytes);
            assert_eq!(check_delivery(&proofs, header, body).is_ok(), fits, "{name}");
        }
    }

    #[test]
    fn the_header_pair_counts_as_well() {
        let proofs = proofs_of(Profile::default(), "X-Desk");
        let signature = signed(hex);
        for (shown, fits) in
            [(Some("open sesame"), true), (Some("open sesam"), false), (Some(""), false), (None, false)]
        {
            let header = |name: &str| match name {
                "x-desk" => shown.map(str::as_bytes),
                _ => Some(signature.as_bytes()),
            };
            assert_eq!(check_delivery(&proofs, header, BODY).is_ok(), fits, "{shown:?}");
        }
    }

    fn proofs_of(profile: Profile, header: &str) -> DeliveryProofs {
        DeliveryProofs::new(&profile, "secret of 20 letters", header, SecretText::new("open sesame".into()))
    }

    #[test]
    fn a_signature_is_read_as_the_profile_says() {
        use SignatureForm::{Any, Base64, Hex};
        let base64 = |bytes: &[u8]| STANDARD.encode(bytes);
        let cases = [
            ("", Any, "", "x-hmac-signature", signed(hex), true),
            ("X-Signature", Any, "", "x-signature", signed(base64), true),
            ("X-Signature", Any, "", "x-hmac-signature", signed(hex), false),
            ("X-Hub", Hex, "sha256=", "x-hub", format!("sha256={}", signed(hex)), true),
            ("X-Hub", Hex, "sha256=", "x-hub", signed(hex), false),
            ("X-Hub", Hex, "", "x-hub", signed(base64), false),
            ("X-Hub", Base64, "", "x-hub", signed(base64), true),
            ("X-Hub", Base64, "", "x-hub", signed(hex), false),
            ("X-Hub", Base64, "v1,", "x-hub", format!("v1,{}", signed(base64)), true),
        ];
        for (signature_header, signature_form, prefix, sent, value, fits) in cases {
            let profile = Profile {
                signature_header: signature_header.to_owned(),
                signature_form,
                signature_prefix: prefix.to_owned(),
                ..Profile::default()
            };
            let proofs = proofs_of(profile, "");
            let shown = |name: &str| (name == sent).then_some(value.as_bytes());
            assert_eq!(
                check_delivery(&proofs, shown, BODY).is_ok(),
                fits,
                "{signature_header} {prefix} {value}"
            );
        }
    }

    #[test]
    fn a_header_pair_alone_counts_only_where_the_profile_says_so() {
        let profile = Profile { delivery_proof: DeliveryProofKind::HeaderPair, ..Profile::default() };
        let pair = proofs_of(profile.clone(), "X-Desk");
        assert_eq!(pair.kind(), EventSignature::HeaderPair);
        for (value, fits) in [(Some("open sesame"), true), (Some("open"), false), (None, false)] {
            let shown = |name: &str| value.filter(|_| name == "x-desk").map(str::as_bytes);
            assert_eq!(check_delivery(&pair, shown, BODY).is_ok(), fits, "{value:?}");
            // A service that signs must sign.
            assert!(check_delivery(&proofs_of(Profile::default(), "X-Desk"), shown, BODY).is_err());
        }
        let nothing = DeliveryProofs::new(&profile, "", "", SecretText::default());
        assert!(check_delivery(&nothing, |_| Some(b"x".as_slice()), BODY).is_err());
    }
}
