CREATE TABLE quotes (
    id TEXT PRIMARY KEY NOT NULL,
    saved INTEGER NOT NULL CHECK (saved IN (0, 1)),
    name TEXT NOT NULL,
    request TEXT NOT NULL,
    answer TEXT,
    state TEXT NOT NULL,
    transaction_type TEXT NOT NULL,
    total TEXT,
    at TEXT NOT NULL,
    turn INTEGER NOT NULL
) STRICT;
CREATE INDEX quotes_newest ON quotes (saved, turn DESC);
