-- Named by the hash of their first entry. The workspace's own log has the last one's hash.
CREATE TABLE copied_audit (
    log TEXT NOT NULL,
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    by_whom TEXT NOT NULL,
    text TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (log, number)
) STRICT;
-- SQLite alone:
CREATE TRIGGER copied_audit_is_not_changed BEFORE UPDATE ON copied_audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append only'); END;
CREATE TRIGGER copied_audit_is_not_removed BEFORE DELETE ON copied_audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append only'); END;
