//! A canceled policy: the premium that goes back by days, and the taxes that go back with it.
//!
//! The part is multiplied out and rounded once for each line, to the cent. What of the taxes goes back is the
//! calculator's answer to a cancellation with the returned premium.

use bordereau_api::{
    BoundaryError, CancellationAnswer, CancellationRequest, FieldError, QuoteLine, QuoteRequest,
    ReturnMethod, ReturnedLine,
};
use bordereau_contract::TransactionType;
use bordereau_money::{Rate, Rounding, Usd};
use bordereau_session::Context;
use bordereau_session::failure::capitalize_first;
use bordereau_session::profile::{active_profile, load_tables};
use chrono::NaiveDate;

use crate::ask_service::estimate_quote;
use crate::policy_days::{PolicyDays, TypedDay};
use crate::read_request::CalculatorQuestion;

/// What a short rate cancellation keeps of the pro rata return where nothing else is agreed.
const USUAL_PENALTY: u8 = 10;

/// Premium and taxes that a cancellation returns.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] names the fields at fault.
pub async fn quote_cancellation(
    ctx: &Context,
    request: CancellationRequest,
) -> Result<CancellationAnswer, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let local = load_tables(ctx, &profile).await?.local;
    let policy = as_policy(&request.request);
    let asked = CalculatorQuestion::read_now(ctx, &policy, &profile)?;
    let premiums: Vec<Usd> = asked.input.lines.iter().map(|line| line.premium).collect();
    let terms = CancellationTerms::read(&request, asked.input.policy_effective, &premiums)?;
    let returned = terms.returned_premiums(&premiums).ok_or_else(too_large)?;
    let credit = terms.credit_request(&request.request, &returned);
    let answer = estimate_quote(ctx, &credit, &profile, &local)?;
    terms.answer(&request.request.lines, &premiums, &returned, (credit, answer)).ok_or_else(too_large)
}

/// The question as that of a policy: its type and date may already be those of another transaction.
pub(crate) fn as_policy(request: &QuoteRequest) -> QuoteRequest {
    QuoteRequest {
        transaction_type: TransactionType::New.code().into(),
        transaction_effective: String::new(),
        ..request.clone()
    }
}

/// What the return follows from.
#[derive(Debug)]
struct CancellationTerms {
    days: PolicyDays,
    /// Part of the pro rata return that goes back.
    share: Rate,
    /// USD, of all lines.
    minimum: Usd,
}

impl CancellationTerms {
    fn read(
        request: &CancellationRequest,
        effective: NaiveDate,
        premiums: &[Usd],
    ) -> Result<CancellationTerms, BoundaryError> {
        let mut faults = Vec::new();
        let sheet = &request.request.sheet;
        let day = TypedDay { text: &request.canceled_on, pointer: "/canceled_on", name: "cancellation" };
        let days =
            PolicyDays::read(&sheet.policy_expires, effective, &day, request.three_decimals, &mut faults);
        let penalty = match (request.method, request.penalty.trim()) {
            (ReturnMethod::ProRata, _) => Rate::ZERO,
            (ReturnMethod::ShortRate, "") => Rate::from_percent(USUAL_PENALTY),
            (ReturnMethod::ShortRate, typed) => Rate::parse_percent(typed).unwrap_or_else(|error| {
                let message = format!("{}.", capitalize_first(&error.to_string()));
                faults.push(FieldError::at_pointer("/penalty", message));
                Rate::ZERO
            }),
        };
        let premium = Usd::checked_sum(premiums.iter().copied()).ok_or_else(too_large)?;
        let minimum = read_minimum(&sheet.minimum_earned, premium).unwrap_or_else(|message| {
            faults.push(FieldError::at_pointer("/sheet/minimum_earned", message));
            Usd::ZERO
        });
        if !faults.is_empty() {
            return Err(BoundaryError::invalid_fields(faults));
        }
        Ok(CancellationTerms { days, share: Rate::ONE.saturating_sub(penalty), minimum })
    }

    fn is_flat(&self) -> bool {
        self.days.is_first()
    }

    /// A part of the amount that goes back.
    fn returned_of(&self, amount: Usd) -> Option<Usd> {
        self.days.part_of(amount, self.share)
    }

    /// The most that may go back of all lines, where less than the days would return.
    fn most_returned(&self, premium: Usd) -> Option<Usd> {
        if self.is_flat() { Some(premium) } else { Some(premium.checked_sub(self.minimum)?.max(Usd::ZERO)) }
    }

