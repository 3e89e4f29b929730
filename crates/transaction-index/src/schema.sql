-- The index of one profile's transactions: what the service said, made findable. It can be made anew at any
-- time, so another version of this file starts it empty instead of changing it.
CREATE TABLE facts (
    id INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    documents INTEGER NOT NULL,
    paid INTEGER NOT NULL,
    due TEXT,
    open INTEGER NOT NULL,
    policy_effective TEXT,
    transaction_effective TEXT,
    filed TEXT,
    premium INTEGER NOT NULL,
    fees INTEGER NOT NULL,
    taxes INTEGER NOT NULL,
    total INTEGER NOT NULL,
    lacks_amounts INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;
CREATE TABLE bodies (
    id INTEGER PRIMARY KEY,
    policy_number TEXT NOT NULL,
    insured TEXT NOT NULL,
    invoice TEXT NOT NULL,
    own_id TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
-- Words are only pointed at: the records have them. No positions: a question is beginnings of words.
CREATE VIRTUAL TABLE words USING fts5(
    text, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4 5',
    tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M* So'"
);
CREATE TABLE fetched (
    by_date TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE TABLE visits (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    before TEXT NOT NULL,
    seen TEXT NOT NULL
) STRICT;
CREATE TABLE revision (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), number INTEGER NOT NULL) STRICT;
INSERT INTO revision VALUES (1, 1);
