//! A policy that is changed in its term: the difference of its premiums for the days that are left, and the taxes on it.

use bordereau_api::{
    BoundaryError, EndorsedLine, EndorsementAnswer, EndorsementRequest, FieldError, QuoteLine, QuoteRequest,
};
use bordereau_contract::TransactionType;
use bordereau_money::{Rate, Usd};
use bordereau_session::Context;
use bordereau_session::profile::{active_profile, load_tables};
use chrono::NaiveDate;

use crate::ask_service::estimate_quote;
use crate::cancellation::{as_policy, too_large};
use crate::policy_days::{PolicyDays, TypedDay};
use crate::read_request::{CalculatorQuestion, read_line_code};

/// Premium and taxes that an endorsement adds or returns.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] names the fields at fault.
pub async fn quote_endorsement(
    ctx: &Context,
    mut request: EndorsementRequest,
) -> Result<EndorsementAnswer, BoundaryError> {
    let profile = active_profile(ctx).await?;
    // "GL" and "GEN-1002" are one line, whose premium before and after are compared.
    for line in request.request.lines.iter_mut().chain(&mut request.after) {
        line.code = read_line_code(&line.code, !profile.lines_file.is_empty());
    }
    let local = load_tables(ctx, &profile).await?.local;
    let policy = as_policy(&request.request);
    let asked = CalculatorQuestion::read_now(ctx, &policy, &profile)?;
    let premiums: Vec<Usd> = asked.input.lines.iter().map(|line| line.premium).collect();
    let terms = EndorsementTerms::read(&request, asked.input.policy_effective, &premiums)?;
    let changed = terms.endorsement_request(&request.request)?;
    let answer = estimate_quote(ctx, &changed, &profile, &local)?;
    terms.answer((changed, answer)).ok_or_else(too_large)
}

/// A line with its premiums of the whole term, and what the days left cost more.
#[derive(Debug)]
struct LineChange {
    code: String,
    before: Usd,
    after: Usd,
    difference: Usd,
}

#[derive(Debug)]
struct EndorsementTerms {
    days: PolicyDays,
    lines: Vec<LineChange>,
    /// USD, of all lines.
    difference: Usd,
}

impl EndorsementTerms {
    fn read(
        request: &EndorsementRequest,
        effective: NaiveDate,
        premiums: &[Usd],
    ) -> Result<EndorsementTerms, BoundaryError> {
        let mut faults = Vec::new();
        let day = TypedDay { text: &request.endorsed_on, pointer: "/endorsed_on", name: "endorsement" };
        let expires = &request.request.sheet.policy_expires;
        let days = PolicyDays::read(expires, effective, &day, request.three_decimals, &mut faults);
        let mut changes: Vec<(String, Usd, Usd)> = request
            .request
            .lines
            .iter()
            .zip(premiums)
            .map(|(line, premium)| (line.code.clone(), *premium, *premium))
            .collect();
        let mut is_given = vec![false; changes.len()];
        for (at, line) in request.after.iter().enumerate() {
            let after = read_after(&line.premium).unwrap_or_else(|message| {
                faults.push(FieldError::at_pointer(format!("/after/{at}/premium"), message));
                Usd::ZERO
            });
            let same = |known: &(usize, &(String, Usd, Usd))| {
                !is_given.get(known.0).copied().unwrap_or(true)
                    && known.1.0.eq_ignore_ascii_case(line.code.trim())
            };
            match changes.iter().enumerate().find(same).map(|(place, _)| place) {
                Some(place) => {
                    is_given[place] = true;
                    changes[place].2 = after;
                }
                None => changes.push((line.code.trim().to_owned(), Usd::ZERO, after)),
            }
        }
        if !faults.is_empty() {
            return Err(BoundaryError::invalid_fields(faults));
        }
        let line = |(code, before, after): (String, Usd, Usd)| {
            let difference = days.part_of(after.checked_sub(before)?, Rate::ONE)?;
            Some(LineChange { code, before, after, difference })
        };
        let lines: Vec<LineChange> =
            changes.into_iter().map(line).collect::<Option<_>>().ok_or_else(too_large)?;
        let difference = Usd::checked_sum(lines.iter().map(|line| line.difference)).ok_or_else(too_large)?;
        Ok(EndorsementTerms { days, lines, difference })
    }

    /// The endorsement as it is filed: its fees are its own, and a return has no sign.
    fn endorsement_request(&self, policy: &QuoteRequest) -> Result<QuoteRequest, BoundaryError> {
        let kind = match self.difference {
            none if none.is_zero() => TransactionType::ZeroPremium,
            back if back.is_negative() => TransactionType::ReturnPremium,
            _ => TransactionType::AdditionalPremium,
        };
        let changed = self.lines.iter().filter(|line| !line.difference.is_zero());
        if changed.clone().any(|line| line.difference.is_negative() != self.difference.is_negative()) {
            let message = "One line costs more and another less. Enter the lines that cost more first and quote \
                           them, then those that cost less: report two endorsements to the state.";
            return Err(BoundaryError::invalid_field("/after", message));
        }
        let mut lines: Vec<QuoteLine> = changed
            .map(|line| QuoteLine { code: line.code.clone(), premium: line.difference.abs().to_string() })
            .collect();
        if lines.is_empty() {
            let first = self.lines.first().map(|line| line.code.clone()).unwrap_or_default();
            lines.push(QuoteLine { code: first, premium: "0.00".into() });
        }
        Ok(QuoteRequest {
            transaction_type: kind.code().into(),
            lines,
            agency_fee: String::new(),
            inspection_fee: String::new(),
            policy_effective: self.days.effective.to_string(),
            transaction_effective: self.days.day.to_string(),
            ..policy.clone()
        })
    }