    /// What goes back for each line; the minimum earned premium is shared among them by premium.
    fn returned_premiums(&self, premiums: &[Usd]) -> Option<Vec<Usd>> {
        let returned: Vec<Usd> =
            premiums.iter().map(|premium| self.returned_of(*premium)).collect::<Option<_>>()?;
        let premium = Usd::checked_sum(premiums.iter().copied())?;
        let most = self.most_returned(premium)?;
        if Usd::checked_sum(returned.iter().copied())? <= most {
            return Some(returned);
        }
        let (mut so_far, mut shared) = (Usd::ZERO, Usd::ZERO);
        let part = |line: &Usd| {
            so_far = so_far.checked_add(*line)?;
            let until_here = most.checked_share(so_far, premium)?.round(Rounding::Cent);
            let part = until_here.checked_sub(shared)?;
            shared = until_here;
            Some(part)
        };
        premiums.iter().map(part).collect()
    }

    /// The credit: the fees are taken as earned, and the day of the cancellation is the transaction's.
    fn credit_request(&self, policy: &QuoteRequest, returned: &[Usd]) -> QuoteRequest {
        let kind = if self.is_flat() {
            TransactionType::FlatCancellation
        } else {
            TransactionType::ProRataCancellation
        };
        let line = |(line, premium): (&QuoteLine, &Usd)| QuoteLine {
            code: line.code.clone(),
            premium: premium.to_string(),
        };
        QuoteRequest {
            transaction_type: kind.code().into(),
            lines: policy.lines.iter().zip(returned).map(line).collect(),
            agency_fee: String::new(),
            inspection_fee: String::new(),
            policy_effective: self.days.effective.to_string(),
            transaction_effective: self.days.day.to_string(),
            ..policy.clone()
        }
    }

    fn answer(
        &self,
        lines: &[QuoteLine],
        premiums: &[Usd],
        returned: &[Usd],
        credit: (QuoteRequest, bordereau_api::QuoteAnswer),
    ) -> Option<CancellationAnswer> {
        let total = |amounts: &[Usd]| Usd::checked_sum(amounts.iter().copied());
        let (premium, back) = (total(premiums)?, total(returned)?);
        let line = |((line, premium), back): ((&QuoteLine, &Usd), &Usd)| {
            Some(ReturnedLine {
                code: line.code.clone(),
                premium: premium.to_string(),
                earned: premium.checked_sub(*back)?.to_string(),
                returned: back.to_string(),
            })
        };
        let days_of_all = total(&premiums.iter().map(|p| self.returned_of(*p)).collect::<Option<Vec<_>>>()?)?;
        let (left, days) = self.days.count();
        Some(CancellationAnswer {
            effective: self.days.effective.to_string(),
            expires: self.days.expires.to_string(),
            canceled_on: self.days.day.to_string(),
            days: u32::try_from(days).ok()?,
            days_left: u32::try_from(left).ok()?,
            factor: self.days.factor_text(self.share)?,
            flat: self.is_flat(),
            minimum_earned: (back < days_of_all).then(|| self.minimum.to_string()),
            lines: lines.iter().zip(premiums).zip(returned).map(line).collect::<Option<_>>()?,
            premium: premium.to_string(),
            earned: premium.checked_sub(back)?.to_string(),
            returned: back.to_string(),
            request: credit.0,
            answer: credit.1,
        })
    }
}

/// `25%` of the premium, or an amount.
fn read_minimum(typed: &str, premium: Usd) -> Result<Usd, String> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(Usd::ZERO);
    }
    let minimum = if typed.ends_with('%') {
        Rate::parse_percent(typed).ok().and_then(|rate| premium.checked_mul(rate))
    } else {
        Usd::parse_typed(typed).ok().filter(|amount| !amount.is_negative())
    };
    let minimum = minimum.map(|amount| amount.round(Rounding::Cent).min(premium));
    minimum.ok_or_else(|| "Enter a percentage such as 25%, or an amount such as 500.".to_owned())
}

pub(crate) fn too_large() -> BoundaryError {
    BoundaryError::internal_error("computing the premium by days")
}

#[cfg(test)]
mod tests {
    use bordereau_api::SheetDetails;

    use super::*;
    use crate::read_request::read_date;

