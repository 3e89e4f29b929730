//! The table of dialects. Its order is the order in which they change an answer: values first, then the shape of
//! lists and members, then what is around the whole.

use serde_json::Value;

use crate::ServiceEndpoint;

use super::{answer_changes as by, record_changes as of_record};

/// One way in which a provider differs.
pub struct Dialect {
    /// By which it is chosen.
    pub name: &'static str,
    /// What the service does then.
    pub sentence: &'static str,
    /// What it changes.
    pub change: DialectChange,
}

/// What a dialect changes.
pub enum DialectChange {
    /// The JSON of an answer that is a success.
    Answer(fn(ServiceEndpoint, &mut Value)),
    /// A refusal with its sentence, which becomes 200 with this body; none leaves it.
    Refusal(fn(ServiceEndpoint, u16, &str) -> Option<Value>),
    /// What the service does, where it asks whether the dialect is spoken.
    Service,
}

use DialectChange::{Answer, Refusal, Service};

/// Every dialect the practice service speaks, in the order in which they change an answer.
pub fn dialects() -> &'static [Dialect] {
    TABLE
}

macro_rules! dialect_table {
    ($($name:literal, $change:expr, $sentence:literal;)+) => {
        &[$(Dialect { name: $name, sentence: $sentence, change: $change },)+]
    };
}

