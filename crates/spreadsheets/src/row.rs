//! A row as typed values. Texts stay in the table; what is typed here is small, for a million rows.

use bordereau_contract::{
    Charge, EntityType, FeeChargedBy, Jurisdiction, Occupancy, TransactionType, WrittenAs,
};
use bordereau_mapping::{AMOUNTS, CHARGE_FIELDS, DATES, FLAGS, Field, ValueKind};
use bordereau_money::{Rate, Usd};
use chrono::NaiveDate;

const NO_AMOUNT: i64 = i64::MIN;

/// The typed values of a transaction. What could not be read is absent here and an issue there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedRow {
    amounts: [i64; AMOUNTS.len()],
    dates: [Option<NaiveDate>; DATES.len()],
    flags: [Option<bool>; FLAGS.len()],
    /// Transaction type.
    pub transaction_type: Option<TransactionType>,
    /// State of the risk.
    pub state: Option<Jurisdiction>,
    /// State of the insured.
    pub mailing_state: Option<Jurisdiction>,
    /// The insured's kind.
    pub entity: Option<EntityType>,
    /// Through a retail agent or direct.
    pub written_as: Option<WrittenAs>,
    /// Who charges the agency fee.
    pub fee_charged_by: Option<FeeChargedBy>,
    /// How the insured holds the dwelling.
    pub occupancy: Option<Occupancy>,
    /// Millionths of a percent.
    pub(crate) assessment_rate: Option<u32>,
    /// Policy type, one of [`bordereau_contract::POLICY_TYPES`].
    pub policy_type: Option<&'static str>,
    /// Fields whose cells are not blank, as bits by [`Field::index`].
    pub(crate) present: u64,
}

/// The code of a code field, typed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TypedCode {
    Transaction(TransactionType),
    State(Jurisdiction),
    Entity(EntityType),
    WrittenAs(WrittenAs),
    Charger(FeeChargedBy),
    Occupancy(Occupancy),
    Policy(&'static str),
}

impl TypedCode {
    pub(crate) fn from_code(field: Field, code: &'static str) -> Option<TypedCode> {
        match field {
            Field::TransactionType => code.parse().ok().map(TypedCode::Transaction),
            Field::PhysicalState | Field::MailingState => code.parse().ok().map(TypedCode::State),
            Field::InsuredEntity => code.parse().ok().map(TypedCode::Entity),
            Field::AccountWrittenAs => code.parse().ok().map(TypedCode::WrittenAs),
            Field::AgencyFeeChargedBy => code.parse().ok().map(TypedCode::Charger),
            Field::Occupancy => code.parse().ok().map(TypedCode::Occupancy),
            Field::PolicyType => Some(TypedCode::Policy(code)),
            _ => None,
        }
    }
}

impl Default for TypedRow {
    fn default() -> Self {
        TypedRow {
            amounts: [NO_AMOUNT; AMOUNTS.len()],
            dates: [None; DATES.len()],
            flags: [None; FLAGS.len()],
            transaction_type: None,
            state: None,
            mailing_state: None,
            entity: None,
            written_as: None,
            fee_charged_by: None,
            occupancy: None,
            assessment_rate: None,
            policy_type: None,
            present: 0,
        }
    }
}

impl TypedRow {
    pub(crate) fn amount_cents(&self, field: Field) -> Option<i64> {
        field
            .typed_index(ValueKind::Amount)
            .and_then(|at| self.amounts.get(at))
            .copied()
            .filter(|cents| *cents != NO_AMOUNT)
    }

    pub(crate) fn set_cents(&mut self, field: Field, cents: Option<i64>) {
        if let Some(amount) = field.typed_index(ValueKind::Amount).and_then(|at| self.amounts.get_mut(at)) {
            *amount = cents.unwrap_or(NO_AMOUNT);
        }
    }

    /// The same at the field's place, which was looked up once for all rows.
    pub(crate) fn put_cents(&mut self, place: usize, cents: i64) {
        if let Some(amount) = self.amounts.get_mut(place) {
            *amount = cents;
        }
    }

    pub(crate) fn put_date(&mut self, place: usize, day: NaiveDate) {
        if let Some(date) = self.dates.get_mut(place) {
            *date = Some(day);
        }
    }

    pub(crate) fn put_flag(&mut self, place: usize, flag: bool) {
        if let Some(own) = self.flags.get_mut(place) {
            *own = Some(flag);
        }
    }

    /// An amount in USD.
    pub fn amount(&self, field: Field) -> Option<Usd> {
        self.amount_cents(field).map(Usd::from_cents)
    }

    /// The amount of a charge in USD.
    pub fn charge(&self, charge: Charge) -> Option<Usd> {
        CHARGE_FIELDS.iter().find(|(of, _)| *of == charge).and_then(|(_, field)| self.amount(*field))
    }

    /// The assessment's rate.
    pub fn assessment_rate(&self) -> Option<Rate> {
        self.assessment_rate.and_then(Rate::from_percent_millionths)
    }

    /// A date.
    pub fn date(&self, field: Field) -> Option<NaiveDate> {
        field.typed_index(ValueKind::Date).and_then(|at| *self.dates.get(at)?)
    }

    pub(crate) fn set_date(&mut self, field: Field, day: Option<NaiveDate>) {
        if let Some(date) = field.typed_index(ValueKind::Date).and_then(|at| self.dates.get_mut(at)) {
            *date = day;
        }
    }

    /// A yes or no.
    pub fn flag(&self, field: Field) -> Option<bool> {
        field.typed_index(ValueKind::Flag).and_then(|at| *self.flags.get(at)?)
    }

