//! The amounts of one transaction: provided, calculated, invoiced and paid, side by side.

use bordereau_contract::{Charge, ImportTransaction, TransactionRecord, TransactionType};
use bordereau_money::Usd;

use super::detail::is_credit;
use bordereau_api::{ComparedAmount, QuoteAnswer, QuoteLine, QuoteRequest};

/// The answer of the built-in rules, or why there is none.
pub(super) type CalculatedAnswer = Result<QuoteAnswer, String>;

/// All amounts that say something, and their sum.
pub(super) fn compare_amounts(
    record: &TransactionRecord,
    sent: Option<&ImportTransaction>,
    calculated: &CalculatedAnswer,
) -> Vec<ComparedAmount> {
    let credit = is_credit(record.transaction_type.as_deref());
    let signed = |amount: Usd| if credit { amount.abs().negated() } else { amount };
    let answer = calculated.as_ref().ok();
    let mut all: Vec<ComparedAmount> = Vec::new();
    let mut add = |name: &str, title: &str, provided: Option<Usd>, invoiced: Option<Usd>, is_paid: bool| {
        let of_answer = answer.and_then(|answer| amount_of(answer, name));
        let line = AmountComparison {
            provided: provided.map(signed),
            calculated: of_answer.map(signed),
            invoiced,
            paid: invoiced.filter(|_| is_paid),
        };
        if line.has_amount() {
            all.push(line.to_view(name, &title_of(answer, name).unwrap_or_else(|| title.to_owned()), answer));
        }
    };
    add(
        "premium",
        "Premium",
        sent.map(bordereau_api::totals::signed_premium),
        record.signed_premium(),
        false,
    );
    for charge in Charge::ALL {
        let provided = sent.and_then(|sent| sent.charge(charge));
        let is_paid = charge.payment().is_some_and(|payment| record.paid_date(payment).is_some());
        add(charge.name(), charge.title(), provided, record.charge(charge), is_paid);
    }
    let whole = |of: fn(&ComparedAmount) -> Option<&String>| {
        let amounts: Vec<Usd> = all.iter().filter_map(|line| Usd::parse(of(line)?).ok()).collect();
        Usd::checked_sum(amounts.iter().copied()).filter(|_| !amounts.is_empty())
    };
    // A sum without an amount that is expected and was not given is none.
    let lacks = |line: &ComparedAmount| {
        let expected = [&line.provided, &line.calculated].into_iter().flatten();
        let mut expected = expected.filter_map(|amount| Usd::parse(amount).ok());
        line.invoiced.is_none() && expected.any(|amount| !amount.is_zero())
    };
    let is_invoiced = !all.iter().any(lacks);
    let total = AmountComparison {
        provided: sent.and_then(|sent| sent.total).map(signed),
        calculated: answer.and_then(|answer| Usd::parse(&answer.total).ok()).map(signed),
        invoiced: whole(|line| line.invoiced.as_ref()).filter(|_| is_invoiced),
        paid: whole(|line| line.paid.as_ref()),
    };
    all.push(total.to_view("total", "Total", None));
    all
}

struct AmountComparison {
    provided: Option<Usd>,
    calculated: Option<Usd>,
    invoiced: Option<Usd>,
    paid: Option<Usd>,
}

impl AmountComparison {
    fn has_amount(&self) -> bool {
        [self.provided, self.calculated, self.invoiced].into_iter().flatten().any(|amount| !amount.is_zero())
    }

    /// What is paid is a part of the whole: only the other three are expected to be the same.
    fn to_view(&self, name: &str, title: &str, answer: Option<&QuoteAnswer>) -> ComparedAmount {
        let known: Vec<Usd> = [self.provided, self.calculated, self.invoiced].into_iter().flatten().collect();
        let shown = |amount: Option<Usd>| amount.map(|amount| amount.to_string());
        let charges = answer.into_iter().flat_map(|answer| &answer.charges);
        ComparedAmount {
            field: name.to_owned(),
            title: title.to_owned(),
            provided: shown(self.provided),
            calculated: shown(self.calculated),
            invoiced: shown(self.invoiced),
            paid: shown(self.paid),
            differs: known.windows(2).any(|pair| pair[0] != pair[1]),
            why: charges.filter(|charge| charge.field == name).cloned().collect(),
        }
    }
}

