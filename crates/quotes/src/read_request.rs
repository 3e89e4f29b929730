//! Parses a question as a person typed it: every invalid field is named, none is guessed.

use std::str::FromStr;

use bordereau_contract::{
    CalculateRequest, EntityType, FOUND_CHARS, FeeChargedBy, Jurisdiction, LINE_SEPARATOR, Occupancy,
    TransactionType, WrittenAs, format_long_day, shorten_text,
};
use bordereau_mapping::words::{WordMeaning, find_meaning};
use bordereau_mapping::{Field, line_named};
use bordereau_money::{Rate, Usd};
use bordereau_tax::{LineInput, LinesTable, QuoteInput, RiskDetails, RiskLocation, RuleBook, StateSummary};
use chrono::NaiveDate;

use super::wire::to_wire_request;
use bordereau_api::{BoundaryError, FieldError, Profile, QuoteLine, QuoteRequest};
use bordereau_session::Context;
use bordereau_session::failure::capitalize_first;
use bordereau_session::profile::remembered_charger;

/// Lines of business in one question \[ours].
const LINES_MAX: usize = 50;
/// Characters of a text field \[ours].
const TEXT_MAX: usize = 200;

/// A question that can be asked.
#[derive(Clone, Debug)]
pub struct CalculatorQuestion {
    /// As the tax rules take it.
    pub input: QuoteInput,
    /// As the service takes it.
    pub wire: CalculateRequest,
    /// Answers that the profile's service is not told, in words.
    pub unsent: Vec<&'static str>,
    /// Lines of business that were typed as a word, with the code each was read as, in sentences.
    pub words_read: Vec<String>,
}

impl CalculatorQuestion {
    /// Reads the question; `today` is used for dates left empty, the profile for who charges the agency fee, the
    /// rules for what is asked in the state.
    ///
    /// # Errors
    /// Every field at fault with a pointer such as `/lines/0/premium`.
    pub fn read(
        request: &QuoteRequest,
        today: NaiveDate,
        profile: &Profile,
        book: &RuleBook,
    ) -> Result<CalculatorQuestion, BoundaryError> {
        let mut reader = RequestReader { book, faults: Vec::new() };
        let input = reader.read_input(request, today, profile);
        match input {
            Some(input) if reader.faults.is_empty() => {
                let is_sent = profile.sends_quote_details;
                let unsent = if is_sent { Vec::new() } else { in_words(&input.details) };
                let words_read = say_words_read(&request.lines, &input.lines);
                Ok(CalculatorQuestion { wire: to_wire_request(&input, is_sent), unsent, words_read, input })
            }
            _ => Err(BoundaryError::invalid_fields(reader.faults)),
        }
    }

    /// The same with the day, the rules in use.
    pub(super) fn read_now(
        ctx: &Context,
        request: &QuoteRequest,
        profile: &Profile,
    ) -> Result<CalculatorQuestion, BoundaryError> {
        CalculatorQuestion::read(request, ctx.ports().clock.today(), profile, ctx.rules().book())
    }

    /// What was typed with the codes that it was read as, for the form that opens it again: `Texas` is `TX` there.
    pub(super) fn with_codes(&self, typed: QuoteRequest) -> QuoteRequest {
        let lines = typed.lines.into_iter().zip(&self.input.lines);
        QuoteRequest {
            state: self.input.state.code().to_owned(),
            transaction_type: self.input.transaction_type.code().to_owned(),
            lines: lines.map(|(typed, read)| QuoteLine { code: read.code.clone(), ..typed }).collect(),
            ..typed
        }
    }
}

struct RequestReader<'b> {
    book: &'b RuleBook,
    faults: Vec<FieldError>,
}

