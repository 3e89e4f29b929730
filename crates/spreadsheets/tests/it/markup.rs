//! Tables of web pages and XML spreadsheets, which systems name .xls.

use bordereau_spreadsheets::{
    BundledFile, CellKind, ImportRefusal, ImportSource, NoteKind, ReadOptions, SourceFormat, bundle_files,
    limits, read,
};

fn opened(text: &str) -> ImportSource {
    read("export.xls", text.into(), &ReadOptions::default()).unwrap()
}

fn row(source: &ImportSource, row: usize) -> Vec<&str> {
    (0..source.table.width()).map(|column| source.table.text_at(row, column)).collect()
}

const PAGE: &str = "\u{feff}<html xmlns:x=\"urn:schemas-microsoft-com:office:excel\"><head><title>Policies</title>
<style>td { mso-number-format:'\\@'; } /* <table> */</style><script>var t = '<table><tr><td>no</td></tr></table>';</script>
</head><body><table><tr><td>Agency &amp; Co</td></tr></table>
<!-- <table><tr><td>commented</td></tr></table> -->
<TABLE border=1><caption>All policies</caption><thead><tr><th>Policy No<th>Insured<TH>Premium</thead>
<tr><td>=\"00123\"</td><td>Caf&eacute;&nbsp;Zo&#235;
  LLC</td><td align=right>1,250.50</td>
<tr><td>00124<td>A &lt;b&gt; <b>bold</b><br>second line<td>
<tr><td colspan=2>Total<td>1,250.50
</table></body></html>";

#[test]
fn a_web_page_gives_its_tables_as_sheets() {
    let source = opened(PAGE);
    assert_eq!(source.format, SourceFormat::Workbook);
    let names: Vec<&str> = source.sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    assert_eq!(names, ["Table 1", "All policies"]);
    assert_eq!(source.sheet.as_deref(), Some("All policies"), "the one with names of fields");
    assert_eq!(row(&source, 0), ["Policy No", "Insured", "Premium"]);
    assert_eq!(row(&source, 1), ["00123", "Café Zoë LLC", "1,250.50"]);
    assert_eq!(row(&source, 2), ["00124", "A <b> bold\nsecond line", ""]);
    assert_eq!(row(&source, 3), ["Total", "", "1,250.50"]);
    let options = ReadOptions { sheet: Some("Table 1".into()), ..ReadOptions::default() };
    let other = read("export.xls", PAGE.into(), &options).unwrap();
    assert_eq!(other.table.text_at(0, 0), "Agency & Co");
}

#[test]
fn a_cell_over_several_rows_leaves_room_below_it() {
    let source = opened(
        "<table><tr><td rowspan=3>a<td>b<td rowspan=2>c<tr><td>d<tr><td>e<td>f<tr><td>g</table><p>end",
    );
    let rows: Vec<String> = (0..4).map(|at| row(&source, at).join("|")).collect();
    assert_eq!(rows, ["a|b|c", "|d|", "|e|f", "g||"]);
}

#[test]
fn tables_within_tables_are_tables_of_their_own() {
    let source = opened(
        "<table><tr><td>layout<table><tr><th>Policy No<th>Premium<tr><td>1<td>5</table>more</td></tr></table>",
    );
    assert_eq!((source.sheets.len(), source.sheet.as_deref()), (2, Some("Table 2")));
    assert_eq!(row(&source, 1), ["1", "5"]);
}

const WORKBOOK: &str = "<?xml version=\"1.0\" encoding=\"windows-1252\"?>
<?mso-application progid=\"Excel.Sheet\"?>
<Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\" xmlns:ss=\"urn:schemas-microsoft-com:office:spreadsheet\">
 <Styles><Style ss:ID=\"s1\"><NumberFormat ss:Format=\"00000\"/></Style></Styles>
 <Worksheet ss:Name=\"Notes &amp; more\"><Table><Row><Cell><Data ss:Type=\"String\">Read me</Data></Cell></Row></Table></Worksheet>
 <Worksheet ss:Name=\"Policies\"><Table>
  <Row><Cell><Data ss:Type=\"String\">Policy No</Data></Cell><Cell><Data ss:Type=\"String\">Zip</Data></Cell>
   <Cell><Data ss:Type=\"String\">Effective Date</Data></Cell><Cell><Data ss:Type=\"String\">Premium</Data></Cell></Row>
  <Row ss:Index=\"3\"><Cell><Data ss:Type=\"String\">Caf\u{e9} &#49;</Data></Cell>
   <Cell ss:StyleID=\"s1\"><Data ss:Type=\"Number\">501</Data></Cell>
   <Cell><Data ss:Type=\"DateTime\">2026-02-23T00:00:00.000</Data></Cell>
   <Cell><Data ss:Type=\"Number\">1250.5</Data></Cell></Row>
  <Row><Cell ss:Index=\"3\"><ss:Data ss:Type=\"String\" xmlns=\"http://www.w3.org/TR/REC-html40\"><B>bo</B>ld</ss:Data></Cell>
   <Cell ss:Formula=\"=R[-1]C*2\"><Comment><ss:Data>a note</ss:Data></Comment></Cell><Cell><Data ss:Type=\"Error\">#REF!</Data></Cell></Row>
 </Table><WorksheetOptions xmlns=\"urn:schemas-microsoft-com:office:excel\"><Selected/></WorksheetOptions></Worksheet>
 <Worksheet ss:Name=\"Old\"><Table/><WorksheetOptions xmlns=\"urn:schemas-microsoft-com:office:excel\"><Visible>SheetHidden</Visible></WorksheetOptions></Worksheet>
