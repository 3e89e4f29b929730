//! The printed quote.

use bordereau_desk::api::*;
use bordereau_desk::{PdfContext, quote_pdf_bytes};

use crate::test_desk::{TestDesk, question, texas};

fn pages(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    text.matches("/Type/Page/").count()
}

#[tokio::test]
async fn a_quote_is_printed_through_the_save_dialog() {
    let test = TestDesk::new().await;
    test.desk
        .settings_save(Settings { agency: "Example Agency".into(), ..Settings::default() })
        .await
        .unwrap();
    let answer = test.desk.quote_calculate(texas()).await.unwrap();
    let path = test.answer_dialog("Quote.pdf");
    let printed = QuotePdfRequest { request: texas(), answer };
    let outcome = test.desk.quote_pdf(printed.clone()).await.unwrap();
    let bytes = std::fs::read(path).unwrap();
    assert_eq!((outcome.saved, outcome.bytes as usize), (true, bytes.len()));
    assert!(bytes.starts_with(b"%PDF-") && bytes.ends_with(b"%%EOF"), "a whole PDF");
    assert!(pages(&bytes) >= 1 && bytes.len() < 400_000, "{} bytes", bytes.len());
    assert_eq!(*test.person.suggested.lock().unwrap(), ["Quote TX Example LLC 2026-02-23.pdf"]);

    // Where no mail program opens, the saved sheet is named, and it is no defect.
    let path = test.answer_dialog("Mail.pdf");
    let refused = test.desk.quote_email(printed).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::NoProgram);
    assert!(refused.message.contains("Mail.pdf") && path.exists(), "{refused:?}");
}

#[tokio::test]
async fn every_state_can_be_printed() {
    let test = TestDesk::offline();
    for state in test.desk.reference_data(Nothing {}).await.unwrap().states {
        let request = QuoteRequest {
            insured: "Ölmühle & Söhne 株式会社 \u{202e}x".into(),
            ..question(&state.code, "PN", &[("GEN-1001", "1000"), ("GEN-1002", "2000")])
        };
        let answer = test.desk.quote_estimate(request.clone()).await.unwrap();
        let bytes = quote_pdf_bytes(&request, &answer, &PdfContext::default()).unwrap();
        assert!(pages(&bytes) >= 1, "{}", state.code);
    }
}

#[tokio::test]
async fn the_clients_sheet_says_what_the_agency_set_up() {
    let test = TestDesk::offline();
    let settings = Settings {
        agency: "Harbor Surplus Lines".into(),
        agency_address: "12 Pier Road\nGalveston, TX 77550".into(),
        agency_license: "1234567".into(),
        ..Settings::default()
    };
    test.desk.settings_save(settings).await.unwrap();
    let sheet = SheetDetails {
        carrier: "Example Specialty Insurance Company".into(),
        quote_number: "Q-77".into(),
        policy_expires: "2/23/2027".into(),
        valid_until: "2026-03-25".into(),
        subject_to: "Signed application\nLoss runs".into(),
        minimum_earned: "25%".into(),
        ..SheetDetails::default()
    };
    let request = QuoteRequest { sheet, ..texas() };
    let answer = test.desk.quote_estimate(request.clone()).await.unwrap();
    let asked = QuotePdfRequest { request, answer };
    let texts = async || {
        let pages = test.desk.quote_sheet_show(asked.clone()).await.unwrap().pages;
        pages.into_iter().flat_map(|page| page.marks).filter_map(|mark| mark.text).collect::<Vec<_>>()
    };
    let shown = texts().await;
    for expected in [
        "Harbor Surplus Lines",
        "Galveston, TX 77550",
        "License 1234567",
        "Example Specialty Insurance Company",
        "Feb 23, 2026 to Feb 23, 2027",
        "Mar 25, 2026",
        "25%",
        "• Loss runs",
    ] {
        assert!(shown.iter().any(|text| text == expected), "{expected}: {shown:?}");
    }
    assert!(shown.iter().any(|text| text.starts_with('$')), "amounts have their sign");
    // Sources, rates found elsewhere and what the office keeps are not the client's.
    for unexpected in ["confirmed 20", "keep on hand", "pt black", "half up"] {
        assert!(!shown.iter().any(|text| text.contains(unexpected)), "{unexpected}: {shown:?}");
    }
    // An agency's own template takes the place of the built-in one.
    let own = "title = \"For {insured}\"\n[[section]]\nshow = \"amounts\"\ntitle = \"What it costs\"\n\
               [[section]]\nshow = \"text\"\ntext = \"Payable in 20 days.\"\n\
               [[section]]\nshow = \"explanations\"\ntitle = \"How each number came\"";
    let template = |text: &str| SheetTemplateDraft { text: text.into(), ..Default::default() };
    let save = async |draft: SheetTemplateDraft| {
        let name = STANDARD_TEMPLATE.to_owned();
        let list =
            test.desk.sheet_template_save(SheetTemplateSave { previous: name.clone(), name, draft }).await;
        list.map(|list| list.templates[0].clone())
    };
    assert!(!save(template(own)).await.unwrap().built_in);
    let shown = texts().await;
    assert!(shown.contains(&"What it costs".to_owned()) && shown.contains(&"Payable in 20 days.".to_owned()));
    assert!(shown.contains(&"How each number came".to_owned()));
    let wrong = save(template("[[section]]\nshow = \"logo\"")).await.unwrap_err();
    assert_eq!(wrong.details[0].pointer, "/text");
    assert!(save(template("")).await.unwrap().built_in);
    // From its sections it is made as from its TOML, and looked at before it is saved.
    let sections = test.desk.sheet_template_show(template(own)).await.unwrap().template;
    let draft = SheetTemplateDraft { template: Some(sections), ..Default::default() };
    let seen = test.desk.sheet_template_show(draft.clone()).await.unwrap();
    let mut marks = seen.pages.into_iter().flat_map(|page| page.marks).filter_map(|mark| mark.text);
    assert!(marks.any(|text| text == "For Example LLC"), "the sheet of a made-up quote");
    let list = test.desk.sheet_template_list(Nothing {}).await.unwrap();
    assert!(list.templates[0].built_in, "nothing is stored yet");
    assert_eq!(save(draft).await.unwrap().text, seen.text);
    assert!(texts().await.contains(&"What it costs".to_owned()));
}

