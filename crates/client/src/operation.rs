//! The operations of the service and what repeating each of them does.

/// Whether an operation may be repeated without asking first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Changes nothing at the service: repeated after a failure.
    Read,
    /// May change something: never repeated blindly.
    Write,
}

/// An operation of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `POST` with user name and password (contract section 1).
    SignIn,
    /// `POST` with the refresh token, which the service may replace.
    Refresh,
    /// `POST` to the calculator (contract section 2): a pure computation in spite of its method.
    Calculate,
    /// `GET` of a document's address, which is good for one request only.
    Download,
    /// `POST` of one transaction (contract section 3).
    ImportSingle,
    /// `POST` of a batch (contract section 3).
    ImportBatch,
    /// `GET` of a batch's results.
    ImportResults,
    /// `GET` of one transaction.
    TransactionStatus,
    /// `POST` of a search (contract section 3): finds and changes nothing.
    Search,
    /// `POST` of documents (contract section 4).
    ImportDocuments,
    /// `POST` for filled forms (contract section 5): it keeps nothing but files for a minute.
    DiligentForms,
    /// `GET` of webhooks, their deliveries or notices (contract section 6).
    LookAtWebhooks,
    /// Adding, changing, removing or testing a webhook, or having a delivery sent again.
    ManageWebhooks,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Operation; 13] = [
        Operation::SignIn,
        Operation::Refresh,
        Operation::Calculate,
        Operation::Download,
        Operation::ImportSingle,
        Operation::ImportBatch,
        Operation::ImportResults,
        Operation::TransactionStatus,
        Operation::Search,
        Operation::ImportDocuments,
        Operation::DiligentForms,
        Operation::LookAtWebhooks,
        Operation::ManageWebhooks,
    ];

    /// What repeating it does.
    #[must_use]
    pub const fn effect(self) -> Effect {
        match self {
            Operation::Calculate
            | Operation::ImportResults
            | Operation::TransactionStatus
            | Operation::Search
            | Operation::DiligentForms
            | Operation::LookAtWebhooks => Effect::Read,
            // A sign-in opens a session, a refresh may spend the refresh token, a download spends its
            // one-time address.
            Operation::SignIn | Operation::Refresh | Operation::Download => Effect::Write,
            Operation::ImportSingle
            | Operation::ImportBatch
            | Operation::ImportDocuments
            | Operation::ManageWebhooks => Effect::Write,
        }
    }

    /// Whether it carries data that may take minutes to travel.
    #[must_use]
    pub const fn is_upload(self) -> bool {
        matches!(self, Operation::ImportSingle | Operation::ImportBatch | Operation::ImportDocuments)
    }

    /// Its name in logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Operation::SignIn => "sign-in",
            Operation::Refresh => "refresh",
            Operation::Calculate => "calculate",
            Operation::Download => "download",
            Operation::ImportSingle => "single import",
            Operation::ImportBatch => "batch import",
            Operation::ImportResults => "import results",
            Operation::TransactionStatus => "transaction status",
            Operation::Search => "search",
            Operation::ImportDocuments => "document import",
            Operation::DiligentForms => "diligent forms",
            Operation::LookAtWebhooks => "webhooks",
            Operation::ManageWebhooks => "webhook change",
        }
    }
}
