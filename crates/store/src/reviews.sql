CREATE TABLE reviews (
    id TEXT PRIMARY KEY NOT NULL,
    body TEXT NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    row_count INTEGER NOT NULL,
    error_count INTEGER NOT NULL,
    at TEXT NOT NULL,
    turn INTEGER NOT NULL
) STRICT;
CREATE TABLE review_sources (
    review TEXT NOT NULL REFERENCES reviews (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (review, part)
) STRICT;
CREATE TABLE review_steps (
    review TEXT NOT NULL REFERENCES reviews (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (review, number)
) STRICT;
CREATE TABLE review_mappings (
    name TEXT NOT NULL,
    headers TEXT NOT NULL,
    body TEXT NOT NULL,
    turn INTEGER NOT NULL,
    PRIMARY KEY (name, headers)
) STRICT;
