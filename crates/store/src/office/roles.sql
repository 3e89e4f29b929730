-- Who may do what, by grants: a reader looks, a clerk works, a manager also sends to
-- production. Who made the workspace owns it and is its administrator.
DO $$
DECLARE word TEXT;
BEGIN
    FOREACH word IN ARRAY ARRAY['reader', 'clerk', 'manager'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'WORKSPACE_' || word) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', 'WORKSPACE_' || word);
        END IF;
    END LOOP;
END $$;
GRANT WORKSPACE_reader TO WORKSPACE_clerk;
GRANT WORKSPACE_clerk TO WORKSPACE_manager;
REVOKE ALL ON SCHEMA WORKSPACE FROM PUBLIC;
GRANT USAGE ON SCHEMA WORKSPACE TO WORKSPACE_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA WORKSPACE TO WORKSPACE_reader;
GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA WORKSPACE TO WORKSPACE_clerk;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA WORKSPACE TO WORKSPACE_clerk;
-- The log is only added to, and its count is kept by the log itself; steps are the owner's.
REVOKE UPDATE, DELETE ON audit FROM WORKSPACE_clerk;
REVOKE INSERT, UPDATE, DELETE ON audit_given, store_schema FROM WORKSPACE_clerk;
-- Where something goes is written once, and to production by managers alone.
REVOKE UPDATE ON batches, document_uploads FROM WORKSPACE_clerk;
GRANT UPDATE (name, state, totals, ended_at, began_ms, moved_ms, trouble) ON batches TO WORKSPACE_clerk;
GRANT UPDATE (transaction_id, state, message, not_found, ended_at, content_file, evidence, observed_ms, asks, copied)
    ON document_uploads TO WORKSPACE_clerk;
ALTER TABLE batches ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_uploads ENABLE ROW LEVEL SECURITY;
DO $$
DECLARE queue TEXT;
BEGIN
    FOREACH queue IN ARRAY ARRAY['batches', 'document_uploads'] LOOP
        -- Made once.
        CONTINUE WHEN EXISTS (SELECT 1 FROM pg_policies
            WHERE schemaname = 'WORKSPACE' AND tablename = queue AND policyname = 'everyone_looks');
        EXECUTE format('CREATE POLICY everyone_looks ON %I FOR SELECT USING (true)', queue);
        EXECUTE format('CREATE POLICY clerks_work ON %I FOR UPDATE USING (true) WITH CHECK (true)', queue);
        EXECUTE format('CREATE POLICY clerks_remove ON %I FOR DELETE USING (true)', queue);
        EXECUTE format('CREATE POLICY managers_send_to_production ON %I FOR INSERT WITH CHECK
            (environment <> ''"production"'' OR pg_has_role(session_user, ''WORKSPACE_manager'', ''MEMBER''))', queue);
    END LOOP;
END $$;
