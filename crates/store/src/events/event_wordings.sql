-- Stamp wordings that are asked for again: the question of each state, and what was answered last.
CREATE TABLE event_wordings (
    profile_id TEXT NOT NULL,
    state_code TEXT NOT NULL,
    question TEXT NOT NULL,
    -- Empty before the first answer.
    known TEXT NOT NULL DEFAULT '',
    asked_at TEXT NOT NULL DEFAULT '',
    next_ms INTEGER NOT NULL,
    in_vain INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (profile_id, state_code)
) STRICT;
