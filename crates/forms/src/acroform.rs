//! An agency's own fillable PDF (AcroForm, ISO 32000-1 section 12.7), filled by a field map.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use lopdf::{DecompressError, Dictionary, Document, LoadOptions, Object, ObjectId, text_string};

use serde::{Deserialize, Serialize};

/// Bytes of an agency's PDF.
pub const PDF_BYTES_MAX: usize = 10 * 1024 * 1024;
/// Bytes one stream in it may become that the library unpacks: a list of objects, or of where they are.
const STREAM_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes all of its streams of objects may become together.
const OBJECT_STREAMS_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Fields it may have, and how deep they may be nested.
const FIELDS_MAX: usize = 10_000;
const DEPTH_MAX: usize = 32;

/// A field of a PDF and what goes into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PdfFieldValue {
    /// Full name of the field.
    pub field: String,
    /// The text.
    pub value: String,
    /// For a check box: the value that ticks it.
    pub when: Option<String>,
}

/// Why a PDF cannot be filled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum AcroFormError {
    /// Too large.
    #[error("the PDF is larger than {PDF_BYTES_MAX} bytes")]
    TooLarge,
    /// Damaged, hostile, or no PDF.
    #[error("the PDF cannot be read: {0}")]
    Unreadable(String),
    /// It is protected.
    #[error("the PDF is encrypted: save a copy of it without protection")]
    Encrypted,
    /// It has no fields.
    #[error("the PDF has no form fields to fill")]
    NoFields,
    /// The map names fields the PDF does not have.
    #[error("the PDF has no field {0}")]
    UnknownField(String),
    /// Reading it took more memory or time than a PDF of its size needs.
    #[error(
        "reading the PDF took more memory or time than a file of its size needs: save a copy of it from another program"
    )]
    ReaderEnded,
    /// The process that reads it was ended from outside, or no longer answered.
    #[error("the PDF was not read: the process that reads it was ended from outside. Try again")]
    ReaderStopped,
    /// The process that reads PDFs cannot be started.
    #[error(
        "the PDF was not read, because no process could be started for it ({0}): close other programs and try again"
    )]
    ReaderMissing(String),
}

