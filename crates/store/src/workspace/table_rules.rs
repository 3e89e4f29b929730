//! How a copy recognizes the rows of each table in the target, so that none is there twice.

/// How a copy treats a table.
pub(super) struct TableRule {
    pub name: &'static str,
    /// The number that the database gives each row; empty without one.
    pub number: &'static str,
    /// A row equal in these columns exists already; empty for rows that belong to another one.
    pub key: &'static [&'static str],
    /// The column that names a row of another table, and that table: both are copied or neither.
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

/// Owners come before the rows that belong to them.
pub(super) const TABLES: &[TableRule] = &[
    keyed("profiles", &["id"]),
    keyed("profile_files", &["name"]),
    keyed("quotes", &["id"]),
    // The other values belong to one computer.
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
    // Assignments refer to events by number.
    keyed("assignments", &["kind", "profile_id", "item"]),
    numbered("unread_answers", &["profile", "answer"]),
    numbered("import_runs", &["id"]),
    owned("import_chunks", "run", "import_runs"),
    owned("import_keys", "run", "import_runs"),
    keyed("copied_audit", &["log", "number"]),
];

/// Tables of one computer or one store only, or copied separately.
pub(super) const NOT_COPIED: [&str; 8] = [
    "store_place",
    "watched_files",
    "outbox_revision",
    "events_revision",
    "audit",
    "file_places",
    "stored_files",
    "people",
];

/// Columns that only order rows within a store: a difference in them doesn't count.
pub(super) const ORDERS: [&str; 3] = ["arrival", "turn", "added"];