impl RequestReader<'_> {
    fn add_fault(&mut self, pointer: &str, message: String) {
        self.faults.push(FieldError::at_pointer(pointer, message));
    }

    /// `None` only where a fault was noted.
    fn read_input(
        &mut self,
        request: &QuoteRequest,
        today: NaiveDate,
        profile: &Profile,
    ) -> Option<QuoteInput> {
        let state = self.read_state(&request.state);
        let kind = self.transaction_type(&request.transaction_type);
        let lines = self.read_lines(&request.lines, kind, !profile.lines_file.is_empty());
        let agency_fee = self.read_fee("/agency_fee", "agency fee", &request.agency_fee, kind);
        let inspection_fee =
            self.read_fee("/inspection_fee", "inspection fee", &request.inspection_fee, kind);
        let policy_effective = self.read_date("/policy_effective", &request.policy_effective, today);
        let transaction_effective = self.transaction_date(request, kind, policy_effective, today);
        let entity = self.read_code("/entity", &request.entity).unwrap_or(EntityType::Commercial);
        let written_as = self.written_as(&request.written_as);
        let location = self.read_location(request);
        let details = self.read_details(request, profile);
        self.read_text("/insured", "name of the insured", &request.insured);
        if request.admitted && state.is_some_and(|state| state != Jurisdiction::Ky) {
            self.add_fault(
                "/admitted",
                "Admitted business is calculated for Kentucky only. Choose Kentucky or switch it off.".into(),
            );
        }
        let (state, kind) = (state?, kind?);
        let kentucky = state == Jurisdiction::Ky;
        Some(QuoteInput {
            state,
            transaction_type: kind,
            lines,
            agency_fee,
            inspection_fee,
            policy_effective,
            transaction_effective,
            entity,
            rpg: request.rpg,
            tax_exempt: request.tax_exempt,
            ecp: request.ecp,
            export_list: request.export_list,
            // The question is New Hampshire's alone; elsewhere the mark is left over from another state.
            commission_received: request.commission_received && state == Jurisdiction::Nh,
            admitted: request.admitted,
            written_as,
            location: if kentucky { location } else { RiskLocation::default() },
            details: relevant_details(details, agency_fee, || self.book.state_summary(state)),
            today,
        })
    }

    fn read_state(&mut self, text: &str) -> Option<Jurisdiction> {
        let text = text.trim();
        let named =
            || Jurisdiction::ALL.iter().copied().find(|state| state.title().eq_ignore_ascii_case(text));
        let state = Jurisdiction::from_str(&text.to_ascii_uppercase()).ok().or_else(named);
        if state.is_none() {
            let message = if text.is_empty() {
                "Choose the state of the risk: its two letters, such as TX.".to_owned()
            } else {
                format!(
                    "\"{}\" is not a state. Two letters are expected, such as TX, DC, PR or VI.",
                    shorten_text(text, FOUND_CHARS)
                )
            };
            self.add_fault("/state", message);
        }
        state
    }

    fn transaction_type(&mut self, text: &str) -> Option<TransactionType> {
        let text = text.trim();
        let kind = TransactionType::from_str(&text.to_ascii_uppercase()).ok().or_else(|| type_named(text));
        if kind.is_none() {
            let message = if text.is_empty() {
                "Choose the transaction type, such as PN for a new policy.".to_owned()
            } else {
                format!(
                    "\"{}\" is not a transaction type. One of PN, PR, APE, RPE, AE, FC, ZPE, PC, XE, ARE, RI, BO, BD is expected.",
                    shorten_text(text, FOUND_CHARS)
                )
            };
            self.add_fault("/transaction_type", message);
        }
        kind
    }

    fn read_lines(
        &mut self,
        typed: &[QuoteLine],
        kind: Option<TransactionType>,
        own_lines: bool,
    ) -> Vec<LineInput> {
        if typed.is_empty() {
            self.add_fault("/lines", "Add at least one line of business with its premium.".into());
        }
        if typed.len() > LINES_MAX {
            self.add_fault(
                "/lines",
                format!("{} lines are too many for one quote. At most {LINES_MAX} are allowed.", typed.len()),
            );
            return Vec::new();
        }
        let line = |(at, typed): (usize, &QuoteLine)| LineInput {
            code: self.line_code(at, &typed.code, own_lines),
            premium: self.read_premium(at, &typed.premium, kind),
        };
        typed.iter().enumerate().map(line).collect()
    }

    fn line_code(&mut self, at: usize, text: &str, own_lines: bool) -> String {
        let code = text.trim();
        let pointer = format!("/lines/{at}/code");
        if code.is_empty() {
            self.add_fault(&pointer, "Choose the line of business, such as GEN-1002.".into());
        } else if code.len() > 40 || code.contains(LINE_SEPARATOR) || code.chars().any(char::is_control) {
            self.add_fault(
                &pointer,
                format!(
                    "\"{}\" is not a line code. One code such as GEN-1002 is expected; put each line in its own row.",
                    shorten_text(code, FOUND_CHARS)
                ),
            );
        }
        read_line_code(code, own_lines)
    }

    fn read_premium(&mut self, at: usize, text: &str, kind: Option<TransactionType>) -> Usd {
        let pointer = format!("/lines/{at}/premium");
        if text.trim().is_empty() {
            // A zero premium endorsement has nothing else to say.
            if kind != Some(TransactionType::ZeroPremium) {
                self.add_fault(
                    &pointer,
                    "The premium of this line is missing. Enter an amount like 1,250.50.".into(),
                );
            }
            return Usd::ZERO;
        }
        self.field_amount(&pointer, text, kind)
    }

    fn read_fee(&mut self, pointer: &str, what: &str, text: &str, kind: Option<TransactionType>) -> Usd {
        if text.trim().is_empty() {
            return Usd::ZERO;
        }
        let before = self.faults.len();
        let amount = self.field_amount(pointer, text, kind);
        for fault in &mut self.faults[before..] {
            fault.message = format!("{} Leave it empty for no {what}.", fault.message);
        }
        amount
    }

    fn field_amount(&mut self, pointer: &str, text: &str, kind: Option<TransactionType>) -> Usd {
        match Usd::parse_typed(text) {
            Ok(amount) if amount.is_negative() => {
                self.add_fault(pointer, negative_message(amount, kind));
                Usd::ZERO
            }
            Ok(amount) => amount,
            Err(error) => {
                self.add_fault(pointer, format!("{}.", capitalize_first(&error.to_string())));
                Usd::ZERO
            }
        }
    }

    fn read_date(&mut self, pointer: &str, text: &str, absent: NaiveDate) -> NaiveDate {
        let text = text.trim();
        if text.is_empty() {
            return absent;
        }
        read_date(text).unwrap_or_else(|| {
            self.add_fault(
                pointer,
                format!(
                    "\"{}\" is not a date. Enter it as 02/23/2026 or 2026-02-23.",
                    shorten_text(text, FOUND_CHARS)
                ),
            );
            absent
        })
    }

    /// Empty is the policy date where the transaction starts the policy, today otherwise (contract section 2).
    fn transaction_date(
        &mut self,
        request: &QuoteRequest,
        kind: Option<TransactionType>,
        policy: NaiveDate,
        today: NaiveDate,
    ) -> NaiveDate {
        let starts = kind.is_some_and(TransactionType::starts_policy);
        let absent = if starts { policy } else { today };
        let date = self.read_date("/transaction_effective", &request.transaction_effective, absent);
        if starts && date != policy {
            self.add_fault(
                "/transaction_effective",
                format!(
                    "The transaction date is {}, but a {} takes effect with its policy on {}. Leave it empty or make both the same.",
                    format_long_day(date),
                    kind.map_or("policy", TransactionType::title).to_lowercase(),
                    format_long_day(policy)
                ),
            );
        }
        date
    }

    /// A code in small letters; `None` where it was left empty or a fault was noted.
    fn read_code<T: FromStr>(&mut self, pointer: &str, text: &str) -> Option<T>
    where
        T::Err: std::fmt::Display,
    {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let read = T::from_str(&text.to_ascii_lowercase());
        read.map_err(|error| {
            self.add_fault(pointer, format!("{error}. Choose one of these or leave it empty."));
        })
        .ok()
    }

    /// Answers to the questions that only some states ask.
    fn read_details(&mut self, request: &QuoteRequest, profile: &Profile) -> RiskDetails {
        let charged_by: Option<FeeChargedBy> = self.read_code("/fee_charged_by", &request.fee_charged_by);
        RiskDetails {
            fee_charged_by: charged_by.or_else(|| remembered_charger(profile)),
            occupancy: self.read_code::<Occupancy>("/occupancy", &request.occupancy),
            assessment_rate: self.read_percent("/assessment_rate", &request.assessment_rate),
        }
    }

    fn read_percent(&mut self, pointer: &str, text: &str) -> Option<Rate> {
        if text.trim().is_empty() {
            return None;
        }
        let read = Rate::parse_percent(text);
        read.map_err(|error| self.add_fault(pointer, format!("{}.", capitalize_first(&error.to_string()))))
            .ok()
    }

    fn written_as(&mut self, text: &str) -> Option<WrittenAs> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        match WrittenAs::from_str(&text.to_ascii_uppercase()) {
            Ok(written) => Some(written),
            Err(error) => {
                self.add_fault("/written_as", format!("{error}. Choose one of these or leave it empty."));
                None
            }
        }
    }

    fn read_location(&mut self, request: &QuoteRequest) -> RiskLocation {
        let zip = self.read_text("/zip", "ZIP code", &request.zip);
        if let Some(found) = &zip
            && !is_zip(found)
        {
            self.add_fault(
                "/zip",
                format!(
                    "\"{}\" is not a ZIP code. Five digits, or five and four like 40202-1234, are expected.",
                    shorten_text(found, FOUND_CHARS)
                ),
            );
        }
        RiskLocation {
            address: self.read_text("/address", "street address", &request.address),
            city: self.read_text("/city", "city", &request.city),
            zip,
            municipality: self.read_text("/municipality", "municipality", &request.municipality),
        }
    }

    fn read_text(&mut self, pointer: &str, what: &str, text: &str) -> Option<String> {
        let text = text.trim();
        if text.chars().count() > TEXT_MAX {
            self.add_fault(pointer, format!("The {what} is longer than {TEXT_MAX} characters. Shorten it."));
        }
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// The answers that the state asks for; others are left over from another state, or mean one of a comparison.
fn relevant_details(
    details: RiskDetails,
    agency_fee: Usd,
    summary: impl FnOnce() -> StateSummary,
) -> RiskDetails {
    if details == RiskDetails::default() {
        return details;
    }
    let asks = summary();
    let asks_charger = asks.asks_fee_charged_by && !agency_fee.is_zero();
    RiskDetails {
        fee_charged_by: details.fee_charged_by.filter(|_| asks_charger),
        occupancy: details.occupancy.filter(|_| !asks.asks_occupancy_on.is_empty()),
        assessment_rate: details.assessment_rate.filter(|_| asks.assessment_title.is_some()),
    }
}

/// What was answered, as it follows "The service was not told".
fn in_words(details: &RiskDetails) -> Vec<&'static str> {
    let all = [
        (details.fee_charged_by.is_some(), "who charges the agency fee"),
        (details.occupancy.is_some(), "how the insured holds the dwelling"),
        (details.assessment_rate.is_some(), "the rate of the assessment"),
    ];
    all.into_iter().filter(|(is_answered, _)| *is_answered).map(|(_, words)| words).collect()
}

