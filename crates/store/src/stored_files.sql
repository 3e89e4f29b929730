-- Where an office has files that are larger than its bound: the last one is in use, and those before it stay readable.
CREATE TABLE file_places (
    number INTEGER PRIMARY KEY NOT NULL,
    body TEXT NOT NULL,
    at TEXT NOT NULL,
    by_whom TEXT NOT NULL
) STRICT;
-- Each file there is named by its SHA-256. The time is noted before it is written, in seconds by the clock of the
-- server: a file that no row needs is removed a day behind it.
CREATE TABLE stored_files (
    place INTEGER NOT NULL REFERENCES file_places (number),
    name TEXT NOT NULL,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (place, name)
) STRICT;
-- A content is in its row, or under this name in this place.
ALTER TABLE document_contents ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE document_contents ADD COLUMN stored_name TEXT NOT NULL DEFAULT '';
ALTER TABLE review_sources ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE review_sources ADD COLUMN stored_name TEXT NOT NULL DEFAULT '';
