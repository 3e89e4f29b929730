//! The OpenAPI document: served, kept beside the sources, and true to the wire types.

use std::collections::BTreeSet;

use bordereau_contract::{
    ApplicableTransaction, BatchStatus, CalculateRequest, CalculateResponse, CoverageItem, DateRange,
    Declination, DiligentForms, DiligentRequest, DiligentRequirement, DocumentImport, DocumentOutcome,
    DocumentsImported, FieldProblem, FilledForm, ImportAccepted, ImportDocument, ImportRequest, ImportResult,
    ImportResults, ImportTransaction, LabeledId, LineOfBusiness, MunicipalSettingEntry, MunicipalTaxSetting,
    Pagination, ProblemBody, RecordDocument, SearchAnswer, SearchRequest, SingleTransaction, StateDocument,
    StateNote, StateProperties, TaxRule, TransactionRecord,
};
use bordereau_money::{Rate, Usd};
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::service;

#[tokio::test(flavor = "multi_thread")]
async fn it_is_served_as_it_is_kept() {
    let kept = include_str!("../../openapi.json");
    let present = bordereau_service::openapi::document_text();
    assert!(kept == present, "crates/service/openapi.json is stale: write it with `cargo xtask codegen`");
    let service = service().await;
    let served = service.send(service.bare(Method::GET, "/openapi.json")).await.expect(200);
    assert_eq!(served.text, kept);
}

/// The request with every optional field given.
fn full_request() -> Value {
    let text = Some(String::from("x"));
    serde_json::to_value(CalculateRequest {
        line_of_business: text.clone(),
        premium: Some(Usd::ZERO),
        rpg: 1,
        policy_effective_date: text.clone(),
        transaction_effective_date: text.clone(),
        mailing_entity_type: text.clone(),
        commission_received: 1,
        admitted: 1,
        physical_address: text.clone(),
        physical_city: text.clone(),
        physical_zip_code: text.clone(),
        municipality_name: text.clone(),
        account_written_as: text,
        tax_exempt: 1,
        ecp: 1,
        export_list: 1,
        agency_fee_charged_by: Some(String::from("x")),
        occupancy: Some(String::from("x")),
        assessment_rate: Some(Rate::ZERO),
        ..CalculateRequest::default()
    })
    .unwrap()
}

/// The transaction with every optional field given; a field forgotten here fails to compile.
fn full_transaction() -> Value {
    let text = || Some(String::from("x"));
    let (flag, amount) = (Some(1), Some(Usd::ZERO));
    let list = || vec![CoverageItem::default()];
    serde_json::to_value(ImportTransaction {
        id: String::from("x"),
        agent_id: text(),
        policy_number: text(),
        policy_effective_date: text(),
        policy_expiration_date: text(),
        transaction_effective_date: text(),
        expiring_policy_number: text(),
        invoice_date: text(),
        invoice_number: text(),
        transaction_type: text(),
        policy_type: text(),
        account_written_as: text(),
        rpg: flag,
        layered_risk: flag,
        broker_of_record: flag,
        risk_retention_group: flag,
        purchasing_group_name: text(),
        risk_description: text(),
        ecp: flag,
        exempt: flag,
        multi_state: flag,
        policy_limit: amount,
        property_limit: amount,
        line_of_business_list: list(),
        insurance_company_list: list(),
        syndicate_list: list(),
        premium: amount,
        agency_fee: amount,
        inspection_fee: amount,
        collection_fee: amount,
        sl_tax: amount,
        stamping_fee: amount,
        sl_service_charge: amount,
        municipal_fee: amount,
        county_fee: amount,
        fm_tax: amount,
        empa_tax: amount,
        total: amount,
        commission_received: flag,
        mailing_insured_name: text(),
        mailing_address: text(),
        mailing_city: text(),
        mailing_zip_code: text(),
        mailing_state_code: text(),
        insured_entity: text(),
        insured_email: text(),
        insured_phone: text(),
        physical_address: text(),
        physical_city: text(),
        physical_zip_code: text(),
        physical_state: text(),
        retail_producer: text(),
        agency_fee_charged_by: text(),
        occupancy: text(),
        assessment_rate: Some(Rate::ZERO),
        documents: vec![ImportDocument::default()],
    })
    .unwrap()
}