</Workbook>";

#[test]
fn an_xml_spreadsheet_is_read_with_its_kinds_and_formats() {
    let bytes: Vec<u8> = WORKBOOK.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let source = read("export.xls", bytes, &ReadOptions::default()).unwrap();
    let sheets: Vec<(&str, bool)> = source.sheets.iter().map(|s| (s.name.as_str(), s.hidden)).collect();
    assert_eq!(sheets, [("Notes & more", false), ("Policies", false), ("Old", true)]);
    assert_eq!(source.sheet.as_deref(), Some("Policies"));
    assert_eq!(row(&source, 2), ["Café 1", "00501", "2026-02-23", "1250.5", ""]);
    let kinds: Vec<CellKind> = (2..4).map(|column| source.table.cell(2, column).kind).collect();
    assert_eq!(kinds, [CellKind::Date, CellKind::Number]);
    assert_eq!(source.table.line(2), 3, "as the file counts it");
    assert_eq!(row(&source, 3), ["", "", "bold", "=…", "#REF!"]);
    assert_eq!(source.table.cell(3, 3).kind, CellKind::Error, "a formula without a result is not nothing");
    let cut = WORKBOOK.find("</Table><WorksheetOptions").unwrap();
    let refused = read("export.xls", WORKBOOK[..cut].into(), &ReadOptions::default()).unwrap_err();
    assert!(refused.to_string().contains("ends in the middle"), "{refused}");
}

#[test]
fn hostile_markup_is_refused_or_read_within_bounds() {
    let xml = |rows: &str| {
        format!(
            "<Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\"><Worksheet><Table>{rows}</Table></Worksheet></Workbook>"
        )
    };
    let cell = "<Cell><Data Type=\"String\">x</Data></Cell>";
    let cases = [
        ("<table>".repeat(limits::TABLES_MAX + 1), "more than 1,000 tables"),
        ("<table><tr>".to_owned() + &"<td colspan=9000>x".repeat(2), "more than 10,000 columns"),
        (xml(&format!("<Row Index=\"4000000000\">{cell}</Row>")), "more than 1,000,000 rows"),
        (xml("<Row><Cell Index=\"4000000000\"><Data>x</Data></Cell></Row>"), "more than 10,000 columns"),
        ("<html><body>Please sign in</body></html>".to_owned(), "a web page without a table"),
        ("<table><tr><td>&nbsp;</table>".to_owned(), "has any cells"),
        (xml("<Row><Cell><Data>x</Row>").replace("</Workbook>", "<"), "cannot be read"),
        (
            "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">]><ACORD>&a;</ACORD>".to_owned(),
            "an XML document",
        ),
    ];
    for (text, sentence) in cases {
        let refused = read("x.xls", text.into_bytes(), &ReadOptions::default()).unwrap_err();
        assert!(refused.to_string().contains(sentence), "{sentence}: {refused}");
    }
    // Entities of a document's own are text: nothing grows.
    let own = xml("<Row><Cell><Data>&bomb;</Data></Cell></Row>");
    assert_eq!(opened(&own).table.text_at(0, 0), "&bomb;");
    let deep = format!("<table><tr><td>{}x</table>", "<div>".repeat(200_000));
    assert_eq!(opened(&deep).table.text_at(0, 0), "x");
    let long = format!("<table><tr><td>Policy No<td>Premium<tr><td>{}<td>5</table>", "x".repeat(1 << 20));
    let source = opened(&long);
    assert_eq!(source.table.text_at(1, 0).len(), limits::CELL_BYTES_MAX);
    assert_eq!(source.notes.iter().map(|note| note.kind).collect::<Vec<_>>(), [NoteKind::CellCut]);
    // Each table is within the bound, and all of them are not.
    let sheet = format!("<Worksheet><Table><Row Index=\"600000\">{cell}</Row></Table></Worksheet>");
    let sheets = xml("").replace("</Workbook>", &format!("{}</Workbook>", sheet.repeat(2)));
    let tables = format!("<table>{}</table>", "<tr>".repeat(limits::MARKUP_ROWS_MAX / 2 + 1)).repeat(2);
    let many = xml(&"<Row/>".repeat(limits::MARKUP_ROWS_MAX + 1));
    let within = ImportRefusal::TooManyMarkupRows;
    for (text, expected) in [(sheets, ImportRefusal::TooManyRows), (tables, within.clone()), (many, within)] {
        let refused = read("x.xls", text.into_bytes(), &ReadOptions::default()).unwrap_err();
        assert_eq!(refused, expected);
    }
}

/// Each page is within the bounds of one, and all pages of an archive are not.
#[test]
fn pages_of_an_archive_are_bounded_together() {
    let bundle = |page: fn(usize) -> String| {
        let file = |at| BundledFile { name: format!("{at}.html"), bytes: page(at).into_bytes() };
        let refused =
            read("x.zip", bundle_files((1..=2).map(file).collect()).unwrap(), &ReadOptions::default());
        refused.unwrap_err()
    };
    let tags =
        |at| format!("<table><tr><td>id<tr><td>{at}</table>{}", "<".repeat(limits::MARKUP_TAGS_MAX / 2));
    assert_eq!(bundle(tags), ImportRefusal::TooManyCells);
    let rows =
        |at| format!("<table><tr><td>id{}<tr><td>{at}", "<tr><td>A-1".repeat(limits::MARKUP_ROWS_MAX / 2));
    assert_eq!(bundle(rows), ImportRefusal::TooManyMarkupRows);
}
