-- Which file this store is in, how often something was sent from it, and since when it is known to be a copy.
CREATE TABLE store_place (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    file TEXT NOT NULL,
    sends INTEGER NOT NULL,
    copied_at TEXT NOT NULL
) STRICT;
INSERT INTO store_place VALUES (1, '', 0, '');
-- It waits in a copy and was never sent from there: another copy may have sent it.
ALTER TABLE batch_parts ADD COLUMN copied INTEGER NOT NULL DEFAULT 0 CHECK (copied IN (0, 1));
ALTER TABLE document_uploads ADD COLUMN copied INTEGER NOT NULL DEFAULT 0 CHECK (copied IN (0, 1));
