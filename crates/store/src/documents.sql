-- Documents on their way: stored with their hash before the first byte leaves. The content goes when they end.
CREATE TABLE document_uploads (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    profile_id TEXT NOT NULL,
    profile_name TEXT NOT NULL,
    environment TEXT NOT NULL,
    transaction_id INTEGER,
    invoice_number TEXT,
    name TEXT NOT NULL,
    code TEXT NOT NULL,
    file_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    state TEXT NOT NULL,
    message TEXT NOT NULL DEFAULT '',
    not_found INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    ended_at TEXT,
    CHECK (transaction_id IS NOT NULL OR invoice_number IS NOT NULL)
) STRICT;
CREATE INDEX document_uploads_state ON document_uploads (state);
CREATE INDEX document_uploads_transaction ON document_uploads (profile_id, transaction_id);
CREATE INDEX document_uploads_content ON document_uploads (profile_id, sha256);
CREATE TABLE document_contents (
    upload INTEGER PRIMARY KEY REFERENCES document_uploads (seq),
    content BLOB NOT NULL
) STRICT;
-- Reports and affidavits of a period that the person has marked as done.
CREATE TABLE due_marks (
    profile_id TEXT NOT NULL,
    entry TEXT NOT NULL,
    at TEXT NOT NULL,
    by_whom TEXT NOT NULL,
    PRIMARY KEY (profile_id, entry)
) STRICT;
