//! How the rows of each table are known again where they are copied to, so that none is there twice.

/// What a copy does with a table.
pub(super) struct TableRule {
    pub name: &'static str,
    /// The number that the database gives each row; empty where there is none.
    pub number: &'static str,
    /// A row that is equal in these is there already; empty for rows that go with another one.
    pub key: &'static [&'static str],
    /// The column that names a row of another table, and that table: they are copied together or not at all.
    pub owner: Option<(&'static str, &'static str)>,
    /// Which rows are copied; empty for all.
    pub only: &'static str,
}

const NONE: TableRule = TableRule { name: "", number: "", key: &[], owner: None, only: "" };

const fn keyed(name: &'static str, key: &'static [&'static str]) -> TableRule {
    TableRule { name, key, ..NONE }
}

const fn numbered(name: &'static str, key: &'static [&'static str]) -> TableRule {
    TableRule { name, key, number: "seq", ..NONE }
}

const fn owned(name: &'static str, column: &'static str, owner: &'static str) -> TableRule {
    TableRule { name, owner: Some((column, owner)), ..NONE }
}

/// Those that other rows belong to are before them.
pub(super) const TABLES: &[TableRule] = &[
    keyed("profiles", &["id"]),
    keyed("profile_files", &["name"]),
    keyed("quotes", &["id"]),
    // The other values are of one computer.
    TableRule { only: "name = 'sheet_template'", ..keyed("kept_values", &["name"]) },
    keyed("reviews", &["id"]),
    owned("review_sources", "review", "reviews"),
    owned("review_steps", "review", "reviews"),
    keyed("review_mappings", &["name", "headers"]),
    keyed("mapping_versions", &["name", "number"]),
    numbered("batches", &["id"]),
    owned("batch_parts", "batch", "batches"),
    owned("batch_rows", "batch", "batches"),
    owned("batch_documents", "batch", "batches"),
    numbered("document_uploads", &["id"]),
    owned("document_contents", "upload", "document_uploads"),
    numbered("events", &["profile_id", "recognition"]),
    owned("event_reads", "event", "events"),
    numbered("event_refusals", &["profile_id", "at", "why", "bytes", "beginning"]),
    keyed("event_refusal_count", &["profile_id"]),
    keyed("event_follows", &["profile_id"]),
    keyed("event_watches", &["profile_id", "transaction_id"]),
    keyed("event_wordings", &["profile_id", "state_code"]),
    keyed("saved_searches", &["profile", "name"]),
    keyed("declining_carriers", &["key"]),
    keyed("due_marks", &["profile_id", "entry"]),
    // Events are assigned by their numbers.
    keyed("assignments", &["kind", "profile_id", "item"]),
    numbered("unread_answers", &["profile", "answer"]),
    numbered("import_runs", &["id"]),
    owned("import_chunks", "run", "import_runs"),
    owned("import_keys", "run", "import_runs"),
    keyed("copied_audit", &["log", "number"]),
];

/// Of one computer or of one store alone, or copied in a way of its own.
pub(super) const NOT_COPIED: [&str; 7] = [
    "store_place",
    "watched_files",
    "outbox_revision",
    "events_revision",
    "audit",
    "file_places",
    "stored_files",
];

/// What tells the order of rows within a store: no difference where only these differ.
pub(super) const ORDERS: [&str; 3] = ["arrival", "turn", "added"];
