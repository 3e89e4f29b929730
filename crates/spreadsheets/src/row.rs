//! A row as typed values. Texts stay in the table; what is typed here is small, for a million rows.

use bordereau_contract::{
    Charge, EntityType, FeeChargedBy, Jurisdiction, Occupancy, TransactionType, WrittenAs,
};
use bordereau_money::{Rate, Usd};
use chrono::NaiveDate;

use crate::field::{AMOUNTS, CHARGE_FIELDS, DATES, FLAGS, Field, ValueKind};

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

/// Transactions in a piece of [`TypedRows`], and checked at a time: enough that handing over costs nothing, few
/// enough that what is found is never held twice.
pub(crate) const PIECE: usize = 1_024;

/// The typed values of all transactions, in the pieces they were made in: put together they would be copied and,
/// for a moment, be held twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypedRows(Vec<Vec<TypedRow>>);

impl TypedRows {
    /// Adds the next piece; all but the last have [`PIECE`] rows.
    pub(crate) fn push(&mut self, piece: Vec<TypedRow>) {
        self.0.push(piece);
    }
}

impl std::ops::Index<usize> for TypedRows {
    type Output = TypedRow;

    fn index(&self, transaction: usize) -> &TypedRow {
        &self.0[transaction / PIECE][transaction % PIECE]
    }
}

impl std::ops::IndexMut<usize> for TypedRows {
    fn index_mut(&mut self, transaction: usize) -> &mut TypedRow {
        &mut self.0[transaction / PIECE][transaction % PIECE]
    }
}