/// Each template has a name: the one that was chosen last is used again, or the one that the quote names.
#[tokio::test]
async fn a_sheet_is_made_with_the_template_that_is_chosen() {
    let test = TestDesk::offline();
    let draft = |title: &str| SheetTemplateDraft {
        text: format!("title = \"{title}\"\nsection = []"),
        ..SheetTemplateDraft::default()
    };
    let save = async |previous: &str, name: &str, title: &str| {
        let (name, previous) = (name.to_owned(), previous.to_owned());
        test.desk.sheet_template_save(SheetTemplateSave { name, previous, draft: draft(title) }).await
    };
    let title = async |template: &str| {
        let sheet = SheetDetails { template: template.into(), ..SheetDetails::default() };
        let request = QuoteRequest { sheet, ..texas() };
        let answer = test.desk.quote_estimate(request.clone()).await.unwrap();
        let pages = test.desk.quote_sheet_show(QuotePdfRequest { request, answer }).await?.pages;
        let texts = pages.into_iter().flat_map(|page| page.marks).filter_map(|mark| mark.text);
        Ok::<_, BoundaryError>(texts.filter(|text| text.ends_with(" sheet")).collect::<Vec<_>>().join("|"))
    };
    save("Standard", "Standard", "Old sheet").await.unwrap();
    assert_eq!(title("").await.unwrap(), "Old sheet");
    save("", "Renewals", "Renewal sheet").await.unwrap();
    let names =
        |list: &SheetTemplateList| list.templates.iter().map(|each| each.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&save("", "Large", "Large sheet").await.unwrap()), ["Standard", "Large", "Renewals"]);
    assert_eq!(title("renewals").await.unwrap(), "Renewal sheet");
    assert_eq!(title("").await.unwrap(), "Old sheet", "none was chosen yet");
    let settings = test.desk.settings_load(Nothing {}).await.unwrap();
    let chosen = Settings { sheet_template: "Renewals".into(), ..settings };
    test.desk.settings_save(chosen).await.unwrap();
    assert_eq!(title("").await.unwrap(), "Renewal sheet", "the one that was chosen last");
    // Its new name is the one that was chosen last.
    assert_eq!(save("Renewals", "Annual", "Annual sheet").await.unwrap().chosen, "Annual");
    assert_eq!(title("").await.unwrap(), "Annual sheet");
    let gone = title("Renewals").await.unwrap_err();
    assert_eq!(gone.details[0].pointer, "/sheet/template");
    assert!(gone.details[0].message.contains("Standard, Annual, Large"), "{gone:?}");
    let annual = SheetTemplateName { name: "Annual".into() };
    assert_eq!(test.desk.sheet_template_delete(annual.clone()).await.unwrap().chosen, "Standard");
    assert_eq!(test.desk.sheet_template_delete(annual).await.unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(title("").await.unwrap(), "Old sheet");
    for (previous, name) in
        [("", "large"), ("", " "), ("Standard", "Ours"), ("", "standard"), ("", &"x".repeat(61))]
    {
        let refused = save(previous, name, "Any sheet").await.unwrap_err();
        assert_eq!(refused.details[0].pointer, "/name", "{previous} {name}");
    }
}

#[tokio::test]
async fn the_made_up_quote_has_something_in_every_section_of_the_built_in_template() {
    let test = TestDesk::offline();
    let text = test.desk.sheet_template_list(Nothing {}).await.unwrap().templates.remove(0).text;
    let shown =
        test.desk.sheet_template_show(SheetTemplateDraft { text, ..Default::default() }).await.unwrap();
    let texts: Vec<_> =
        shown.pages.into_iter().flat_map(|page| page.marks).filter_map(|mark| mark.text).collect();
    for section in shown.template.section {
        assert!(section.title.is_empty() || texts.contains(&section.title), "{}: {texts:?}", section.title);
    }
}

/// Kentucky's city and county tax depends on the place: a total without it says so.
#[tokio::test]
async fn a_total_that_lacks_a_tax_says_so_on_the_sheet() {
    let test = TestDesk::offline();
    for (municipality, expected) in [("", true), ("Louisville", false)] {
        let request = QuoteRequest { state: "KY".into(), municipality: municipality.into(), ..texas() };
        let answer = test.desk.quote_estimate(request.clone()).await.unwrap();
        assert_eq!(
            answer.missing_amounts.is_empty(),
            !expected,
            "{municipality}: {:?}",
            answer.missing_amounts
        );
        let pages = test.desk.quote_sheet_show(QuotePdfRequest { request, answer }).await.unwrap().pages;
        let mut texts = pages.into_iter().flat_map(|page| page.marks).filter_map(|mark| mark.text);
        assert_eq!(
            texts.any(|text| text.starts_with("Not included in the total: ")),
            expected,
            "{municipality}"
        );
    }
}