    fn answer(&self, endorsement: (QuoteRequest, bordereau_api::QuoteAnswer)) -> Option<EndorsementAnswer> {
        let sum = |amount: fn(&LineChange) -> Usd| Usd::checked_sum(self.lines.iter().map(amount));
        let (left, days) = self.days.count();
        let line = |line: &LineChange| EndorsedLine {
            code: line.code.clone(),
            before: line.before.to_string(),
            after: line.after.to_string(),
            difference: line.difference.to_string(),
        };
        Some(EndorsementAnswer {
            effective: self.days.effective.to_string(),
            expires: self.days.expires.to_string(),
            endorsed_on: self.days.day.to_string(),
            days: u32::try_from(days).ok()?,
            days_left: u32::try_from(left).ok()?,
            factor: self.days.factor_text(Rate::ONE)?,
            lines: self.lines.iter().map(line).collect(),
            before: sum(|line| line.before)?.to_string(),
            after: sum(|line| line.after)?.to_string(),
            difference: self.difference.to_string(),
            request: endorsement.0,
            answer: endorsement.1,
        })
    }
}

/// The premium of a line after the change, as typed.
fn read_after(typed: &str) -> Result<Usd, String> {
    let amount = Usd::parse_typed(typed.trim()).ok().filter(|amount| !amount.is_negative());
    amount
        .filter(|amount| amount.is_whole_cents())
        .ok_or_else(|| "Enter the premium of the whole term after the change, such as 9,521.00.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_request::read_date;

    fn terms(
        day: &str,
        before: &[(&str, &str)],
        after: &[(&str, &str)],
    ) -> Result<EndorsementTerms, BoundaryError> {
        let lines = |lines: &[(&str, &str)]| -> Vec<QuoteLine> {
            lines
                .iter()
                .map(|(code, premium)| QuoteLine { code: (*code).into(), premium: (*premium).into() })
                .collect()
        };
        let premiums: Vec<Usd> = before.iter().map(|(_, premium)| Usd::parse(premium).unwrap()).collect();
        let request = EndorsementRequest {
            request: QuoteRequest { lines: lines(before), ..QuoteRequest::default() },
            endorsed_on: day.into(),
            after: lines(after),
            three_decimals: false,
        };
        EndorsementTerms::read(&request, read_date("2026-02-23").unwrap(), &premiums)
    }

    /// 365 days from 02/23/2026; 05/24/2026 is day 90, so 275 are left.
    #[test]
    fn the_difference_is_for_the_days_left() {
        type Lines<'l> = &'l [(&'l str, &'l str)];
        let policy: Lines = &[("GEN-1002", "10000.00"), ("GEN-1008", "2000.00")];
        #[rustfmt::skip]
        let cases: &[(&str, Lines, &str, &str, Lines)] = &[
            // Day, after, difference, type, lines of the endorsement.
            ("05/24/2026", &[("GEN-1002", "12,000")], "1506.85", "APE", &[("GEN-1002", "1506.85")]),
            ("05/24/2026", &[("GEN-1002", "8000")], "-1506.85", "RPE", &[("GEN-1002", "1506.85")]),
            ("05/24/2026", &[("GEN-1008", "0")], "-1506.85", "RPE", &[("GEN-1008", "1506.85")]),
            ("05/24/2026", &[("GEN-1004", "365")], "275.00", "APE", &[("GEN-1004", "275.00")]),
            ("02/23/2026", &[("gen-1002", "10500")], "500.00", "APE", &[("GEN-1002", "500.00")]),
            ("02/23/2027", &[("GEN-1002", "12000")], "0.00", "ZPE", &[("GEN-1002", "0.00")]),
            ("05/24/2026", &[], "0.00", "ZPE", &[("GEN-1002", "0.00")]),
        ];
        for (day, after, difference, kind, lines) in cases {
            let terms = terms(day, policy, after).unwrap();
            assert_eq!(terms.difference.to_string(), *difference, "{day} {after:?}");
            let request = terms.endorsement_request(&QuoteRequest::default()).unwrap();
            let asked: Vec<(&str, &str)> =
                request.lines.iter().map(|line| (line.code.as_str(), line.premium.as_str())).collect();
            assert_eq!((request.transaction_type.as_str(), &asked[..]), (*kind, *lines), "{day} {after:?}");
        }
    }

    #[test]
    fn what_is_no_endorsement_is_said_at_its_field() {
        let pointer = |error: BoundaryError| error.details[0].pointer.clone();
        let policy = [("GEN-1002", "100.00"), ("GEN-1008", "100.00")];
        for (day, after, expected) in [
            ("02/22/2026", "200", "/endorsed_on"),
            ("soon", "200", "/endorsed_on"),
            ("05/24/2026", "a lot", "/after/0/premium"),
            ("05/24/2026", "-5", "/after/0/premium"),
            ("05/24/2026", "1.005", "/after/0/premium"),
        ] {
            assert_eq!(
                pointer(terms(day, &policy, &[("GEN-1002", after)]).unwrap_err()),
                expected,
                "{day} {after}"
            );
        }
        let both = terms("05/24/2026", &policy, &[("GEN-1002", "200"), ("GEN-1008", "50")]).unwrap();
        assert_eq!(pointer(both.endorsement_request(&QuoteRequest::default()).unwrap_err()), "/after");
    }
}
