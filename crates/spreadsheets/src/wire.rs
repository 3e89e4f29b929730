//! A reviewed transaction as it travels.

use bordereau_contract::{CoverageItem, ImportTransaction};
use bordereau_money::Usd;

use crate::duplicate_index::sent_key;
use crate::field::Field;
use crate::reading::RowReader;
use crate::review::Review;
use crate::row::TypedRow;
use crate::sent::SameTransaction;
use crate::transaction::{Gathered, List};

struct Values<'r> {
    reader: RowReader<'r>,
    row: usize,
    typed: TypedRow,
}

impl Values<'_> {
    fn text(&self, field: Field) -> Option<String> {
        Some(self.reader.text(self.row, field)).filter(|text| !text.is_empty())
    }

    fn date(&self, field: Field) -> Option<String> {
        self.typed.date(field).map(|day| day.to_string())
    }

    fn amount(&self, field: Field) -> Option<Usd> {
        self.typed.amount(field)
    }

    fn flag(&self, field: Field) -> Option<u8> {
        self.typed.flag(field).map(u8::from)
    }

    fn code(&self, field: Field) -> Option<String> {
        self.typed.code(field).map(str::to_owned)
    }

    fn list(&self, list: &List<'_>, field: Field, whole: Option<i64>) -> Vec<CoverageItem> {
        let alone = list.items.len() == 1;
        let percent = field != Field::LineOfBusiness;
        let item = |item: &crate::transaction::Item<'_>| {
            let remembered = self.reader.mapping.value(field, item.text);
            let share = item.share.or(if alone { whole } else { None });
            let coverage = share.and_then(|share| {
                if percent { Usd::parse(&percent_text(share)).ok() } else { Some(Usd::from_cents(share)) }
            });
            CoverageItem { item: remembered.unwrap_or(item.text).to_owned(), coverage }
        };
        list.items.iter().map(item).collect()
    }
}

/// Millionths of a percent as a decimal: `33.333300`.
fn percent_text(millionths: i64) -> String {
    format!("{}.{:06}", millionths / 1_000_000, (millionths % 1_000_000).abs())
}

impl Review {
    /// The transaction as it is sent. What could not be read is absent, never zero.
    #[must_use]
    pub fn wire(&self, transaction: usize) -> ImportTransaction {
        let reader = self.row_reader();
        let mut gathered = Gathered::default();
        gathered.read(&reader, self.transactions().rows(transaction), &mut Vec::new());
        let premium = gathered.typed.cents(Field::Premium);
        let values = Values { row: gathered.row, typed: gathered.typed.clone(), reader };
        let lines = values.list(&gathered.lines, Field::LineOfBusiness, premium);
        let insurers = values.list(&gathered.insurers, Field::InsuranceCompany, Some(crate::share::WHOLE));
        let syndicates = values.list(&gathered.syndicates, Field::Syndicate, Some(crate::share::WHOLE));
        let v = &values;
        ImportTransaction {
            id: v.text(Field::Id).unwrap_or_default(),
            agent_id: v.text(Field::AgentId),
            policy_number: v.text(Field::PolicyNumber),
            policy_effective_date: v.date(Field::PolicyEffectiveDate),
            policy_expiration_date: v.date(Field::PolicyExpirationDate),
            transaction_effective_date: v.date(Field::TransactionEffectiveDate),
            expiring_policy_number: v.text(Field::ExpiringPolicyNumber),
            invoice_date: v.date(Field::InvoiceDate),
            invoice_number: v.text(Field::InvoiceNumber),
            transaction_type: v.code(Field::TransactionType),
            policy_type: v.code(Field::PolicyType),
            account_written_as: v.code(Field::AccountWrittenAs),
            rpg: v.flag(Field::Rpg),
            layered_risk: v.flag(Field::LayeredRisk),
            broker_of_record: v.flag(Field::BrokerOfRecord),
            risk_retention_group: v.flag(Field::RiskRetentionGroup),
            purchasing_group_name: v.text(Field::PurchasingGroupName),
            risk_description: v.text(Field::RiskDescription),
            ecp: v.flag(Field::Ecp),
            exempt: v.flag(Field::Exempt),
            multi_state: v.flag(Field::MultiState),
            policy_limit: v.amount(Field::PolicyLimit),
            property_limit: v.amount(Field::PropertyLimit),
            line_of_business_list: lines,
            insurance_company_list: insurers,
            syndicate_list: syndicates,
            premium: v.amount(Field::Premium),
            agency_fee: v.amount(Field::AgencyFee),
            inspection_fee: v.amount(Field::InspectionFee),
            collection_fee: v.amount(Field::CollectionFee),
            sl_tax: v.amount(Field::SlTax),
            stamping_fee: v.amount(Field::StampingFee),
            sl_service_charge: v.amount(Field::SlServiceCharge),
            municipal_fee: v.amount(Field::MunicipalFee),
            county_fee: v.amount(Field::CountyFee),
            fm_tax: v.amount(Field::FmTax),
            empa_tax: v.amount(Field::EmpaTax),
            total: v.amount(Field::Total),
            commission_received: v.flag(Field::CommissionReceived),
            mailing_insured_name: v.text(Field::InsuredName),
            mailing_address: v.text(Field::MailingAddress),
            mailing_city: v.text(Field::MailingCity),
            mailing_zip_code: v.text(Field::MailingZip),
            mailing_state_code: v.code(Field::MailingState),
            insured_entity: v.code(Field::InsuredEntity),
            insured_email: v.text(Field::InsuredEmail),
            insured_phone: v.text(Field::InsuredPhone),
            physical_address: v.text(Field::PhysicalAddress),
            physical_city: v.text(Field::PhysicalCity),
            physical_zip_code: v.text(Field::PhysicalZip),
            physical_state: v.code(Field::PhysicalState),
            retail_producer: v.text(Field::RetailProducer),
            agency_fee_charged_by: v.code(Field::AgencyFeeChargedBy),
            occupancy: v.code(Field::Occupancy),
            assessment_rate: v.typed.assessment_rate(),
            documents: Vec::new(),
        }
    }

    /// The key by which the transaction is recognized when it comes again.
    #[must_use]
    pub fn key(&self, transaction: usize) -> Option<SameTransaction> {
        let row = *self.transactions().rows(transaction).first()? as usize;
        let policy = self.row_reader().text(row, Field::PolicyNumber);
        sent_key(&policy, self.typed(transaction))
    }
}