    fn usd(text: &str) -> Usd {
        Usd::parse(text).unwrap()
    }

    /// Terms of a policy from 02/23/2026 with these premiums, as typed.
    fn terms(canceled_on: &str, method: ReturnMethod, minimum: &str, premiums: &[Usd]) -> CancellationTerms {
        let sheet = SheetDetails { minimum_earned: minimum.into(), ..SheetDetails::default() };
        let request = CancellationRequest {
            request: QuoteRequest { sheet, ..QuoteRequest::default() },
            canceled_on: canceled_on.into(),
            method,
            ..CancellationRequest::default()
        };
        CancellationTerms::read(&request, read_date("2026-02-23").unwrap(), premiums).unwrap()
    }

    /// 365 days from 02/23/2026; 05/24/2026 is day 90, so 275 are left.
    #[test]
    fn premiums_go_back_by_days() {
        use ReturnMethod::{ProRata, ShortRate};
        #[rustfmt::skip]
        let cases: &[(&str, ReturnMethod, bool, &str, &str, &str)] = &[
            // Day, method, table, minimum earned, factor, returned of 10,000.
            ("05/24/2026", ProRata,   false, "",     "0.753425", "7534.25"),
            ("05/24/2026", ProRata,   true,  "",     "0.753",    "7530.00"),
            ("05/24/2026", ShortRate, false, "",     "0.678082", "6780.82"),
            ("05/24/2026", ShortRate, true,  "",     "0.678",    "6780.00"),
            ("05/24/2026", ProRata,   false, "25%",  "0.753425", "7500.00"),
            ("05/24/2026", ProRata,   false, "3000", "0.753425", "7000.00"),
            ("05/24/2026", ProRata,   false, "20%",  "0.753425", "7534.25"),
            ("02/23/2026", ShortRate, false, "25%",  "1.000000", "10000.00"),
            ("02/24/2026", ProRata,   false, "",     "0.997260", "9972.60"),
            ("02/23/2027", ProRata,   false, "",     "0.000000", "0.00"),
        ];
        for (day, method, table, minimum, factor, returned) in cases {
            let premium = usd("10000.00");
            let mut terms = terms(day, *method, minimum, &[premium]);
            terms.days.three_decimals = *table;
            assert_eq!(terms.days.factor_text(terms.share).as_deref(), Some(*factor), "{day} {method:?}");
            assert_eq!(terms.returned_premiums(&[premium]), Some(vec![usd(returned)]), "{day} {method:?}");
        }
    }

    /// Whatever the day: what is earned and what goes back make the premium, and a later day returns no more.
    #[test]
    fn a_later_day_returns_no_more() {
        let premiums = ["3333.33", "1000.01", "0.05"].map(usd);
        for (method, minimum) in
            [(ReturnMethod::ProRata, ""), (ReturnMethod::ProRata, "25%"), (ReturnMethod::ShortRate, "100")]
        {
            let mut before = usd("999999999");
            for day in read_date("2026-02-23").unwrap().iter_days().take(366) {
                let terms = terms(&day.to_string(), method, minimum, &premiums);
                let returned = terms.returned_premiums(&premiums).unwrap();
                for (premium, back) in premiums.iter().zip(&returned) {
                    assert!(*back <= *premium && !back.is_negative() && back.is_whole_cents(), "{day}");
                }
                let all = Usd::checked_sum(returned).unwrap();
                assert!(all <= before, "{day}");
                before = all;
            }
            assert!(before.is_zero());
        }
    }

    #[test]
    fn every_field_at_fault_is_named() {
        let sheet = SheetDetails {
            policy_expires: "02/23/2025".into(),
            minimum_earned: "a quarter".into(),
            ..SheetDetails::default()
        };
        let request = CancellationRequest {
            request: QuoteRequest { sheet, ..QuoteRequest::default() },
            canceled_on: "tomorrow".into(),
            method: ReturnMethod::ShortRate,
            penalty: "ten".into(),
            three_decimals: false,
        };
        let effective = read_date("2026-02-23").unwrap();
        let error = CancellationTerms::read(&request, effective, &[usd("100")]).unwrap_err();
        let pointers: Vec<&str> = error.details.iter().map(|detail| detail.pointer.as_str()).collect();
        assert_eq!(pointers, ["/sheet/policy_expires", "/canceled_on", "/penalty", "/sheet/minimum_earned"]);
    }
}
