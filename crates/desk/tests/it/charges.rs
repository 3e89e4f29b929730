//! One policy, one figure: "Taxes and state fees" is the same before it is sent and after, in the window, on the command
//! line and in an export; what the collector of a local tax keeps is a fee everywhere.

use bordereau_desk::api::*;
use bordereau_desk::text;
use bordereau_money::Usd;
use serde_json::json;

use crate::outbox_fixture::{OutboxFixture, ended};
use crate::outbox_review::{preview, send, started};
use crate::test_desk::{amount, question};

const COLLECTION_FEE: &str = "3.00";

fn usd(text: &str) -> Usd {
    Usd::parse(text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_has_one_figure_of_taxes_and_state_fees_everywhere() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let asked = QuoteRequest { city: "Lexington".into(), ..question("KY", "PN", &[("GEN-1002", "1000")]) };
    let estimate = desk.quote_estimate(asked.clone()).await.unwrap();
    let answer = desk.quote_calculate(asked).await.unwrap();
    let figure = usd(&answer.taxes);
    assert_eq!(usd(&estimate.taxes), figure);
    assert!(!usd(amount(&answer, "municipal_fee").unwrap()).is_zero());
    let line = |text: &str| {
        let found = text.lines().find(|line| line.contains("Taxes and state fees")).unwrap();
        usd(&found.split_whitespace().last().unwrap().replace(',', ""))
    };
    assert_eq!(line(&text::quote_table(&answer)), figure, "on the command line");
    assert_eq!(text::quote_json(&answer)["taxes"], answer.taxes);

    let charges: Vec<&FieldAmount> =
        answer.fields.iter().filter(|field| field.field != "collection_fee").collect();
    let (names, amounts): (Vec<_>, Vec<_>) =
        charges.iter().map(|field| (field.field.as_str(), field.amount.as_str())).unzip();
    let file = format!(
        "id,policy_number,policy_effective_date,transaction_type,physical_state,physical_city,line_of_business_list,\
         premium,mailing_insured_name,collection_fee,{}\nC-1,P-1,02/23/2026,PN,KY,Lexington,GEN-1002,1000,\
         Example Diner LLC,{COLLECTION_FEE},{}\n",
        names.join(","),
        amounts.join(",")
    );
    let review = started(&test, &desk, &file).await;
    let shown = preview(&desk, &review.id).await;
    assert_eq!(usd(&shown.totals.taxes), figure, "before it is sent");
    let batch = desk.review_send(send(&review.id, shown.totals)).await.unwrap();
    let batch = ended(&desk, &batch.id).await;
    assert_eq!(usd(&batch.totals.taxes), figure, "as it was sent");

    desk.transactions_refresh(TransactionsRefresh::default()).await.unwrap();
    desk.transactions_refresh_wait().await.unwrap();
    let search = TransactionsSearch { count: 10, ..TransactionsSearch::default() };
    let row = &desk.transactions_search(search.clone()).await.unwrap().rows[0];
    assert_eq!((usd(&row.taxes), usd(&row.fees)), (figure, usd(COLLECTION_FEE)), "after it is sent");
    let summary = desk.transactions_summary(TransactionsFilter::default()).await.unwrap();
    assert_eq!(usd(&summary.totals.taxes), figure);
    let path = test.folder.path().join("found.csv");
    test.person.answers.lock().unwrap().push_back(path.clone());
    let columns = ["taxes", "fees"].map(str::to_owned).to_vec();
    desk.transactions_export(TransactionsExport { search, format: TableFormat::Csv, columns }).await.unwrap();
    let exported = std::fs::read_to_string(path).unwrap();
    let cells: Vec<Usd> = exported.lines().last().unwrap().split(',').map(usd).collect();
    assert_eq!(cells, [figure, usd(COLLECTION_FEE)], "in an export");

    // The state is paid everything of the figure, and nothing of the fee.
    let pay = serde_json::from_value(json!({"action": "pay", "which": {"ids": ["C-1"]}})).unwrap();
    test.service.as_ref().unwrap().practice_controls().perform_action(pay).await.unwrap();
    let id = TransactionId { id: row.id.clone() };
    let question = TransactionQuestion { id: row.id.clone(), ..TransactionQuestion::default() };
    assert_eq!(desk.transaction_status(question).await.unwrap().row.paid, "paid");
    let detail = desk.transaction_detail(id).await.unwrap();
    let paid =
        detail.amounts.iter().filter(|line| line.field != "total").filter_map(|line| line.paid.as_deref());
    assert_eq!(Usd::checked_sum(paid.map(usd)), Some(figure), "as it was paid");
}
