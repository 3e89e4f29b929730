CREATE TABLE saved_searches (
    profile TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (profile, name)
) STRICT;