/// A field of the PDF.
struct PdfField {
    id: ObjectId,
    kind: PdfFieldKind,
    /// The widgets whose look belongs to it.
    widgets: Vec<ObjectId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PdfFieldKind {
    Text,
    Button,
    Other,
}

/// The PDF with the values in its fields.
///
/// # Errors
/// [`AcroFormError`]. Also where the library panics: the bytes come from outside.
pub fn fill_own_pdf(bytes: &[u8], values: &[PdfFieldValue]) -> Result<Vec<u8>, AcroFormError> {
    if bytes.len() > PDF_BYTES_MAX {
        return Err(AcroFormError::TooLarge);
    }
    let filled = catch_unwind(AssertUnwindSafe(|| fill_document(bytes, values)));
    filled.unwrap_or_else(|_| Err(AcroFormError::Unreadable("it is damaged".into())))
}

fn unreadable_pdf(error: &lopdf::Error) -> AcroFormError {
    AcroFormError::Unreadable(error.to_string().chars().take(200).collect())
}

fn fill_document(bytes: &[u8], values: &[PdfFieldValue]) -> Result<Vec<u8>, AcroFormError> {
    let mut document = load_document(bytes)?;
    if document.is_encrypted() {
        return Err(AcroFormError::Encrypted);
    }
    let fields = collect_fields(&document)?;
    for put in values {
        let field = fields.get(&put.field).ok_or_else(|| AcroFormError::UnknownField(put.field.clone()))?;
        put_value(&mut document, field, put).map_err(|error| unreadable_pdf(&error))?;
    }
    ask_for_appearances(&mut document).map_err(|error| unreadable_pdf(&error))?;
    let mut out = Vec::new();
    document.save_to(&mut out).map_err(|error| AcroFormError::Unreadable(error.to_string()))?;
    Ok(out)
}

/// What a file says of where its objects are may be wrong: then they are looked for, as the library does it itself where
/// it has no filter.
fn load_document(bytes: &[u8]) -> Result<Document, AcroFormError> {
    let has_pages = |document: &Document| document.page_iter().next().is_some();
    let document = load_bounded(bytes, false)?;
    if has_pages(&document) || document.is_encrypted() {
        return Ok(document);
    }
    Ok(load_bounded(bytes, true).ok().filter(has_pages).unwrap_or(document))
}

fn load_bounded(bytes: &[u8], force_reconstruct: bool) -> Result<Document, AcroFormError> {
    OBJECT_BYTES_LEFT.set(Some(OBJECT_STREAMS_BYTES_MAX));
    let options = LoadOptions {
        max_decompressed_size: Some(STREAM_BYTES_MAX),
        filter: Some(count_object_stream),
        force_reconstruct,
        ..LoadOptions::default()
    };
    let loaded = Document::load_mem_with_options(bytes, options);
    if OBJECT_BYTES_LEFT.get().is_none() {
        let megabytes = OBJECT_STREAMS_BYTES_MAX >> 20;
        return Err(AcroFormError::Unreadable(format!("its objects unpack to more than {megabytes} MB")));
    }
    loaded.map_err(|error| unreadable_pdf(&error))
}

thread_local! {
    /// Bytes that streams of objects may still become in the document that this thread loads; `None` once there were
    /// more.
    static OBJECT_BYTES_LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Sees each object before the library unpacks it: it bounds each stream of objects, and not all together.
fn count_object_stream(id: ObjectId, object: &mut Object) -> Option<(ObjectId, Object)> {
    let Ok(stream) = object.as_stream() else { return Some((id, object.clone())) };
    if stream.dict.has_type(b"ObjStm") {
        let left = OBJECT_BYTES_LEFT.get()?;
        match stream.get_plain_content_with_limit(left) {
            Ok(content) => OBJECT_BYTES_LEFT.set(left.checked_sub(content.len())),
            Err(lopdf::Error::Decompress(DecompressError::MemoryLimitExceeded { .. })) => {
                OBJECT_BYTES_LEFT.set(None)
            }
            // Nor can the library read it.
            Err(_) => {}
        }
        OBJECT_BYTES_LEFT.get()?;
    }
    // A stream is within no other; of those outside, the library asks only whether it is to be read.
    Some((id, Object::Null))
}

/// The dictionary of the form, wherever it is.
fn form_dictionary(document: &Document) -> Result<&Dictionary, AcroFormError> {
    let catalog = document.catalog().map_err(|error| unreadable_pdf(&error))?;
    document.get_dict_in_dict(catalog, b"AcroForm").map_err(|_| AcroFormError::NoFields)
}

/// Every field that takes a value, by its full name.
fn collect_fields(document: &Document) -> Result<BTreeMap<String, PdfField>, AcroFormError> {
    let roots = form_dictionary(document)?.get(b"Fields").ok().and_then(|list| object_ids(document, list));
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<(ObjectId, String, PdfFieldKind, usize)> =
        roots.unwrap_or_default().into_iter().map(|id| (id, String::new(), PdfFieldKind::Other, 0)).collect();
    while let Some((id, above, kind, depth)) = waiting.pop() {
        if !seen.insert(id) || depth > DEPTH_MAX || seen.len() > FIELDS_MAX {
            continue;
        }
        let Ok(field) = document.get_dictionary(id) else { continue };
        let own = field.get(b"T").ok().and_then(|name| lopdf::decode_text_string(name).ok());
        let name = match own {
            Some(own) if above.is_empty() => own,
            Some(own) => format!("{above}.{own}"),
            None => above,
        };
        let kind = match field.get(b"FT").and_then(Object::as_name) {
            Ok(b"Tx" | b"Ch") => PdfFieldKind::Text,
            Ok(b"Btn") => PdfFieldKind::Button,
            _ => kind,
        };
        let kids = field.get(b"Kids").ok().and_then(|kids| object_ids(document, kids)).unwrap_or_default();
        let (named, widgets): (Vec<ObjectId>, Vec<ObjectId>) =
            kids.into_iter().partition(|kid| document.get_dictionary(*kid).is_ok_and(|kid| kid.has(b"T")));
        waiting.extend(named.iter().map(|kid| (*kid, name.clone(), kind, depth + 1)));
        if named.is_empty() && kind != PdfFieldKind::Other {
            let widgets = if widgets.is_empty() { vec![id] } else { widgets };
            found.insert(name, PdfField { id, kind, widgets });
        }
    }
    if found.is_empty() { Err(AcroFormError::NoFields) } else { Ok(found) }
}

fn object_ids(document: &Document, object: &Object) -> Option<Vec<ObjectId>> {
    let list = document.dereference(object).ok()?.1.as_array().ok()?;
    Some(list.iter().filter_map(|each| each.as_reference().ok()).take(FIELDS_MAX).collect())
}

fn put_value(document: &mut Document, field: &PdfField, put: &PdfFieldValue) -> lopdf::Result<()> {
    let value = put.value.as_str();
    let Some(when) = put.when.as_deref().filter(|_| field.kind == PdfFieldKind::Button) else {
        document.get_dictionary_mut(field.id)?.set("V", text_string(value));
        for widget in &field.widgets {
            // The old look would be shown in place of the new value.
            document.get_dictionary_mut(*widget)?.remove(b"AP");
        }
        return Ok(());
    };
    let ticked = value.eq_ignore_ascii_case(when);
    let mut chosen = b"Off".to_vec();
    for widget in &field.widgets {
        let state = if ticked { on_state(document, *widget) } else { b"Off".to_vec() };
        if state != b"Off" {
            chosen.clone_from(&state);
        }
        document.get_dictionary_mut(*widget)?.set("AS", Object::Name(state));
    }
    document.get_dictionary_mut(field.id)?.set("V", Object::Name(chosen));
    Ok(())
}

/// The name by which a check box is on: the one of its looks that is not `Off`.
fn on_state(document: &Document, widget: ObjectId) -> Vec<u8> {
    let named = || {
        let widget = document.get_dictionary(widget).ok()?;
        let looks = document.get_dict_in_dict(widget, b"AP").ok()?;
        let normal = document.get_dict_in_dict(looks, b"N").ok()?;
        normal.iter().map(|(name, _)| name.clone()).find(|name| name != b"Off")
    };
    named().unwrap_or_else(|| b"Yes".to_vec())
}

/// Viewers draw the values themselves; the other form language (XFA) would hide them.
fn ask_for_appearances(document: &mut Document) -> lopdf::Result<()> {
    let entry = document.catalog()?.get(b"AcroForm")?.clone();
    let set = |form: &mut Dictionary| {
        form.set("NeedAppearances", true);
        form.remove(b"XFA");
    };
    match entry {
        Object::Reference(id) => set(document.get_dictionary_mut(id)?),
        _ => set(document.catalog_mut()?.get_mut(b"AcroForm")?.as_dict_mut()?),
    }
    Ok(())
}
