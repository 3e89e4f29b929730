CREATE TABLE mapping_versions (
    name TEXT NOT NULL,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    -- When it was replaced.
    at TEXT NOT NULL,
    PRIMARY KEY (name, number)
) STRICT;
