-- A part whose answer was lost: since when, and whether a person is asked about it.
ALTER TABLE batch_parts ADD COLUMN lost_ms INTEGER;
ALTER TABLE batch_parts ADD COLUMN asks INTEGER NOT NULL DEFAULT 0;
-- SQLite alone:
UPDATE batch_parts SET lost_ms = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE state = 'unknown';
