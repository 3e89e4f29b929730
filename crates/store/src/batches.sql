-- Batches: what is sent, in parts, and where each row is; the audit log.
CREATE TABLE batches (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    review TEXT,
    corrects TEXT,
    profile_id TEXT NOT NULL,
    profile_name TEXT NOT NULL,
    environment TEXT NOT NULL,
    state TEXT NOT NULL,
    totals TEXT NOT NULL,
    sent_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    day TEXT NOT NULL,
    ended_at TEXT,
    began_ms INTEGER,
    moved_ms INTEGER,
    trouble TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE batch_parts (
    batch INTEGER NOT NULL REFERENCES batches (seq),
    part INTEGER NOT NULL,
    state TEXT NOT NULL,
    remote_id TEXT,
    PRIMARY KEY (batch, part)
) STRICT;
CREATE INDEX batch_parts_state ON batch_parts (state);
CREATE INDEX batch_parts_remote ON batch_parts (remote_id);
CREATE TABLE batch_rows (
    batch INTEGER NOT NULL REFERENCES batches (seq),
    row INTEGER NOT NULL,
    part INTEGER NOT NULL,
    own_id TEXT NOT NULL,
    line INTEGER NOT NULL,
    policy_number TEXT NOT NULL,
    insured TEXT NOT NULL,
    state_code TEXT NOT NULL,
    transaction_type TEXT NOT NULL,
    premium TEXT NOT NULL,
    same_key TEXT,
    wire TEXT NOT NULL,
    row_state TEXT NOT NULL,
    transaction_id INTEGER,
    messages TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (batch, row)
) STRICT;
CREATE INDEX batch_rows_state ON batch_rows (batch, row_state, row);
CREATE INDEX batch_rows_part ON batch_rows (batch, part, row);
CREATE INDEX batch_rows_own ON batch_rows (own_id);
CREATE TABLE batch_documents (
    batch INTEGER NOT NULL,
    row INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    code TEXT NOT NULL,
    file_name TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (batch, row, number),
    FOREIGN KEY (batch, row) REFERENCES batch_rows (batch, row)
) STRICT;
CREATE TABLE outbox_revision (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    revision INTEGER NOT NULL
) STRICT;
INSERT INTO outbox_revision VALUES (1, 0);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    by_whom TEXT NOT NULL,
    text TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
-- SQLite alone:
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append only'); END;
CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append only'); END;
CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'the audit log is append only'); END;