fn full_response() -> Value {
    let (premium_tax, premium_tax_life) = (Some(Usd::ZERO), Some(Usd::ZERO));
    serde_json::to_value(CalculateResponse { premium_tax, premium_tax_life, ..CalculateResponse::default() })
        .unwrap()
}

#[test]
fn its_fields_are_those_of_the_wire_types() {
    let document: Value = serde_json::from_str(bordereau_service::openapi::document_text()).unwrap();
    let field = || FieldProblem { pointer: String::new(), detail: String::new() };
    let problem = ProblemBody {
        kind: String::new(),
        title: String::new(),
        status: 422,
        detail: String::new(),
        errors: vec![field()],
    };
    let accepted =
        ImportAccepted { status: BatchStatus::Queued, total_items: 1, ..ImportAccepted::default() };
    let result = ImportResult { documents: vec![DocumentOutcome::default()], ..ImportResult::default() };
    let results = ImportResults { status: BatchStatus::Queued, ..ImportResults::default() };
    let document_import = DocumentImport {
        transaction_id: Some(1),
        invoice_number: Some(String::new()),
        documents: Vec::new(),
    };
    let range = DateRange::from_unordered("2026-02-23".parse().unwrap(), "2026-02-23".parse().unwrap());
    let search = SearchRequest {
        date_filed: Some(range),
        policy_effective_date: Some(range),
        transaction_effective_date: Some(range),
    };
    let value = |result: Result<Value, serde_json::Error>| result.unwrap();
    for (schema, wire) in [
        ("CalculateRequest", full_request()),
        ("CalculateResponse", full_response()),
        ("LineOfBusiness", value(serde_json::to_value(LineOfBusiness::default()))),
        ("StateProperties", value(serde_json::to_value(StateProperties::default()))),
        ("TaxRule", value(serde_json::to_value(TaxRule::default()))),
        ("LabeledId", value(serde_json::to_value(LabeledId::default()))),
        ("StateNote", value(serde_json::to_value(StateNote::default()))),
        ("StateDocument", value(serde_json::to_value(StateDocument::default()))),
        ("ApplicableTransaction", value(serde_json::to_value(ApplicableTransaction::default()))),
        ("MunicipalSettingEntry", value(serde_json::to_value(MunicipalSettingEntry::default()))),
        ("MunicipalTaxSetting", value(serde_json::to_value(MunicipalTaxSetting::default()))),
        ("ProblemBody", value(serde_json::to_value(problem))),
        ("FieldProblem", value(serde_json::to_value(field()))),
        ("CoverageItem", value(serde_json::to_value(CoverageItem::default()))),
        ("ImportDocument", value(serde_json::to_value(ImportDocument::default()))),
        ("ImportTransaction", full_transaction()),
        ("SingleTransaction", value(serde_json::to_value(SingleTransaction::default()))),
        ("ImportRequest", value(serde_json::to_value(ImportRequest::default()))),
        ("ImportAccepted", value(serde_json::to_value(accepted))),
        ("ImportResult", value(serde_json::to_value(&result))),
        ("ImportResults", value(serde_json::to_value(results))),
        ("DocumentImport", value(serde_json::to_value(document_import))),
        ("DocumentsImported", value(serde_json::to_value(DocumentsImported::default()))),
        ("DocumentOutcome", value(serde_json::to_value(DocumentOutcome::default()))),
        ("DateRange", value(serde_json::to_value(range))),
        ("SearchRequest", value(serde_json::to_value(search))),
        ("Pagination", value(serde_json::to_value(Pagination::default()))),
        ("SearchAnswer", value(serde_json::to_value(SearchAnswer::default()))),
        ("RecordDocument", value(serde_json::to_value(RecordDocument::default()))),
        ("TransactionRecord", value(serde_json::to_value(TransactionRecord::default()))),
        ("DiligentRequest", value(serde_json::to_value(DiligentRequest::default()))),
        ("Declination", value(serde_json::to_value(Declination::default()))),
        ("DiligentForms", value(serde_json::to_value(DiligentForms::default()))),
        ("DiligentRequirement", value(serde_json::to_value(DiligentRequirement::default()))),
        ("FilledForm", value(serde_json::to_value(FilledForm::default()))),
        ("TokenResponse", json!({"access_token": "", "refresh_token": "", "expires_in": 1})),
    ] {
        let listed = &document["components"]["schemas"][schema]["properties"];
        let names = |object: &Value| object.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(names(listed), names(&wire), "{schema}");
    }
}
