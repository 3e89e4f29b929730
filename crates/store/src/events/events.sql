-- Events: what the service announced, or was found by asking it. A row is a fact; what came again counts up.
CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The order in which deliveries came; null for what was found by asking only.
    arrival INTEGER UNIQUE,
    profile_id TEXT NOT NULL,
    recognition TEXT NOT NULL,
    fact TEXT,
    what TEXT NOT NULL,
    event TEXT NOT NULL,
    event_id TEXT NOT NULL,
    said_at TEXT NOT NULL,
    received_at TEXT,
    found_at TEXT,
    batch_id TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    policy_number TEXT NOT NULL,
    invoice_number TEXT NOT NULL,
    state_code TEXT NOT NULL,
    title TEXT NOT NULL,
    signature TEXT NOT NULL,
    checked TEXT NOT NULL DEFAULT 'unchecked',
    check_says TEXT NOT NULL DEFAULT '',
    is_read INTEGER NOT NULL DEFAULT 0,
    repeats INTEGER NOT NULL DEFAULT 0,
    body BLOB NOT NULL,
    UNIQUE (profile_id, recognition)
) STRICT;
CREATE INDEX events_shown ON events (profile_id, is_read, seq DESC);
CREATE INDEX events_fact ON events (profile_id, fact);
CREATE INDEX events_batch ON events (profile_id, batch_id);
CREATE INDEX events_transaction ON events (profile_id, transaction_id);
CREATE INDEX events_unchecked ON events (profile_id, checked);
CREATE TABLE event_refusals (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id TEXT NOT NULL,
    at TEXT NOT NULL,
    why TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    beginning TEXT NOT NULL
) STRICT;
CREATE TABLE event_refusal_count (
    profile_id TEXT PRIMARY KEY NOT NULL,
    count INTEGER NOT NULL
) STRICT;
-- How far a listener on a server was followed.
CREATE TABLE event_follows (
    profile_id TEXT PRIMARY KEY NOT NULL,
    address TEXT NOT NULL,
    last_id INTEGER NOT NULL
) STRICT;
-- Transactions whose fate is asked for: when next, and how often nothing new came of it.
CREATE TABLE event_watches (
    profile_id TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    next_ms INTEGER NOT NULL,
    in_vain INTEGER NOT NULL,
    PRIMARY KEY (profile_id, transaction_id)
) STRICT;
CREATE TABLE events_revision (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    revision INTEGER NOT NULL
) STRICT;
INSERT INTO events_revision VALUES (1, 0);
CREATE INDEX batch_rows_transaction ON batch_rows (transaction_id);
