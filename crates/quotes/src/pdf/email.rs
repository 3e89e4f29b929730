//! A quote by e-mail, through the person's own mail program.

use bordereau_api::{BoundaryError, EmailOutcome, ErrorCode, QuoteAnswer, QuotePdfRequest, QuoteRequest};
use bordereau_contract::format_money_text;
use bordereau_session::ports::EmailDraft;
use bordereau_session::{Context, files};

use super::{pdf_filter, sheet_bytes, suggested_name};

/// Characters of a name in an e-mail.
const NAME_CHARS_MAX: usize = 60;

/// Saves the sheet where the person says and opens the mail program with it. Where the system gives no file to a mail
/// program, the text is ready and the person attaches the file.
///
/// # Errors
/// [`ErrorCode::Storage`] when the sheet cannot be written; [`ErrorCode::NoProgram`] when no mail program opens.
pub async fn quote_email(ctx: &Context, request: QuotePdfRequest) -> Result<EmailOutcome, BoundaryError> {
    let name = suggested_name(&request.request, &request.answer);
    let (subject, body) = email_text(&request.request, &request.answer);
    let bytes = sheet_bytes(ctx, request).await?;
    let Some(path) = ctx.ports().dialogs.choose_save_path(name, pdf_filter()).await else {
        return Ok(EmailOutcome { opened: false, file_name: String::new(), attached: false });
    };
    let file_name = files::write_chosen(path.clone(), bytes).await?.file_name;
    let email = EmailDraft { subject, body, attachment: path };
    let attached = ctx.ports().browser.compose_email(&email).map_err(|why| {
        BoundaryError::with_code(ErrorCode::NoProgram, format!("The sheet is saved as {file_name}. {why}"))
    })?;
    Ok(EmailOutcome { opened: true, file_name, attached })
}

/// Subject and text of the e-mail. The subject is one line, whatever was typed: a line break in it could begin another
/// header. Both are short, because an address that opens a mail program may have 2,000 characters on some systems.
fn email_text(request: &QuoteRequest, answer: &QuoteAnswer) -> (String, String) {
    let insured = short_line(&request.insured);
    let whose = if insured.is_empty() { answer.state_name.clone() } else { insured };
    let number = short_line(&request.sheet.quote_number);
    let number = if number.is_empty() { number } else { format!(" {number}") };
    let total = format_money_text(&answer.total);
    let body = format!(
        "Attached is quote{number} for {whose}, {}.\n\nTotal with taxes and fees: {total}\n",
        answer.state_name
    );
    (format!("Quote{number}: {whose}"), body)
}

fn short_line(text: &str) -> String {
    let visible: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= NAME_CHARS_MAX {
        return line;
    }
    line.chars().take(NAME_CHARS_MAX - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use bordereau_api::SheetDetails;

    use super::super::sheet::tests::answer;
    use super::*;

    #[test]
    fn a_line_break_in_a_name_makes_no_second_header_and_a_long_name_is_cut() {
        let sheet =
            SheetDetails { quote_number: "Q-77\r\nBcc: x@example.com".into(), ..SheetDetails::default() };
        let request = QuoteRequest { insured: "Long ".repeat(40), sheet, ..QuoteRequest::default() };
        let (subject, body) = email_text(&request, &answer(1));
        assert!(subject.starts_with("Quote Q-77 Bcc: x@example.com: Long Long"), "{subject}");
        assert!(!subject.contains(char::is_control) && subject.chars().count() <= 2 * NAME_CHARS_MAX + 8);
        assert!(body.contains("Texas.\n\nTotal with taxes and fees: $"), "{body}");
    }
}