const TABLE: &[Dialect] = dialect_table! {
    // Signing in
    "refresh-token-alone", Answer(by::refresh_token_alone), "A refresh answers with access_token and nothing else.";
    "expires-as-text", Answer(by::expires_as_text), "expires_in is text.";
    // Calculator
    "no-calculator", Service, "The calculator is not contracted: 403.";
    "quote-zeros-null", Answer(by::quote_zeros_null), "An amount that does not apply is null in a quote.";
    "quote-zeros-absent", Answer(by::quote_zeros_absent), "An amount that does not apply is missing in a quote.";
    "quote-loose-types", Answer(by::quote_loose_types), "A quote has font sizes such as 12px, flags of 2 and county settings as an object.";
    // Imports
    "batch-refused", Service, "A batch is refused by 200 with success false and a sentence.";
    "other-office", Service, "Another office of the account has sent the same rows under its own ids.";
    "acceptance-without-status", Answer(by::acceptance_without_status), "A batch is accepted with its batch_id alone.";
    "batch-id-number", Service, "batch_id is a number.";
    "states-capitalized", Answer(by::states_capitalized), "The states of a batch begin with a capital: Processed.";
    "states-as-numbers", Answer(by::states_as_numbers), "The states of a batch are numbers: 0 queued to 3 failed.";
    "states-own-words", Answer(by::states_own_words), "The states of a batch are other words: Complete.";
    "row-status-as-text", Answer(by::row_status_as_text), "The status of a row is a word: Success.";
    "warnings-as-objects", Answer(by::warnings_as_objects), "Warnings and errors of a row are lists of objects.";
    "warnings-null", Answer(by::warnings_null), "Warnings and errors of a row are null where there are none.";
    "partial-results", Answer(by::partial_results), "Results name every second row only.";
    "results-reversed", Answer(by::results_reversed), "Results come in another order than the rows.";
    "results-with-history", Answer(by::results_with_history), "Results name each row several times: as received, then as it ended, twice.";
    "results-share-number", Answer(by::results_share_number), "Results give every row the same number.";
    "row-status-of-http", Answer(by::row_status_of_http), "The status of a row is 200 or 422.";
    "batch-id-dashed", Answer(by::batch_id_dashed), "Results write the batch_id in capitals with dashes.";
    "import-redirected", Service, "A batch that was taken is answered with a redirect to its results: 303.";
    "import-without-body", Service, "A batch that was taken is answered with 202 and nothing else.";
    "policy-as-number", Answer(by::policy_as_number), "A policy number of digits is a number.";
    "policy-zeros-dropped", Answer(by::policy_zeros_dropped), "A policy number loses the zeros in front.";
    // Look-ups and search
    "own-id-unsupported", Service, "Nothing can be looked up by the caller's own id: 404.";
    "service-number-only", Service, "A transaction can be looked up by the service's number alone.";
    "rows-late", Service, "Rows are shown three seconds after their import.";
    "unique-id-null", Answer(by::unique_id_null), "unique_id is null in every record.";
    "transaction-status-words", Answer(by::transaction_status_words), "The status of a transaction is a word of the service's own.";
    "search-odd-member", Answer(by::search_odd_member), "The first record of a page has a member that can't be read.";
    "types-in-words", Answer(of_record::types_in_words), "The type of a transaction is words: New Policy.";
    "invoice-own", Answer(of_record::invoice_own), "extra_invoice_number is a number of the service's own.";
    "own-id-prefixed", Answer(of_record::own_id_prefixed), "unique_id is the id with something before it.";
    "dates-american", Answer(of_record::dates_american), "Dates are written 02/23/2026.";
    "dates-with-time", Answer(of_record::dates_with_time), "Dates have a time: 2026-02-23T00:00:00.000Z.";
    "dates-zero", Answer(of_record::dates_zero), "A date that is not there is 0000-00-00.";
    "amounts-written", Answer(of_record::amounts_written), "Amounts are written $1,234.50.";
    "pagination-absent", Answer(of_record::pagination_absent), "A search does not say how many transactions and pages there are.";
    "members-grouped", Answer(of_record::members_grouped), "Members of a record or a quote lie in groups: policy, dates, amounts.";
    "record-in-list", Answer(of_record::record_in_list), "A record that was looked up is the one entry of a list called data.";
    // Documents
    "documents-success-only", Answer(by::documents_success_only), "Documents are answered with success true alone.";
    "documents-own-words", Answer(by::documents_own_words), "Documents are answered in other words.";
    "documents-late", Service, "Documents are listed twenty seconds after their upload.";
    "documents-unlisted", Answer(by::documents_unlisted), "Records never list documents.";
    "download-unavailable-once", Service, "The first try of each download answers 503 with HTML.";
    // Webhooks
    "webhook-unsigned", Service, "Webhooks carry the header pair and no signature.";
    "webhook-signature-renamed", Service, "Webhooks are signed in base64 under X-Signature.";
    // Refusals
    "missing-as-nothing", Refusal(by::missing_as_nothing), "A transaction that is not found is 200 with an empty envelope.";
    "missing-as-message", Refusal(by::missing_as_message), "What is not found is 200 with a message.";
    "refusals-success-false", Refusal(by::refusals_success_false), "Refusals are 200 with success false and a sentence.";
    // The shape of all answers
    "nulls-absent", Answer(by::nulls_absent), "Members that are null are missing.";
    "absent-null", Answer(by::absent_null), "Members that are missing are null.";
    "nulls-blank", Answer(by::nulls_blank), "Members that are null are empty texts.";
    "lists-numbered", Answer(by::lists_numbered), "A list is an object with the members 0, 1, 2.";
    "lists-wrapped", Answer(by::lists_wrapped), "A list of transactions is an object with a list called transaction.";
    "single-object", Answer(by::single_object), "A list of one is the object alone.";
    "numbers-with-fraction", Answer(by::numbers_with_fraction), "Every whole number has a fraction: 17.0.";
    "flags-as-letters", Answer(by::flags_as_letters), "A flag is Y or N.";
    "numbers-as-text", Answer(by::numbers_as_text), "Every number is text.";
    "members-camel-case", Answer(by::members_camel_case), "Members are written transactionId.";
    "members-pascal-case", Answer(by::members_pascal_case), "Members are written TransactionId.";
    "envelope-data", Answer(by::envelope_data), "Every answer is in an envelope called data.";
    "envelope-result", Answer(by::envelope_result), "Every answer is in an envelope called result.";
    "envelope-with-message", Answer(by::envelope_with_message), "Every answer is in an envelope that says code 200 and OK.";
    "answers-wide", Service, "Every answer is UTF-16 and says so.";
    "answers-marked", Service, "Every answer has a byte order mark and a line break at its end.";
    "envelope-transaction", Answer(by::envelope_transaction), "A record that was looked up is in an envelope called transaction.";
};
