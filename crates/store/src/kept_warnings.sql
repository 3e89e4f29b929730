-- Warnings kept with a reason: those that went along, and those kept after the service had told them.
ALTER TABLE batch_rows ADD COLUMN kept TEXT NOT NULL DEFAULT '[]';
ALTER TABLE batch_rows ADD COLUMN settled TEXT NOT NULL DEFAULT '[]';
