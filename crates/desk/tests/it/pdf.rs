//! The printed quote.

use bordereau_desk::api::*;
use bordereau_desk::{PdfContext, quote_pdf_bytes};

use crate::house::{House, question, texas};

fn pages(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    text.matches("/Type/Page/").count()
}

#[tokio::test]
async fn a_quote_is_printed_through_the_save_dialog() {
    let house = House::new().await;
    house
        .desk
        .settings_save(Settings { agency: "Example Agency".into(), ..Settings::default() })
        .await
        .unwrap();
    let answer = house.desk.quote_calculate(texas()).await.unwrap();
    let path = house.answer_dialog("Quote.pdf");
    let outcome = house.desk.quote_pdf(QuotePdfRequest { request: texas(), answer }).await.unwrap();
    let bytes = std::fs::read(path).unwrap();
    assert_eq!((outcome.saved, outcome.bytes as usize), (true, bytes.len()));
    assert!(bytes.starts_with(b"%PDF-") && bytes.ends_with(b"%%EOF"), "a whole PDF");
    assert!(pages(&bytes) >= 1 && bytes.len() < 400_000, "{} bytes", bytes.len());
    assert_eq!(*house.person.suggested.lock().unwrap(), ["Quote TX Example LLC 2026-02-23.pdf"]);
}

#[tokio::test]
async fn every_state_can_be_printed() {
    let house = House::offline();
    for state in house.desk.reference_data(Nothing {}).await.unwrap().states {
        let request = QuoteRequest {
            insured: "Ölmühle & Söhne 株式会社 \u{202e}x".into(),
            ..question(&state.code, "PN", &[("GEN-1001", "1000"), ("GEN-1002", "2000")])
        };
        let answer = house.desk.quote_estimate(request.clone()).await.unwrap();
        let bytes = quote_pdf_bytes(&request, &answer, &PdfContext::default()).unwrap();
        assert!(pages(&bytes) >= 1, "{}", state.code);
    }
}
