-- The state of what was canceled before it was sent had the British spelling until version 0.2.
UPDATE batches SET state = 'canceled' WHERE state = 'cancelled';
UPDATE batch_parts SET state = 'canceled' WHERE state = 'cancelled';
UPDATE document_uploads SET state = 'canceled' WHERE state = 'cancelled';