/// `GL` is the line that the trade calls so, where the profile has no table with codes of its own.
pub(super) fn read_line_code(typed: &str, own_lines: bool) -> String {
    let code = typed.trim();
    if code.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("gen-")) {
        return code.to_ascii_uppercase();
    }
    let named = if own_lines { None } else { line_named(code) };
    named.unwrap_or_else(|| code.to_owned())
}

fn say_words_read(typed: &[QuoteLine], read: &[LineInput]) -> Vec<String> {
    let table = LinesTable::builtin();
    let word = |(typed, read): (&QuoteLine, &LineInput)| {
        let word = typed.code.trim();
        let line = table.iter().find(|line| *line.code == *read.code);
        let line = line.filter(|_| !word.eq_ignore_ascii_case(&read.code))?;
        Some(format!("\"{word}\" was read as {}, {}.", line.code, line.name))
    };
    typed.iter().zip(read).filter_map(word).collect()
}

/// `Renewal` is the type of this name. Two letters are too few: "RP" is a renewal to some and a return premium to others.
fn type_named(word: &str) -> Option<TransactionType> {
    let meaning = (word.len() > 2).then(|| find_meaning(Field::TransactionType, word))?;
    let (WordMeaning::Code(code) | WordMeaning::StandsFor(code)) = meaning else { return None };
    TransactionType::from_str(code).ok()
}

