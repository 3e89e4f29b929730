//! A reviewed transaction as it travels.

use bordereau_contract::{CoverageItem, ImportTransaction, Jurisdiction};
use bordereau_mapping::Field;
use bordereau_money::Usd;
use bordereau_tables::trim_blanks;
use bordereau_tax::LinesTable;

use crate::check::line_named;
use crate::duplicate_index::sent_key;
use crate::review::Review;
use crate::row::TypedRow;
use crate::row_reader::RowReader;
use crate::sent_rows::{SameTransaction, TransactionKey};
use crate::transaction::{EntryList, GatheredTransaction};

struct WireValues<'r> {
    reader: RowReader<'r>,
    lines: &'r LinesTable,
    row: usize,
    typed: TypedRow,
}

impl WireValues<'_> {
    fn text_value(&self, field: Field) -> Option<String> {
        Some(self.reader.field_text(self.row, field)).filter(|text| !text.is_empty())
    }

    fn date_value(&self, field: Field) -> Option<String> {
        self.typed.date(field).map(|day| day.to_string())
    }

    fn amount_value(&self, field: Field) -> Option<Usd> {
        self.typed.amount(field)
    }

    fn flag_value(&self, field: Field) -> Option<u8> {
        self.typed.flag(field).map(u8::from)
    }

    fn code_value(&self, field: Field) -> Option<String> {
        self.typed.code(field).map(str::to_owned)
    }

    fn list_items(&self, list: &EntryList<'_>, field: Field, whole: Option<i64>) -> Vec<CoverageItem> {
        let alone = list.items.len() == 1;
        let percent = field != Field::LineOfBusiness;
        let item = |item: &crate::transaction::ListItem<'_>| {
            let remembered = self.reader.mapping.remembered_code(field, item.text);
            let share = item.share.or(if alone { whole } else { None });
            let coverage = share.and_then(|share| {
                if percent { Usd::parse(&wire_percent(share)).ok() } else { Some(Usd::from_cents(share)) }
            });
            CoverageItem { item: self.line_code(field, remembered.unwrap_or(item.text)), coverage }
        };
        list.items.iter().map(item).collect()
    }
}

impl WireValues<'_> {
    /// The code of a line that a word names: what the review shows for it is what is sent.
    fn line_code(&self, field: Field, word: &str) -> String {
        let state = self.typed.state.unwrap_or(Jurisdiction::Tx);
        let is_word = field == Field::LineOfBusiness && self.lines.find(word, state).is_none();
        let named = is_word.then(|| line_named(self.lines, word)).flatten();
        named.map_or_else(|| word.to_owned(), |line| line.code.to_string())
    }
}

/// Millionths of a percent as a decimal: `33.333300`.
fn wire_percent(millionths: i64) -> String {
    format!("{}.{:06}", millionths / 1_000_000, (millionths % 1_000_000).abs())
}

