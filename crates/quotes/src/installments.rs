//! What is paid when: a down payment and installments, to the cent.

use bordereau_api::{
    BoundaryError, FieldError, PlannedPayment, QuoteAnswer, QuotePayments, QuotePdfRequest, QuoteRequest,
    SheetDetails,
};
use bordereau_contract::leading_day;
use bordereau_money::{Rate, Rounding, Usd};
use bordereau_session::Context;
use bordereau_session::failure::capitalize_first;
use chrono::{Months, NaiveDate};

use crate::read_request::read_date;

/// Installments of one plan.
const INSTALLMENTS_MAX: u32 = 60;

/// The payments of a quote as its sheet says; none where everything is paid at once.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] names the fields at fault.
pub async fn quote_payments_list(
    _ctx: &Context,
    request: QuotePdfRequest,
) -> Result<QuotePayments, BoundaryError> {
    plan_payments(&request.request, &request.answer).map_err(BoundaryError::invalid_fields)
}

/// The plan that the sheet asks for. A credit and a quote without installments have none.
pub(crate) fn plan_payments(
    request: &QuoteRequest,
    answer: &QuoteAnswer,
) -> Result<QuotePayments, Vec<FieldError>> {
    let at_once =
        || QuotePayments { payments: Vec::new(), fees: Usd::ZERO.to_string(), total: answer.total.clone() };
    if request.sheet.installments.trim().is_empty() {
        return Ok(at_once());
    }
    let terms = PaymentTerms::read(request, answer)?;
    if terms.total.is_negative() || terms.total.is_zero() {
        return Ok(at_once());
    }
    let too_large = || vec![FieldError::at_pointer("/sheet/installments", "The amounts are too large.")];
    terms.payments().ok_or_else(too_large)
}

struct PaymentTerms {
    /// USD.
    total: Usd,
    /// Of the total, paid first, USD.
    down: Usd,
    count: u32,
    /// Of each installment, USD.
    fee: Usd,
    begins: NaiveDate,
    /// The first installment is so many months after this day, each other one a month later.
    anchor: (NaiveDate, u32),
}

impl PaymentTerms {
    fn read(request: &QuoteRequest, answer: &QuoteAnswer) -> Result<PaymentTerms, Vec<FieldError>> {
        let sheet = &request.sheet;
        let mut faults = Vec::new();
        let mut fault = |name: &str, message: String| {
            faults.push(FieldError::at_pointer(format!("/sheet/{name}"), message));
        };
        let count = sheet.installments.trim().parse().ok().filter(|n| (1..=INSTALLMENTS_MAX).contains(n));
        let count = count.unwrap_or_else(|| {
            fault("installments", format!("Enter a number of installments from 1 to {INSTALLMENTS_MAX}."));
            1
        });
        let percent = match sheet.down_payment.trim() {
            "" => Rate::ZERO,
            typed => Rate::parse_percent(typed).unwrap_or_else(|error| {
                fault("down_payment", format!("{}.", capitalize_first(&error.to_string())));
                Rate::ZERO
            }),
        };
        let fee = match sheet.installment_fee.trim() {
            "" => Usd::ZERO,
            typed => Usd::parse_typed(typed).ok().filter(|fee| !fee.is_negative()).unwrap_or_else(|| {
                fault("installment_fee", "Enter the fee of each installment, such as 5.00.".into());
                Usd::ZERO
            }),
        };
        let begins = read_date(request.policy_effective.trim())
            .or_else(|| leading_day(&answer.at))
            .unwrap_or(NaiveDate::MIN);
        let anchor = match sheet.first_installment.trim() {
            "" => Some((begins, 1)),
            typed => read_date(typed).filter(|day| *day >= begins).map(|day| (day, 0)),
        };
        let anchor = anchor.unwrap_or_else(|| {
            let message = "Enter the day of the first installment, not before the policy begins.";
            fault("first_installment", message.into());
            (begins, 1)
        });
        let amount = |text: &str| Usd::parse(text).unwrap_or_default();
        let (total, premium) = (amount(&answer.total), amount(&answer.premium));
        let down = down_payment(sheet, total, premium, percent).unwrap_or_default();
        if faults.is_empty() {
            Ok(PaymentTerms { total, down, count, fee, begins, anchor })
        } else {
            Err(faults)
        }
    }

