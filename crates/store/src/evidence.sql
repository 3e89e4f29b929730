-- What is known of a row or a document is known by evidence: the question, when it was asked, what the answer said.
ALTER TABLE batch_parts ADD COLUMN evidence TEXT;
ALTER TABLE batch_rows ADD COLUMN evidence TEXT;
ALTER TABLE batch_rows ADD COLUMN filed INTEGER NOT NULL DEFAULT 0 CHECK (filed IN (0, 1));
ALTER TABLE document_uploads ADD COLUMN evidence TEXT;
-- A lost answer is waited for over time during which this program ran and the service answered, not by the clock.
ALTER TABLE batch_parts ADD COLUMN observed_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batch_parts ADD COLUMN sent_ms INTEGER;
ALTER TABLE document_uploads ADD COLUMN observed_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE document_uploads ADD COLUMN asks INTEGER NOT NULL DEFAULT 0 CHECK (asks IN (0, 1));
-- What is queued is bound to the address it was confirmed for.
ALTER TABLE batches ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE document_uploads ADD COLUMN address TEXT NOT NULL DEFAULT '';
-- SQLite alone:
UPDATE batches SET address = coalesce((SELECT p.body ->> '$.base_url' FROM profiles p WHERE p.id = profile_id), '')
    WHERE environment <> '"practice"';
UPDATE document_uploads SET address = coalesce((SELECT p.body ->> '$.base_url' FROM profiles p WHERE p.id = profile_id), '')
    WHERE environment <> '"practice"';
-- Both:
-- What was confirmed is what is sent: a row that changed in the store since is not.
ALTER TABLE batch_rows ADD COLUMN sha256 TEXT NOT NULL DEFAULT '';
