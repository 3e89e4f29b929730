-- Under the names that profiles have for them. On one computer they lie in the data folder alone.
CREATE TABLE profile_files (
    name TEXT PRIMARY KEY NOT NULL,
    content TEXT NOT NULL
) STRICT;
