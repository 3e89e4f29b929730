//! The operations of the service and what repeating each of them does.

/// Whether an operation may be repeated without asking first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationEffect {
    /// Changes nothing at the service: repeated after a failure.
    Read,
    /// May change something: never repeated blindly.
    Write,
}

/// An operation of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceOperation {
    /// `POST` with username and password (contract section 1).
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

impl ServiceOperation {
    /// What repeating it does.
    pub const fn effect(self) -> OperationEffect {
        match self {
            ServiceOperation::Calculate
            | ServiceOperation::ImportResults
            | ServiceOperation::TransactionStatus
            | ServiceOperation::Search
            | ServiceOperation::DiligentForms
            | ServiceOperation::LookAtWebhooks => OperationEffect::Read,
            // A sign-in opens a session, a refresh may spend the refresh token, a download spends its
            // one-time address.
            ServiceOperation::SignIn | ServiceOperation::Refresh | ServiceOperation::Download => {
                OperationEffect::Write
            }
            ServiceOperation::ImportSingle
            | ServiceOperation::ImportBatch
            | ServiceOperation::ImportDocuments
            | ServiceOperation::ManageWebhooks => OperationEffect::Write,
        }
    }

    /// Whether it carries data that may take minutes to travel.
    pub const fn is_upload(self) -> bool {
        matches!(
            self,
            ServiceOperation::ImportSingle
                | ServiceOperation::ImportBatch
                | ServiceOperation::ImportDocuments
        )
    }

    /// Whether it sends rows, which a service checks before it takes them.
    pub(crate) const fn is_row_import(self) -> bool {
        matches!(self, ServiceOperation::ImportSingle | ServiceOperation::ImportBatch)
    }

    /// Its name in logs.
    pub const fn name(self) -> &'static str {
        match self {
            ServiceOperation::SignIn => "sign-in",
            ServiceOperation::Refresh => "refresh",
            ServiceOperation::Calculate => "calculate",
            ServiceOperation::Download => "download",
            ServiceOperation::ImportSingle => "single import",
            ServiceOperation::ImportBatch => "batch import",
            ServiceOperation::ImportResults => "import results",
            ServiceOperation::TransactionStatus => "transaction status",
            ServiceOperation::Search => "search",
            ServiceOperation::ImportDocuments => "document import",
            ServiceOperation::DiligentForms => "diligent effort forms",
            ServiceOperation::LookAtWebhooks => "webhooks",
            ServiceOperation::ManageWebhooks => "webhook change",
        }
    }
}
