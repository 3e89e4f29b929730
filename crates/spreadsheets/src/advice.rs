//! What each kind of issue expects, and what a person can do about it.

use bordereau_contract::{format_day_text, format_long_day, format_money};
use bordereau_mapping::{ValueKind, words};
use bordereau_money::Usd;

use crate::insurer_number::{has_number_shape, is_tax_number};
use crate::issue::{Code, FindingData};
use crate::message::{IssueWording, percent_text, shorten_text};
use crate::written_day::day_in_order;
use bordereau_tables::{DateOrder, DecimalMark};

impl IssueWording<'_> {
    /// What was expected, and what to do; without a full stop.
    pub(crate) fn expected_and_advice(&self) -> (String, String) {
        let say = |expected: &str, advice: &str| (expected.to_owned(), advice.to_owned());
        match self.finding.code {
            Code::QuoteNotClosed => say(
                "a closing quote before the next delimiter",
                "The quotes were read as part of the text; check the cell and the row below it",
            ),
            Code::CellCut => say(
                "at most 32,767 characters in a cell",
                "The rest was cut off; shorten the text in the file",
            ),
            Code::CellError => say(
                "a value",
                "The formula failed in the spreadsheet, or has no result there yet: repair it there and save it, or type the value",
            ),
            Code::NotInEncoding => say(
                "characters of the chosen encoding",
                "Choose another encoding for the file, or type the text again",
            ),
            Code::ExtraCells => say(
                "no cells beyond the last header",
                "Check whether a delimiter inside of a text has moved the cells",
            ),
            Code::RowHidden => say(
                "a row that the sheet shows",
                "A filter or a person hid it in the spreadsheet, and it is imported like the others: exclude it if it isn't meant",
            ),
            Code::RowStruckOut => say(
                "a row that isn't struck out",
                "A person struck it out in the spreadsheet, and it is imported like the others: exclude it if it isn't to be filed",
            ),
            Code::NotBound => say(
                "a transaction that took effect",
                "By its status it didn't, and it is imported like the others: exclude it if it isn't to be filed",
            ),
            Code::OtherCurrency => say(
                "USD",
                "Its amounts would be filed as US dollars: convert them and change the currency to USD, or exclude the row",
            ),
            Code::LooksLikeTotal => say(
                "a transaction",
                "This looks like a line of totals, or of the report itself: exclude the row",
            ),
            Code::AmountUnreadable => say(
                &format!("an amount such as {}", self.amount_example()),
                "Type the amount; it was not read as zero",
            ),
            Code::AmountTooPrecise => (
                format!("at most two decimals, such as {}", self.second_amount()),
                "Round it to the cent, or type the amount".into(),
            ),
            Code::AmountSplit => (
                format!("{},{} in one cell", self.found_text().trim(), self.finding_text()),
                "A comma within the amount ended its cell and moved those behind it: save the file with amounts in quotes or without commas, and import it again".into(),
            ),
            Code::AmountTooLarge => {
                say("at most 999,999,999,999.99", "Check the decimal mark, or type the amount")
            }
            Code::DateUnreadable => (
                format!("a date such as {}", self.date_example()),
                "Type the date, or change the order of day and month".into(),
            ),
            Code::DateOrderOpen => {
                let (a, b) = self.date_texts();
                (
                    format!("to know whether this is {a} or {b}"),
                    "Choose mm/dd/yyyy or dd/mm/yyyy for the file".into(),
                )
            }
            Code::DateSerial => (
                format!(
                    "a date; a spreadsheet's day {} is {}",
                    shorten_text(self.found_text()),
                    self.date_texts().0
                ),
                "Set the date".into(),
            ),
            Code::DateOutOfRange => say("a date from 1990 to 2099", "Check the year"),
            Code::FlagUnreadable => {
                say("yes or no (also 1 or 0)", "Say once which of the two the word means; it is remembered")
            }
            Code::PercentUnreadable => say(
                "a percent from 0 to 100, such as 6 or 6.25%, and below 1 with its sign (0.5%)",
                "Type the rate; it was not read as zero",
            ),
            Code::CodeUnknown => self.code_unknown(),
            Code::ValueMapped => {
                (format!("a code; this means {}", self.mapped_value().1), "Map the value".into())
            }
            Code::IdentifierRounded => say(
                "an identifier with all its digits",
                "The spreadsheet has rounded it, or taken it for a date: format the column as text there and enter it again, or type it here",
            ),
            Code::IdentifierShort => (
                format!("{} digits as in the other rows, {}", self.finding_text().len(), self.finding_text()),
                "Put the leading zeros back if they were lost".into(),
            ),
            Code::ZipZeroLost => {
                (format!("five digits, {}", self.finding_text()), "Restore the leading zero".into())
            }
            Code::ZipUnlikely => say("five digits, or nine as in 78701-1234", "Check the ZIP code"),
            Code::ZipOfOtherState => (
                format!("a ZIP code of the state of the risk; this one is in {}", self.finding_text()),
                "Correct the state or the ZIP code: the taxes are those of the state".into(),
            ),
            Code::Untrimmed => say("no blanks around or inside of an identifier", "Trim it"),
            Code::TextTooLong => {
                let (count, max) = self.entry_counts();
                (format!("at most {max} characters, not {count}"), "Shorten the text".into())
            }
            Code::EmailUnlikely => say("an address such as name@example.com", "Check the address"),
            Code::PhoneUnlikely => {
                say("a phone number with its area code, such as (512) 555-0100", "Check the number")
            }
            Code::ColumnsDiffer => (
                format!(
                    "the same as the other column of this field, \"{}\"",
                    shorten_text(self.finding_text())
                ),
                "Clear one of the two, or ignore one column in the mapping".into(),
            ),
            Code::InsurerUnnumbered => say(
                "a NAIC number (five digits) or an alien insurer's number (AA-1234567)",
                "Map the name to its number once; it is remembered",
            ),
            Code::InsurerNumberUnlikely => self.insurer_number_texts(),
            Code::LineUnknown => (
                format!("a line of business such as GEN-1002, not \"{}\"", shorten_text(self.finding_text())),
                "Map the word to a line once; it is remembered".into(),
            ),
            Code::ShareUnreadable => (
                format!("a share such as 60 or 60%, not \"{}\"", shorten_text(self.finding_text())),
                "Type the share".into(),
            ),
            Code::SharesMismatch => {
                let (shares, entries) = self.entry_counts();
                (
                    format!("{entries} shares for {entries} entries, not {shares}"),
                    "Write the shares in the same order, separated by |".into(),
                )
            }
            Code::SharesNotWhole | Code::SharesAreFractions => self.shares_texts(),
            Code::LinesNotPremium => (
                format!(
                    "line premiums that add to the premium {}, not {}",
                    self.second_amount(),
                    self.first()
                ),
                "Correct the premium or the lines".into(),
            ),
            Code::Missing => (
                self.expected_value(),
                "Enter it; without it the service keeps the transaction as incomplete".into(),
            ),
            Code::MissingWanted => (self.expected_value(), "Enter it; the service warns without it".into()),
            Code::ExpiringMissing => {
                say("the number of the policy that is renewed", "Enter the expiring policy number")
            }
            Code::EndorsementDateMissing => {
                say("the date the change takes effect", "Enter its transaction effective date")
            }
            Code::TermNotDated => (
                format!("the expiration date {}, by the row's term", self.date_texts().1),
                "Set it; without a date the service takes a year after the policy began".into(),
            ),
            Code::TransactionDateDiffers => (
                format!("the policy's effective date {}", self.date_texts().1),
                "A new policy or renewal takes effect with its policy: set the date".into(),
            ),
            Code::DatesOutOfOrder => {
                (format!("a date after {}", self.date_texts().1), "Correct one of the two dates".into())
            }
            Code::OutsidePolicy => (
                format!("a date until the policy's expiration {}", self.date_texts().1),
                "Check the endorsement's date and the policy's expiration".into(),
            ),
            Code::NegativePremium => {
                say("a premium of zero or more", "Remove the minus, or make it a return premium (RPE)")
            }
            Code::ReturnAsCharge => {
                say("a premium of zero or more", "Make it the return that it is, or remove the minus")
            }
            Code::CreditNegative => (
                format!("the positive difference {}", self.second_amount()),
                "The transaction type makes it a credit: remove the minus".into(),
            ),
            Code::PremiumNotZero => say(
                "no premium on a zero premium endorsement",
                "Set it to 0, or change the type to APE or RPE",
            ),
            Code::TaxDiffers => (
                format!("{} by the state's rules ({})", self.second_amount(), self.amount_difference()),
                "Use the calculated value, or keep yours".into(),
            ),
            Code::TaxMissing => {
                (format!("{} by the state's rules", self.second_amount()), "Use the calculated value".into())
            }
            Code::TotalDiffers => (
                format!(
                    "{}, the sum of premium, fees and calculated taxes ({})",
                    self.second_amount(),
                    self.amount_difference()
                ),
                "Use the calculated value, or keep yours".into(),
            ),
            Code::NotCalculated => (
                format!("what the calculation needs: {}", self.finding_text()),
                "Correct that, or send it as it is".into(),
            ),
            Code::DocumentMissing => (
                format!("the document {}", self.document_name()),
                "Attach it, or name it in the documents column".into(),
            ),
            Code::DuplicateId => (
                format!("an ID that no other row has; row {} has the same", self.other_row()),
                "Exclude one of the two rows, or give one another ID".into(),
            ),
            Code::DuplicateTransaction => (
                format!("another policy, type, date or premium than row {}", self.other_row()),
                "Exclude one of the two rows if they are the same".into(),
            ),
            Code::PolicyBegunTwice => (
                format!(
                    "a policy that is new or renewed once; row {} has it with another premium",
                    self.other_row()
                ),
                "If both are parts of one transaction, choose in the match step that rows of a policy are one; otherwise correct the policy number or the type, or exclude one of them".into(),
            ),
            Code::SentBefore => (
                format!(
                    "a transaction that is new; this one was sent in the batch of {}",
                    format_day_text(self.finding_text())
                ),
                "Exclude the row, or give it another ID if it is another transaction".into(),
            ),
            Code::ReturnTooLarge => {
                (self.largest_return(), "Check the premium, the type and the policy number".into())
            }
            Code::ChargeUnknown if self.finding_text().is_empty() => (
                "a word in the same row that says what the amount is for".into(),
                "Type it, or exclude the row".into(),
            ),
            Code::ChargeUnknown => (
                format!("the field of its charge \"{}\"", shorten_text(self.finding_text())),
                "Choose it in the match step, under \"Rows of charges\"".into(),
            ),
            Code::RowRepeated => (
                format!(
                    "other values than those of row {}, whose amounts are added to these",
                    self.other_row()
                ),
                "Clear the amounts of one of the two, or keep both".into(),
            ),
            Code::GroupDiffers => (
                format!("the same as in row {}, which belongs to the same transaction", self.other_row()),
                "Make them equal, or say that amounts of several rows are added".into(),
            ),
        }
    }

    fn code_unknown(&self) -> (String, String) {
        let codes = self.finding.field.map(words::codes_of).unwrap_or_default();
        let shown = if codes.len() > 15 {
            "the two letters of a state, DC, PR or VI".to_owned()
        } else {
            format!("one of {}", codes.join(", "))
        };
        (shown, "Map the value to a code once; it is remembered".into())
    }

    fn expected_value(&self) -> String {
        let Some(field) = self.finding.field else { return "a value".into() };
        match field.example() {
            _ if field.kind() == ValueKind::Flag => {
                format!("the {} (yes or no)", field.title().to_lowercase())
            }
            "" => format!("the {}", field.title().to_lowercase()),
            example => format!("the {} such as {example}", field.title().to_lowercase()),
        }
    }

    fn insurer_number_texts(&self) -> (String, String) {
        let number = self.mapped_value().1;
        let expected = "a NAIC number (five digits) or an alien insurer's number (AA-1234567)";
        match self.finding_text().contains('=') {
            true if !has_number_shape(self.mapped_value().0) => {
                (format!("{number}, the insurer's number without its name"), "Write the number alone".into())
            }
            true => {
                (format!("{number}, which is how the NAIC writes this number"), "Correct the number".into())
            }
            false if is_tax_number(number) => (
                format!("{expected}, not a federal tax number (FEIN)"),
                "Enter the number that the NAIC gave the insurer".into(),
            ),
            false => (expected.into(), "Enter the insurer's own number; that of its group is another".into()),
        }
    }

    fn shares_texts(&self) -> (String, String) {
        let FindingData::Percent(sum) = self.finding.data else { return (String::new(), String::new()) };
        let text = percent_text(sum);
        if self.finding.code == Code::SharesAreFractions {
            return (
                "percentages that add to 100; these are fractions that add to 1".into(),
                "Write them as percentages".into(),
            );
        }
        (format!("percentages that add to 100, not {text}"), "Correct the shares".into())
    }

    fn document_name(&self) -> String {
        match &self.finding.data {
            FindingData::Document(document) => format!("{} ({})", document.name, document.code),
            _ => String::new(),
        }
    }

    fn first(&self) -> String {
        self.finding.amounts().map_or(String::new(), |(a, _)| format_money(a))
    }

    fn second_amount(&self) -> String {
        self.finding.amounts().map_or(String::new(), |(_, b)| format_money(b))
    }

    /// The most that can be returned for the policy, and why.
    fn largest_return(&self) -> String {
        let (left, charged) = self.finding.amounts().unwrap_or_default();
        let charged_text = format_money(charged);
        match charged.checked_sub(left) {
            Some(returned) if returned != Usd::ZERO => format!(
                "at most {}: of the {charged_text} charged for this policy, {} was returned before",
                format_money(left),
                format_money(returned),
            ),
            _ => format!("at most the {charged_text} charged for this policy"),
        }
    }

    fn amount_difference(&self) -> String {
        let amounts = self.finding.amounts();
        let difference = amounts.and_then(|(a, b)| b.checked_sub(a)).unwrap_or(Usd::ZERO);
        let word = if difference.is_negative() { "less" } else { "more" };
        format!("{} {word}", format_money(difference.abs()))
    }

    /// Dates as the file writes them; where that is the question, nobody can take them for others.
    fn date_texts(&self) -> (String, String) {
        let order = self.review.values().date_order.value;
        let write = |day| match order.filter(|_| self.finding.code != Code::DateOrderOpen) {
            Some(order) => day_in_order(day, order),
            None => format_long_day(day),
        };
        match self.finding.data {
            FindingData::Dates(a, b) => (write(a), write(b)),
            _ => (String::new(), String::new()),
        }
    }

    fn entry_counts(&self) -> (u32, u32) {
        if let FindingData::Counts(a, b) = self.finding.data { (a, b) } else { (0, 0) }
    }

    fn other_row(&self) -> u32 {
        match self.finding.data {
            FindingData::Row(row) => self.review.source().table.line(row as usize),
            FindingData::Line(line) => line,
            _ => 0,
        }
    }

    fn amount_example(&self) -> &'static str {
        match self.review.values().decimal_mark.value {
            DecimalMark::Point => "1,250.50",
            DecimalMark::Comma => "1.250,50",
        }
    }

    fn date_example(&self) -> &'static str {
        match self.review.values().date_order.value {
            Some(DateOrder::DayFirst) => "23/02/2026 (dd/mm/yyyy)",
            _ => "02/23/2026 (mm/dd/yyyy)",
        }
    }
}