impl Review {
    /// The transaction as it is sent. What could not be read is absent, never zero.
    pub fn to_wire(&self, transaction: usize) -> ImportTransaction {
        let reader = self.row_reader();
        let mut gathered = GatheredTransaction::default();
        gathered.read(&reader, self.transactions().rows_of(transaction), &mut Vec::new());
        let premium = gathered.typed.amount_cents(Field::Premium);
        let values =
            WireValues { row: gathered.row, typed: gathered.typed.clone(), lines: &self.lines, reader };
        let lines = values.list_items(&gathered.lines, Field::LineOfBusiness, premium);
        let insurers =
            values.list_items(&gathered.insurers, Field::InsuranceCompany, Some(crate::share::WHOLE));
        let syndicates = values.list_items(&gathered.syndicates, Field::Syndicate, Some(crate::share::WHOLE));
        let v = &values;
        ImportTransaction {
            id: v.text_value(Field::Id).unwrap_or_default(),
            agent_id: v.text_value(Field::AgentId),
            policy_number: v.text_value(Field::PolicyNumber),
            policy_effective_date: v.date_value(Field::PolicyEffectiveDate),
            policy_expiration_date: v.date_value(Field::PolicyExpirationDate),
            transaction_effective_date: v.date_value(Field::TransactionEffectiveDate),
            expiring_policy_number: v.text_value(Field::ExpiringPolicyNumber),
            invoice_date: v.date_value(Field::InvoiceDate),
            invoice_number: v.text_value(Field::InvoiceNumber),
            transaction_type: v.code_value(Field::TransactionType),
            policy_type: v.code_value(Field::PolicyType),
            account_written_as: v.code_value(Field::AccountWrittenAs),
            rpg: v.flag_value(Field::Rpg),
            layered_risk: v.flag_value(Field::LayeredRisk),
            broker_of_record: v.flag_value(Field::BrokerOfRecord),
            risk_retention_group: v.flag_value(Field::RiskRetentionGroup),
            purchasing_group_name: v.text_value(Field::PurchasingGroupName),
            risk_description: v.text_value(Field::RiskDescription),
            ecp: v.flag_value(Field::Ecp),
            exempt: v.flag_value(Field::Exempt),
            multi_state: v.flag_value(Field::MultiState),
            policy_limit: v.amount_value(Field::PolicyLimit),
            property_limit: v.amount_value(Field::PropertyLimit),
            line_of_business_list: lines,
            insurance_company_list: insurers,
            syndicate_list: syndicates,
            premium: v.amount_value(Field::Premium),
            agency_fee: v.amount_value(Field::AgencyFee),
            inspection_fee: v.amount_value(Field::InspectionFee),
            collection_fee: v.amount_value(Field::CollectionFee),
            sl_tax: v.amount_value(Field::SlTax),
            stamping_fee: v.amount_value(Field::StampingFee),
            sl_service_charge: v.amount_value(Field::SlServiceCharge),
            municipal_fee: v.amount_value(Field::MunicipalFee),
            county_fee: v.amount_value(Field::CountyFee),
            fm_tax: v.amount_value(Field::FmTax),
            empa_tax: v.amount_value(Field::EmpaTax),
            total: v.amount_value(Field::Total),
            commission_received: v.flag_value(Field::CommissionReceived),
            mailing_insured_name: v.text_value(Field::InsuredName),
            mailing_address: v.text_value(Field::MailingAddress),
            mailing_city: v.text_value(Field::MailingCity),
            mailing_zip_code: v.text_value(Field::MailingZip),
            mailing_state_code: v.code_value(Field::MailingState),
            insured_entity: v.code_value(Field::InsuredEntity),
            insured_email: v.text_value(Field::InsuredEmail),
            insured_phone: v.text_value(Field::InsuredPhone),
            physical_address: v.text_value(Field::PhysicalAddress),
            physical_city: v.text_value(Field::PhysicalCity),
            physical_zip_code: v.text_value(Field::PhysicalZip),
            physical_state: v.code_value(Field::PhysicalState),
            retail_producer: v.text_value(Field::RetailProducer),
            agency_fee_charged_by: v.code_value(Field::AgencyFeeChargedBy),
            occupancy: v.code_value(Field::Occupancy),
            assessment_rate: v.typed.assessment_rate(),
            documents: Vec::new(),
        }
    }

    /// The key by which the transaction is recognized when it comes again.
    pub fn duplicate_key(&self, transaction: usize) -> Option<SameTransaction> {
        let row = *self.transactions().rows_of(transaction).first()? as usize;
        let policy = self.row_reader().field_text(row, Field::PolicyNumber);
        sent_key(&policy, self.figures(transaction))
    }

    /// What makes each transaction that is not excluded the same as another.
    pub fn transaction_keys(&self) -> Vec<TransactionKey> {
        let reader = self.row_reader();
        let key = |transaction: usize| {
            let row = *self.transactions().rows_of(transaction).first()? as usize;
            let policy = reader.field_text(row, Field::PolicyNumber);
            let is_in = !self.is_excluded(row);
            is_in.then(|| TransactionKey {
                line: self.source().table.line(row),
                id: trim_blanks(reader.field_cell(row, Field::Id).1.text).to_owned(),
                same: sent_key(&policy, self.figures(transaction)),
            })
        };
        (0..self.transactions().count()).filter_map(key).collect()
    }
}
