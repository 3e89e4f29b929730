//! An agency's own fillable PDF.

use std::time::Instant;

use bordereau_forms::{FillError, FormBook, PDF_BYTES_MAX};
use lopdf::{Dictionary, Document, Object, ObjectId, StringFormat, dictionary};

use crate::{data, find_template};

const TEMPLATE: &str = r#"
state = "TX"
code = "DEF"
title = "The agency's own form"
prepares = "its PDF"
transactions = ["PN"]
checked = { level = "confirmed", text = "brought by the person" }
source = [{ title = "agency", url = "https://example.com/form" }]

[[section]]
block = "insured"

[own_pdf]
file = "own.pdf"
field = [
  { pdf = "form.insured", from = "insured_name" },
  { pdf = "form.carrier", from = "declinations/1/carrier" },
  { pdf = "form.fair", from = "not_lower_rate", when = "yes" },
  { pdf = "form.unfair", from = "not_lower_rate", when = "no" },
]
"#;

fn text(value: &str) -> Object {
    Object::String(value.as_bytes().to_vec(), StringFormat::Literal)
}

/// A page with two texts and two check boxes, nested below `form`.
fn agency_pdf() -> Vec<u8> {
    let mut document = Document::with_version("1.7");
    let pages = document.new_object_id();
    let parent = document.new_object_id();
    let mut field = |name: &str, more: Dictionary| {
        let mut field = dictionary! {
            "Type" => "Annot", "Subtype" => "Widget", "T" => text(name), "Parent" => parent,
            "Rect" => vec![50.into(), 700.into(), 300.into(), 720.into()],
        };
        field.extend(&more);
        document.add_object(field)
    };
    let old = dictionary! { "N" => dictionary! {} };
    let boxed = || {
        dictionary! {
            "FT" => "Btn", "AS" => "Off",
            "AP" => dictionary! { "N" => dictionary! { "Off" => dictionary! {}, "Agreed" => dictionary! {} } },
        }
    };
    let kids: Vec<ObjectId> = vec![
        field("insured", dictionary! { "FT" => "Tx", "AP" => old }),
        field("carrier", dictionary! { "FT" => "Tx" }),
        field("fair", boxed()),
        field("unfair", boxed()),
    ];
    let references: Vec<Object> = kids.into_iter().map(Object::Reference).collect();
    document.objects.insert(parent, dictionary! { "T" => text("form"), "Kids" => references.clone() }.into());
    let page = document.add_object(dictionary! {
        "Type" => "Page", "Parent" => pages, "Annots" => references,
        "MediaBox" => vec![0.into(), 0.into(), 612.into(), 792.into()],
    });
    let tree = dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 };
    document.objects.insert(pages, tree.into());
    let form = document.add_object(dictionary! { "Fields" => vec![parent.into()], "XFA" => text("x") });
    let catalog =
        document.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages, "AcroForm" => form });
    document.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

fn book() -> FormBook {
    let mut book = FormBook::builtin().clone();
    book.add("tx-own.toml", TEMPLATE).unwrap();
    book
}

#[test]
fn texts_and_check_boxes_are_filled() {
    let book = book();
    let template = find_template(&book, "tx-own").unwrap();
    let filled = template.fill_form(&data("TX"), "", Some(&agency_pdf())).unwrap();
    let document = Document::load_mem(&filled.pdf).unwrap();
    let named = |name: &str| {
        let with = |object: &&Object| {
            object.as_dict().is_ok_and(|field| field.get(b"T").is_ok_and(|t| *t == text(name)))
        };
        document.objects.values().find(with).unwrap().as_dict().unwrap().clone()
    };
    let value = |name: &str| lopdf::decode_text_string(named(name).get(b"V").unwrap()).unwrap();
    assert_eq!(value("insured"), "Café Zürich & Søn LLC");
    assert_eq!(value("carrier"), "Admitted Carrier 2");
    assert!(!named("insured").has(b"AP"), "the old look is gone");
    for (name, state) in [("fair", b"Agreed".as_slice()), ("unfair", b"Off")] {
        assert_eq!(named(name).get(b"V").unwrap().as_name().unwrap(), state);
        assert_eq!(named(name).get(b"AS").unwrap().as_name().unwrap(), state);
    }
    let form = document.get_dict_in_dict(document.catalog().unwrap(), b"AcroForm").unwrap();
    assert!(form.get(b"NeedAppearances").unwrap().as_bool().unwrap() && !form.has(b"XFA"));
}