    fn payments(&self) -> Option<QuotePayments> {
        let payment = |title: String, due: NaiveDate, amount: Usd, fee: Usd| {
            Some(PlannedPayment {
                title,
                due: due.to_string(),
                amount: amount.to_string(),
                fee: fee.to_string(),
                payment: amount.checked_add(fee)?.to_string(),
            })
        };
        let mut payments = Vec::new();
        if !self.down.is_zero() {
            payments.push(payment("Down payment".into(), self.begins, self.down, Usd::ZERO)?);
        }
        let rest = self.total.checked_sub(self.down)?;
        let count = Usd::from_cents(i64::from(self.count));
        let mut before = Usd::ZERO;
        for number in 1..=self.count {
            // The sum up to here is rounded, not each part: so all of them make the rest exactly.
            let until_here =
                rest.checked_share(Usd::from_cents(i64::from(number)), count)?.round(Rounding::Cent);
            let (anchor, months) = self.anchor;
            let due = anchor.checked_add_months(Months::new(months + number - 1))?;
            let amount = until_here.checked_sub(before)?;
            payments.push(payment(format!("Installment {number}"), due, amount, self.fee)?);
            before = until_here;
        }
        let fees = Usd::checked_sum((0..self.count).map(|_| self.fee))?;
        let total = self.total.checked_add(fees)?.to_string();
        Some(QuotePayments { payments, fees: fees.to_string(), total })
    }
}

/// What is paid first: the percentage of all, or of the premium with all taxes and fees on top.
fn down_payment(sheet: &SheetDetails, total: Usd, premium: Usd, percent: Rate) -> Option<Usd> {
    if !sheet.taxes_first {
        return Some(total.checked_mul(percent)?.round(Rounding::Cent));
    }
    let others = total.checked_sub(premium)?;
    premium.checked_mul(percent)?.round(Rounding::Cent).checked_add(others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::sheet::tests::answer;

    fn plan(total: &str, premium: &str, sheet: SheetDetails) -> Result<QuotePayments, Vec<FieldError>> {
        let answer = QuoteAnswer { total: total.into(), premium: premium.into(), ..answer(1) };
        let request =
            QuoteRequest { policy_effective: "01/31/2026".into(), sheet, ..QuoteRequest::default() };
        plan_payments(&request, &answer)
    }

    #[test]
    fn payments_make_the_total_to_the_cent() {
        for count in [1_u32, 2, 3, 7, 10, 12, 60] {
            for (down, taxes_first) in [("", false), ("25%", false), ("33.333%", true), ("100%", true)] {
                for total in ["0.05", "100.00", "10563.91", "1000000.01"] {
                    let sheet = SheetDetails {
                        installments: count.to_string(),
                        down_payment: down.into(),
                        taxes_first,
                        installment_fee: "$7.50".into(),
                        ..SheetDetails::default()
                    };
                    let plan = plan(total, "0.04", sheet).unwrap();
                    let amounts = plan.payments.iter().map(|payment| Usd::parse(&payment.amount).unwrap());
                    assert_eq!(Usd::checked_sum(amounts), Usd::parse(total).ok(), "{count} {down} {total}");
                    let paid = plan.payments.iter().map(|payment| Usd::parse(&payment.payment).unwrap());
                    assert_eq!(Usd::checked_sum(paid).unwrap().to_string(), plan.total, "{count} {down}");
                }
            }
        }
    }

    #[test]
    fn days_are_months_apart_and_the_last_of_a_short_month() {
        let sheet = SheetDetails {
            installments: "3".into(),
            down_payment: "25".into(),
            taxes_first: true,
            installment_fee: "5".into(),
            ..SheetDetails::default()
        };
        let plan = plan("1050.00", "1000.00", sheet).unwrap();
        let rows: Vec<[&str; 4]> =
            plan.payments.iter().map(|p| [&p.title[..], &p.due[..], &p.amount[..], &p.payment[..]]).collect();
        assert_eq!(
            rows,
            [
                ["Down payment", "2026-01-31", "300.00", "300.00"],
                ["Installment 1", "2026-02-28", "250.00", "255.00"],
                ["Installment 2", "2026-03-31", "250.00", "255.00"],
                ["Installment 3", "2026-04-30", "250.00", "255.00"],
            ]
        );
        assert_eq!((plan.fees.as_str(), plan.total.as_str()), ("15.00", "1065.00"));
    }

    #[test]
    fn what_cannot_be_read_is_named_and_a_credit_has_no_plan() {
        let sheet = SheetDetails {
            installments: "many".into(),
            down_payment: "half".into(),
            installment_fee: "-1".into(),
            first_installment: "01/01/2026".into(),
            ..SheetDetails::default()
        };
        let faults = plan("100.00", "90.00", sheet).unwrap_err();
        let pointers: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
        let expected = [
            "/sheet/installments",
            "/sheet/down_payment",
            "/sheet/installment_fee",
            "/sheet/first_installment",
        ];
        assert_eq!(pointers, expected);
        let some = SheetDetails { installments: "4".into(), ..SheetDetails::default() };
        assert!(plan("-100.00", "-90.00", some).unwrap().payments.is_empty());
        assert!(plan("100.00", "90.00", SheetDetails::default()).unwrap().payments.is_empty());
    }
}
