//! The table of dialects. Its order is the order in which they change an answer: values first, then the shape of
//! lists and members, then what is around the whole.

use serde_json::Value;

use crate::ServiceOperation;

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
    Answer(fn(ServiceOperation, &mut Value)),
    /// A refusal with its sentence, which becomes 200 with this body; none leaves it.
    Refusal(fn(ServiceOperation, u16, &str) -> Option<Value>),
    /// What the service does, where it asks whether the dialect is spoken.
    Service,
}

use DialectChange::{Answer, Refusal, Service};

/// Every dialect the practice service speaks, in the order in which they change an answer.
pub fn dialects() -> &'static [Dialect] {
    TABLE
}

const fn row(name: &'static str, sentence: &'static str, change: DialectChange) -> Dialect {
    Dialect { name, sentence, change }
}

const TABLE: &[Dialect] = &[
    // Signing in
    row(
        "refresh-token-alone",
        "A refresh answers with access_token and nothing else.",
        Answer(by::refresh_token_alone),
    ),
    row("expires-as-text", "expires_in is text.", Answer(by::expires_as_text)),
    // Calculator
    row("no-calculator", "The calculator is not contracted: 403.", Service),
    row(
        "quote-zeros-null",
        "An amount that does not apply is null in a quote.",
        Answer(by::quote_zeros_null),
    ),
    row(
        "quote-zeros-absent",
        "An amount that does not apply is missing in a quote.",
        Answer(by::quote_zeros_absent),
    ),
    row(
        "quote-loose-types",
        "A quote has font sizes such as 12px, flags of 2 and county settings as an object.",
        Answer(by::quote_loose_types),
    ),
    // Imports
    row("batch-refused", "A batch is refused by 200 with success false and a sentence.", Service),
    row("other-office", "Another office of the account has sent the same rows under its own ids.", Service),
    row(
        "acceptance-without-status",
        "A batch is accepted with its batch_id alone.",
        Answer(by::acceptance_without_status),
    ),
    row("batch-id-number", "batch_id is a number.", Service),
    row(
        "states-capitalized",
        "The states of a batch begin with a capital: Processed.",
        Answer(by::states_capitalized),
    ),
    row(
        "states-as-numbers",
        "The states of a batch are numbers: 0 queued to 3 failed.",
        Answer(by::states_as_numbers),
    ),
    row("states-own-words", "The states of a batch are other words: Complete.", Answer(by::states_own_words)),
    row("row-status-as-text", "The status of a row is a word: Success.", Answer(by::row_status_as_text)),
    row(
        "warnings-as-objects",
        "Warnings and errors of a row are lists of objects.",
        Answer(by::warnings_as_objects),
    ),
    row(
        "warnings-null",
        "Warnings and errors of a row are null where there are none.",
        Answer(by::warnings_null),
    ),
    row("partial-results", "Results name every second row only.", Answer(by::partial_results)),
    row("results-reversed", "Results come in another order than the rows.", Answer(by::results_reversed)),
    row(
        "results-with-history",
        "Results name each row several times: as received, then as it ended, twice.",
        Answer(by::results_with_history),
    ),
    row("results-share-number", "Results give every row the same number.", Answer(by::results_share_number)),
    row("row-status-of-http", "The status of a row is 200 or 422.", Answer(by::row_status_of_http)),
    row(
        "batch-id-dashed",
        "Results write the batch_id in capitals with dashes.",
        Answer(by::batch_id_dashed),
    ),
    row(
        "import-redirected",
        "A batch that was taken is answered with a redirect to its results: 303.",
        Service,
    ),
    row("import-without-body", "A batch that was taken is answered with 202 and nothing else.", Service),
    row("policy-as-number", "A policy number of digits is a number.", Answer(by::policy_as_number)),
    row(
        "policy-zeros-dropped",
        "A policy number loses the zeros in front.",
        Answer(by::policy_zeros_dropped),
    ),
    // Look-ups and search
    row("own-id-unsupported", "Nothing can be looked up by the caller's own id: 404.", Service),
    row("service-number-only", "A transaction can be looked up by the service's number alone.", Service),
    row("rows-late", "Rows are shown three seconds after their import.", Service),
    row("unique-id-null", "unique_id is null in every record.", Answer(by::unique_id_null)),
    row(
        "transaction-status-words",
        "The status of a transaction is a word of the service's own.",
        Answer(by::transaction_status_words),
    ),
    row(
        "search-odd-member",
        "The first record of a page has a member that can't be read.",
        Answer(by::search_odd_member),
    ),
    row(
        "types-in-words",
        "The type of a transaction is words: New Policy.",
        Answer(of_record::types_in_words),
    ),
    row(
        "invoice-own",
        "extra_invoice_number is a number of the service's own.",
        Answer(of_record::invoice_own),
    ),
    row(
        "own-id-prefixed",
        "unique_id is the id with something before it.",
        Answer(of_record::own_id_prefixed),
    ),
    row("dates-american", "Dates are written 02/23/2026.", Answer(of_record::dates_american)),
    row(
        "dates-with-time",
        "Dates have a time: 2026-02-23T00:00:00.000Z.",
        Answer(of_record::dates_with_time),
    ),
    row("dates-zero", "A date that is not there is 0000-00-00.", Answer(of_record::dates_zero)),
    row("amounts-written", "Amounts are written $1,234.50.", Answer(of_record::amounts_written)),
    row(
        "pagination-absent",
        "A search does not say how many transactions and pages there are.",
        Answer(of_record::pagination_absent),
    ),
    row(
        "record-in-list",
        "A record that was looked up is the one entry of a list called data.",
        Answer(of_record::record_in_list),
    ),
    // Documents
    row(
        "documents-success-only",
        "Documents are answered with success true alone.",
        Answer(by::documents_success_only),
    ),
    row("documents-own-words", "Documents are answered in other words.", Answer(by::documents_own_words)),
    row("documents-late", "Documents are listed twenty seconds after their upload.", Service),
    row("documents-unlisted", "Records never list documents.", Answer(by::documents_unlisted)),
    row("download-unavailable-once", "The first try of each download answers 503 with HTML.", Service),
    // Webhooks
    row("webhook-unsigned", "Webhooks carry the header pair and no signature.", Service),
    row("webhook-signature-renamed", "Webhooks are signed in base64 under X-Signature.", Service),
    // Refusals
    row(
        "missing-as-nothing",
        "A transaction that is not found is 200 with an empty envelope.",
        Refusal(by::missing_as_nothing),
    ),
    row("missing-as-message", "What is not found is 200 with a message.", Refusal(by::missing_as_message)),
    row(
        "refusals-success-false",
        "Refusals are 200 with success false and a sentence.",
        Refusal(by::refusals_success_false),
    ),
    // The shape of all answers
    row("nulls-absent", "Members that are null are missing.", Answer(by::nulls_absent)),
    row("absent-null", "Members that are missing are null.", Answer(by::absent_null)),
    row("nulls-blank", "Members that are null are empty texts.", Answer(by::nulls_blank)),
    row("lists-numbered", "A list is an object with the members 0, 1, 2.", Answer(by::lists_numbered)),
    row(
        "lists-wrapped",
        "A list of transactions is an object with a list called transaction.",
        Answer(by::lists_wrapped),
    ),
    row("single-object", "A list of one is the object alone.", Answer(by::single_object)),
    row(
        "numbers-with-fraction",
        "Every whole number has a fraction: 17.0.",
        Answer(by::numbers_with_fraction),
    ),
    row("flags-as-letters", "A flag is Y or N.", Answer(by::flags_as_letters)),
    row("numbers-as-text", "Every number is text.", Answer(by::numbers_as_text)),
    row("members-camel-case", "Members are written transactionId.", Answer(by::members_camel_case)),
    row("members-pascal-case", "Members are written TransactionId.", Answer(by::members_pascal_case)),
    row("envelope-data", "Every answer is in an envelope called data.", Answer(by::envelope_data)),
    row("envelope-result", "Every answer is in an envelope called result.", Answer(by::envelope_result)),
    row(
        "envelope-with-message",
        "Every answer is in an envelope that says code 200 and OK.",
        Answer(by::envelope_with_message),
    ),
    row("answers-wide", "Every answer is UTF-16 and says so.", Service),
    row("answers-marked", "Every answer has a byte order mark and a line break at its end.", Service),
    row(
        "envelope-transaction",
        "A record that was looked up is in an envelope called transaction.",
        Answer(by::envelope_transaction),
    ),
];
