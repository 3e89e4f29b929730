CREATE TABLE assignments (
    kind TEXT NOT NULL,
    profile_id TEXT NOT NULL,
    item TEXT NOT NULL,
    person TEXT NOT NULL,
    note TEXT NOT NULL,
    at TEXT NOT NULL,
    by_whom TEXT NOT NULL,
    PRIMARY KEY (kind, profile_id, item)
) STRICT;