fn negative_message(amount: Usd, kind: Option<TransactionType>) -> String {
    let found = amount.to_grouped();
    match kind {
        Some(kind) if kind.is_credit() => format!(
            "{found} is negative. For a {} enter the positive difference: it is applied as a credit.",
            kind.title().to_lowercase()
        ),
        _ => format!(
            "{found} is negative. A positive amount is expected; for a return of premium choose the transaction type RPE and enter the positive difference."
        ),
    }
}

/// `yyyy-mm-dd` or `mm/dd/yyyy`, one digit for month and day allowed in the latter.
pub fn read_date(text: &str) -> Option<NaiveDate> {
    let digits = |part: &str, most: usize| {
        let fits = (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| part.parse::<u32>().ok()).flatten()
    };
    let (year, month, day) = if let [year, month, day] = text.split('-').collect::<Vec<_>>()[..] {
        if year.len() != 4 || month.len() != 2 || day.len() != 2 {
            return None;
        }
        (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?)
    } else if let [month, day, year] = text.split('/').collect::<Vec<_>>()[..] {
        if year.len() != 4 {
            return None;
        }
        (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?)
    } else {
        return None;
    };
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

fn is_zip(text: &str) -> bool {
    let digits = |part: &str, length: usize| part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
    match text.split_once('-') {
        Some((five, four)) => digits(five, 5) && digits(four, 4),
        None => digits(text, 5) || digits(text, 9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_state_asks_is_taken() {
        let given = RiskDetails {
            fee_charged_by: Some(FeeChargedBy::RetailAgent),
            occupancy: Some(Occupancy::Tenant),
            assessment_rate: Some(Rate::from_percent(6)),
        };
        let fee = Usd::from_cents(10_000);
        let charger = StateSummary { asks_fee_charged_by: true, ..StateSummary::default() };
        let dwelling = StateSummary { asks_occupancy_on: vec!["GEN-2000".into()], ..StateSummary::default() };
        let assessment = StateSummary {
            assessment_title: Some("Assessment".into()),
            asks_assessment_on: vec!["GEN-1006".into()],
            ..StateSummary::default()
        };
        let none = RiskDetails::default();
        let cases = [
            (StateSummary::default(), fee, none),
            (charger.clone(), fee, RiskDetails { fee_charged_by: given.fee_charged_by, ..none }),
            (charger, Usd::ZERO, none),
            (dwelling, fee, RiskDetails { occupancy: given.occupancy, ..none }),
            (assessment, fee, RiskDetails { assessment_rate: given.assessment_rate, ..none }),
        ];
        for (summary, fee, expected) in cases {
            assert_eq!(relevant_details(given, fee, || summary.clone()), expected, "{summary:?}");
        }
        assert_eq!(
            in_words(&given),
            [
                "who charges the agency fee",
                "how the insured holds the dwelling",
                "the rate of the assessment"
            ]
        );
        assert!(in_words(&none).is_empty());
    }

    #[test]
    fn the_profile_answers_who_charges_the_fee_where_the_quote_does_not() {
        let remembering = Profile {
            fee_charged_by: "surplus_lines_licensee".into(),
            ..bordereau_session::profile::new_practice_profile()
        };
        let charger = |typed: &str, profile: &Profile| {
            let mut reader = RequestReader { book: RuleBook::builtin(), faults: Vec::new() };
            let request = QuoteRequest { fee_charged_by: typed.into(), ..QuoteRequest::default() };
            (reader.read_details(&request, profile).fee_charged_by, reader.faults.len())
        };
        use FeeChargedBy::{RetailAgent, SurplusLinesLicensee};
        assert_eq!(charger("", &remembering), (Some(SurplusLinesLicensee), 0));
        assert_eq!(charger("Retail_Agent", &remembering), (Some(RetailAgent), 0));
        assert_eq!(charger("", &bordereau_session::profile::new_practice_profile()), (None, 0));
        assert_eq!(charger("nobody", &remembering).1, 1);
    }
}
