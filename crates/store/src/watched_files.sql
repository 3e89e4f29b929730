CREATE TABLE watched_files (
    profile TEXT NOT NULL,
    -- What reads the folder: the window, a command that checks, one that sends.
    reader TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    name TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (profile, reader, sha256)
) STRICT;