    pub(crate) fn set_flag(&mut self, field: Field, flag: Option<bool>) {
        if let Some(place) = field.typed_index(ValueKind::Flag).and_then(|at| self.flags.get_mut(at)) {
            *place = flag;
        }
    }

    /// Whether the field's cell is not blank, readable or not.
    pub fn is_present(&self, field: Field) -> bool {
        self.present & (1 << field.index()) != 0
    }

    pub(crate) fn mark_present(&mut self, field: Field) {
        self.present |= 1 << field.index();
    }

    /// Puts the code of a code field in.
    pub(crate) fn set_code(&mut self, field: Field, code: &'static str) {
        if let Some(code) = TypedCode::from_code(field, code) {
            self.set_coded(field, code);
        }
    }

    pub(crate) fn set_coded(&mut self, field: Field, code: TypedCode) {
        match code {
            TypedCode::Transaction(code) => self.transaction_type = Some(code),
            TypedCode::State(state) if field == Field::MailingState => self.mailing_state = Some(state),
            TypedCode::State(state) => self.state = Some(state),
            TypedCode::Entity(entity) => self.entity = Some(entity),
            TypedCode::WrittenAs(code) => self.written_as = Some(code),
            TypedCode::Charger(who) => self.fee_charged_by = Some(who),
            TypedCode::Occupancy(how) => self.occupancy = Some(how),
            TypedCode::Policy(code) => self.policy_type = Some(code),
        }
    }

    /// The code of a code field.
    pub fn code(&self, field: Field) -> Option<&'static str> {
        match field {
            Field::TransactionType => self.transaction_type.map(TransactionType::code),
            Field::PhysicalState => self.state.map(Jurisdiction::code),
            Field::MailingState => self.mailing_state.map(Jurisdiction::code),
            Field::InsuredEntity => self.entity.map(EntityType::code),
            Field::AccountWrittenAs => self.written_as.map(WrittenAs::code),
            Field::AgencyFeeChargedBy => self.fee_charged_by.map(FeeChargedBy::code),
            Field::Occupancy => self.occupancy.map(Occupancy::code),
            Field::PolicyType => self.policy_type,
            _ => None,
        }
    }

    /// The day the transaction takes effect: its own, or the policy's where it starts the policy.
    pub fn effective_date(&self) -> Option<NaiveDate> {
        self.date(Field::TransactionEffectiveDate).or_else(|| {
            let starts = self.transaction_type.is_none_or(TransactionType::starts_policy);
            self.date(Field::PolicyEffectiveDate).filter(|_| starts)
        })
    }
}

/// What is kept of each transaction's typed values: a million of them are to take little memory. The others are read
/// again where they are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionFigures {
    premium: i64,
    taxes: i64,
    stamping: i64,
    /// The day it takes effect.
    pub effective_date: Option<NaiveDate>,
    /// Its type.
    pub transaction_type: Option<TransactionType>,
    /// State of the risk.
    pub state: Option<Jurisdiction>,
}

impl TransactionFigures {
    pub(crate) fn from_row(row: &TypedRow) -> TransactionFigures {
        let cents = |field| row.amount_cents(field).unwrap_or(NO_AMOUNT);
        let taxes = Charge::sum_taxes(|charge| row.charge(charge)).unwrap_or(Usd::MAX);
        TransactionFigures {
            premium: cents(Field::Premium),
            taxes: taxes.to_cents().unwrap_or(i64::MAX),
            stamping: cents(Field::StampingFee),
            effective_date: row.effective_date(),
            transaction_type: row.transaction_type,
            state: row.state,
        }
    }

    pub(crate) fn premium_cents(&self) -> Option<i64> {
        Some(self.premium).filter(|cents| *cents != NO_AMOUNT)
    }

    /// Premium in USD; none where it is missing or cannot be read.
    pub fn premium(&self) -> Option<Usd> {
        self.premium_cents().map(Usd::from_cents)
    }

    /// Taxes and state fees in USD, as far as they can be read.
    pub fn taxes(&self) -> Usd {
        Usd::from_cents(self.taxes)
    }

    /// Stamping fee in USD; none where it is missing or cannot be read.
    pub fn stamping(&self) -> Option<Usd> {
        Some(self.stamping).filter(|cents| *cents != NO_AMOUNT).map(Usd::from_cents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::issue::Finding;

    /// A million rows that are all wrong are read within 500 MB.
    #[test]
    fn what_is_kept_of_a_row_is_small() {
        assert!(size_of::<TransactionFigures>() <= 32, "{}", size_of::<TransactionFigures>());
        assert!(size_of::<Finding>() <= 32, "{}", size_of::<Finding>());
    }

    #[test]
    fn figures_are_those_of_the_row() {
        let mut row = TypedRow::default();
        let figures = TransactionFigures::from_row(&row);
        assert_eq!((figures.premium(), figures.taxes(), figures.stamping()), (None, Usd::ZERO, None));
        row.set_cents(Field::Premium, Some(-10_000));
        row.set_cents(Field::SlTax, Some(485));
        row.set_cents(Field::StampingFee, Some(4));
        row.set_cents(Field::AgencyFee, Some(999));
        let figures = TransactionFigures::from_row(&row);
        assert_eq!(figures.premium().map(|premium| premium.to_string()).as_deref(), Some("-100.00"));
        assert_eq!(figures.taxes().to_string(), "4.89", "a fee is no tax");
        assert_eq!(figures.stamping().map(|fee| fee.to_string()).as_deref(), Some("0.04"));
        // More than an amount can be is not taken for a small one.
        row.set_cents(Field::SlTax, Some(99_999_999_999_999));
        row.set_cents(Field::FmTax, Some(99_999_999_999_999));
        assert_eq!(TransactionFigures::from_row(&row).taxes(), Usd::MAX);
    }
}