#[test]
fn what_does_not_fit_is_said() {
    let book = book();
    let template = find_template(&book, "tx-own").unwrap();
    let why = |bytes: Option<&[u8]>| template.fill_form(&data("TX"), "", bytes).unwrap_err().to_string();
    assert_eq!(
        template.fill_form(&data("TX"), "", None).unwrap_err(),
        FillError::OwnPdfMissing("own.pdf".into())
    );
    let plain = find_template(FormBook::builtin(), "tx-def").unwrap().blank_form("").unwrap();
    assert!(why(Some(&plain)).contains("no form fields"));
    assert!(why(Some(&vec![0; PDF_BYTES_MAX + 1])).contains("larger than"));
    let mut other = FormBook::builtin().clone();
    other.add("tx-own.toml", &TEMPLATE.replace("form.fair", "form.fare")).unwrap();
    let unknown =
        find_template(&other, "tx-own").unwrap().fill_form(&data("TX"), "", Some(&agency_pdf())).unwrap_err();
    assert_eq!(unknown.to_string(), "the PDF has no field form.fare");
}

/// Cut anywhere, with bytes changed anywhere, and with fields that contain themselves: never a panic.
#[test]
fn a_hostile_pdf_is_an_error() {
    let (book, good, data) = (book(), agency_pdf(), data("TX"));
    let template = find_template(&book, "tx-own").unwrap();
    for garbage in [&b""[..], b"%PDF-", b"%PDF-1.7\n%%EOF", &[0xff; 5_000]] {
        assert!(template.fill_form(&data, "", Some(garbage)).is_err());
    }
    let began = Instant::now();
    for at in (0..good.len()).step_by(37) {
        let _ = template.fill_form(&data, "", good.get(..at));
        let mut changed = good.clone();
        for (byte, with) in [(at, b'<'), ((at * 7) % good.len(), b'9'), ((at * 3) % good.len(), 0)] {
            if let Some(byte) = changed.get_mut(byte) {
                *byte = with;
            }
        }
        let _ = template.fill_form(&data, "", Some(&changed));
    }
    assert!(began.elapsed().as_secs() < 60, "bounded");
    let mut ring = Document::load_mem(&good).unwrap();
    let parent = ring
        .objects
        .iter()
        .find(|(_, o)| o.as_dict().is_ok_and(|d| d.has(b"Kids") && d.has(b"T")))
        .unwrap()
        .0;
    let parent = *parent;
    ring.get_dictionary_mut(parent).unwrap().set("Kids", vec![parent.into()]);
    let mut bytes = Vec::new();
    ring.save_to(&mut bytes).unwrap();
    assert!(template.fill_form(&data, "", Some(&bytes)).unwrap_err().to_string().contains("no form fields"));
}

/// The agency's form with streams of objects that nothing asks for, each of them small enough.
fn pdf_with_object_streams(count: usize) -> Vec<u8> {
    let mut document = Document::load_mem(&agency_pdf()).unwrap();
    let members = format!("900000 0 [{}]", " ".repeat(1 << 20));
    // The library writes no streams of objects under their own name.
    let kind = dictionary! { "Type" => "ObjXxx", "N" => 1, "First" => 9 };
    let mut stream = lopdf::Stream::new(kind, members.into_bytes());
    stream.compress().unwrap();
    for _ in 0..count {
        document.add_object(stream.clone());
    }
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    while let Some(at) = bytes.windows(6).position(|part| part == b"ObjXxx") {
        bytes.get_mut(at..at + 6).unwrap().copy_from_slice(b"ObjStm");
    }
    bytes
}

/// Each is within the library's bound for one, and 40 of them are more than there is reason for.
#[test]
fn streams_of_objects_are_bounded_together() {
    let book = book();
    let template = find_template(&book, "tx-own").unwrap();
    let fill = |count| template.fill_form(&data("TX"), "", Some(&pdf_with_object_streams(count)));
    assert!(fill(3).is_ok());
    let refused = fill(40).unwrap_err().to_string();
    assert!(refused.contains("its objects unpack to more than 32 MB"), "{refused}");
}

/// Where a file says wrongly where its objects are, they are found all the same.
#[test]
fn a_pdf_whose_table_of_objects_is_wrong_is_filled() {
    let book = book();
    let template = find_template(&book, "tx-own").unwrap();
    let mut bytes = agency_pdf();
    let table = bytes.windows(5).rposition(|part| part == b"xref\n").unwrap();
    bytes.get_mut(table..table + 4).unwrap().copy_from_slice(b"xxxx");
    assert!(template.fill_form(&data("TX"), "", Some(&bytes)).is_ok());
}
