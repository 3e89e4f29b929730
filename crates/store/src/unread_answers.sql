CREATE TABLE unread_answers (
    seq INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    at TEXT NOT NULL,
    times INTEGER NOT NULL,
    answer TEXT NOT NULL
) STRICT;
CREATE INDEX unread_answers_by_profile ON unread_answers (profile, seq);