fn amount_of(answer: &QuoteAnswer, name: &str) -> Option<Usd> {
    let text = match name {
        "premium" => &answer.premium,
        "agency_fee" => &answer.agency_fee,
        "inspection_fee" => &answer.inspection_fee,
        _ => &answer.fields.iter().find(|field| field.field == name)?.amount,
    };
    Usd::parse(text).ok()
}

/// States title their charges differently: as the rules have it where they do.
fn title_of(answer: Option<&QuoteAnswer>, name: &str) -> Option<String> {
    answer?.fields.iter().find(|field| field.field == name).map(|field| field.title.clone())
}

/// What was sent, asked of the calculator as a person would ask it.
pub(super) fn quote_request(sent: &ImportTransaction) -> QuoteRequest {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let amount = |amount: Option<Usd>| amount.map(|amount| amount.abs().to_string()).unwrap_or_default();
    let flag = |flag: Option<u8>| flag == Some(1);
    let kind: Option<TransactionType> = sent.transaction_type.as_deref().and_then(|code| code.parse().ok());
    let single = sent.line_of_business_list.len() == 1;
    let lines = sent.line_of_business_list.iter().map(|line| QuoteLine {
        code: line.item.clone(),
        premium: amount(line.coverage.or(sent.premium.filter(|_| single))),
    });
    QuoteRequest {
        state: text(&sent.physical_state),
        transaction_type: text(&sent.transaction_type),
        lines: lines.collect(),
        agency_fee: amount(sent.agency_fee),
        inspection_fee: amount(sent.inspection_fee),
        policy_effective: text(&sent.policy_effective_date),
        // What starts a policy takes effect with it, whatever date is in the row.
        transaction_effective: if kind.is_some_and(TransactionType::starts_policy) {
            String::new()
        } else {
            text(&sent.transaction_effective_date)
        },
        entity: text(&sent.insured_entity),
        rpg: flag(sent.rpg),
        ecp: flag(sent.ecp),
        tax_exempt: flag(sent.exempt),
        commission_received: flag(sent.commission_received),
        written_as: text(&sent.account_written_as),
        fee_charged_by: text(&sent.agency_fee_charged_by),
        occupancy: text(&sent.occupancy),
        assessment_rate: sent.assessment_rate.map(|rate| rate.to_percent().to_string()).unwrap_or_default(),
        address: text(&sent.physical_address),
        city: text(&sent.physical_city),
        zip: text(&sent.physical_zip_code),
        insured: text(&sent.mailing_insured_name),
        ..QuoteRequest::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usd(text: &str) -> Option<Usd> {
        Usd::parse(text).ok()
    }

    fn compared(kind: &str, record: TransactionRecord) -> Vec<(String, Option<String>, bool)> {
        let sent = ImportTransaction {
            transaction_type: Some(kind.into()),
            premium: usd("1000"),
            sl_tax: usd("30"),
            total: usd("1030"),
            ..ImportTransaction::default()
        };
        let record = TransactionRecord { transaction_type: Some(kind.into()), ..record };
        let all = compare_amounts(&record, Some(&sent), &Err(String::new()));
        all.into_iter().map(|line| (line.field, line.invoiced, line.differs)).collect()
    }

    #[test]
    fn a_return_does_not_differ_by_its_sign_alone() {
        for (premium, tax) in [("1000", "30"), ("-1000", "-30")] {
            let record =
                TransactionRecord { premium: usd(premium), sl_tax: usd(tax), ..TransactionRecord::default() };
            let line = |name: &str, amount: &str| (name.to_owned(), Some(amount.to_owned()), false);
            let expected = [line("premium", "-1000.00"), line("sl_tax", "-30.00"), line("total", "-1030.00")];
            assert_eq!(compared("RPE", record), expected, "{premium}");
        }
    }

    #[test]
    fn a_total_without_all_its_amounts_is_none() {
        let record = TransactionRecord { premium: usd("1000"), ..TransactionRecord::default() };
        let found = compared("PN", record);
        assert_eq!(found.last(), Some(&("total".to_owned(), None, false)), "{found:?}");
    }
}
