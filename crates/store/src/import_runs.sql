CREATE TABLE import_runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    -- Only checked: it ends with its process.
    checks INTEGER NOT NULL CHECK (checks IN (0, 1)),
    path TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    -- What was asked for, and the mapping that the first chunk was read with.
    settings TEXT NOT NULL,
    mapping TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL
) STRICT;
CREATE TABLE import_chunks (
    run INTEGER NOT NULL REFERENCES import_runs (seq) ON DELETE CASCADE,
    chunk INTEGER NOT NULL,
    review TEXT NOT NULL,
    report TEXT NOT NULL,
    -- It was sent as far as it can be, and its draft is settled.
    done INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
    PRIMARY KEY (run, chunk)
) STRICT;
-- What makes a transaction the same as a later one of the file, and its line.
CREATE TABLE import_keys (
    run INTEGER NOT NULL,
    key BLOB NOT NULL,
    chunk INTEGER NOT NULL,
    line INTEGER NOT NULL,
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_rows_policy ON batch_rows (policy_number) WHERE same_key IS NOT NULL;
