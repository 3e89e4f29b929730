//! What an answer says of a write: refused, taken, or not known. Only what is certain is called so.

use bordereau_client::{Client, ClientError};
use bordereau_contract::ImportTransaction;

use crate::scripted::{Scripted, answer};

/// What a batch ends with.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ends {
    /// It may be there.
    Unknown,
    /// It is not there.
    NotTaken,
}

#[tokio::test]
async fn what_is_not_certain_is_unknown_and_sent_once() {
    use Ends::{NotTaken, Unknown};
    let html = "content-type: text/html\r\n";
    let json = "content-type: application/json\r\n";
    let cases: &[(u16, &str, &str, Ends)] = &[
        (200, html, "<html>Please sign in to the network</html>", Unknown),
        (200, json, "", Unknown),
        (200, json, "{}", Unknown),
        (200, json, r#"{"batch_id":null,"status":"queued"}"#, Unknown),
        (200, json, r#"{"batch_id":0,"status":"queued"}"#, Unknown),
        (200, json, r#"{"message":"We will look at it."}"#, Unknown),
        (200, json, r#"{"success":false,"error":"The file was refused."}"#, NotTaken),
        // What has a number was taken, in part at least.
        (200, json, r#"{"success":0,"data":{"transaction_id":1001},"message":"Saved"}"#, Unknown),
        (202, json, "{\"batch_id\":", Unknown),
        (202, "", "", Unknown),
        (204, "", "", Unknown),
        (207, json, r#"[{"status":201},{"status":422}]"#, Unknown),
        (200, json, r#"{"transactions":[{"status":0}]}"#, Unknown),
        (200, json, r#"{"statusCode":500,"body":null}"#, Unknown),
        (300, json, "", Unknown),
        (304, json, "", Unknown),
        (303, "location: https://portal.example/batches/17\r\n", "", Unknown),
        (302, "location: https://portal.example/signin\r\n", "", Unknown),
        (409, json, r#"{"message":"This batch is there already."}"#, Unknown),
        (301, "location: /elsewhere\r\n", "", Unknown),
        (302, "location: /login\r\n", "", Unknown),
        (303, "location: /batches/17\r\n", "", Unknown),
        (408, html, "Request Timeout", Unknown),
        (500, html, "", Unknown),
        (502, html, "Bad Gateway", Unknown),
        (503, html, "", Unknown),
        (503, "retry-after: 1\r\n", "", Unknown),
        (504, html, "", Unknown),
        (307, "location: https://elsewhere.example/import\r\n", "", NotTaken),
        (308, "location: http://127.0.0.1/import\r\n", "", NotTaken),
        (400, json, r#"{"message":"no"}"#, NotTaken),
        (401, json, "", NotTaken),
        (403, json, "", NotTaken),
        (413, html, "", NotTaken),
        (422, json, r#"{"errors":[{"pointer":"/transactions/0/id","detail":"missing"}]}"#, NotTaken),
        (429, "retry-after: 1\r\n", "", NotTaken),
        // Rows at fault in a body that refuses all of them for it, whatever its status is.
        (
            500,
            json,
            r#"{"message":"Validation failed","errors":[{"index":0,"message":"No insurer"}]}"#,
            NotTaken,
        ),
        (555, json, r#"{"errors":{"0":{"premium":["too low"]}}}"#, NotTaken),
        (503, json, r#"{"errors":["Row 1: No insurer"]}"#, NotTaken),
        (
            200,
            json,
            r#"{"error":"Validation failed","rows":[],"errors":[{"row":1,"message":"No"}]}"#,
            NotTaken,
        ),
        (200, json, r#"{"title":"Not valid","errors":{"transactions[0].premium":["too low"]}}"#, NotTaken),
        // Others may have been taken, or it says nothing of the import.
        (
            500,
            json,
            r#"{"message":"Validation failed","imported":59,"errors":[{"index":0,"message":"No"}]}"#,
            Unknown,
        ),
        (500, json, r#"{"message":"Some rows failed","errors":[{"index":0,"message":"No"}]}"#, Unknown),
        (500, json, r#"{"message":"Validation failed"}"#, Unknown),
        (502, json, r#"{"errors":["The gateway is down"]}"#, Unknown),
    ];
    for (status, headers, body, ends) in cases {
        let (headers_of, body_of, status_of) = (*headers, *body, *status);
        let service = Scripted::start(move |_| answer(status_of, headers_of, body_of)).await;
        let client: Client = service.client();
        let row = ImportTransaction { id: "1".to_owned(), ..ImportTransaction::default() };
        let error = client.import_batch(&[row]).await.expect_err("no batch");
        let found = if matches!(error, ClientError::OutcomeUnknown { .. }) { Unknown } else { NotTaken };
        assert_eq!(
            (found, error.is_outcome_unknown()),
            (ends.clone(), *ends == Unknown),
            "{status} {body}: {error}"
        );
        assert_eq!(service.requests().len(), 1, "{status}: a write is sent once");
    }
}
