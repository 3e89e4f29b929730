-- Who may do what, by grants and row security: a reader looks, a clerk works, a manager also sends to production, an
-- administrator also keeps the profiles and gives the roles. Who made the workspace owns it and updates it.
DO $$
DECLARE word TEXT;
BEGIN
    FOREACH word IN ARRAY ARRAY['reader', 'clerk', 'manager', 'administrator'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'WORKSPACE_' || word) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', 'WORKSPACE_' || word);
        END IF;
    END LOOP;
END $$;
GRANT WORKSPACE_reader TO WORKSPACE_clerk;
GRANT WORKSPACE_clerk TO WORKSPACE_manager;
GRANT WORKSPACE_manager TO WORKSPACE_administrator;
GRANT WORKSPACE_reader, WORKSPACE_clerk, WORKSPACE_manager TO WORKSPACE_administrator WITH ADMIN OPTION;
REVOKE ALL ON SCHEMA WORKSPACE FROM PUBLIC;
GRANT USAGE ON SCHEMA WORKSPACE TO WORKSPACE_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA WORKSPACE TO WORKSPACE_reader;
GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA WORKSPACE TO WORKSPACE_clerk;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA WORKSPACE TO WORKSPACE_clerk;
-- The log is only added to, and its count is kept by the log itself; steps are the owner's.
REVOKE UPDATE, DELETE ON audit FROM WORKSPACE_clerk;
REVOKE INSERT, UPDATE, DELETE ON audit_given, store_schema, request_counts FROM WORKSPACE_clerk;
-- An entry names who is signed in, or the program: nobody writes one for another person.
CREATE OR REPLACE FUNCTION audit_names_its_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.by_whom NOT IN (session_user::text, 'Bordereau') THEN
        RAISE EXCEPTION 'an entry of the audit log names who is signed in' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER audit_is_signed BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audit_names_its_author();
-- Desks count what they send and notice a copy. That no other copy sends, so that nothing is looked up first any more, a
-- manager says.
REVOKE INSERT, DELETE ON store_place FROM WORKSPACE_clerk;
CREATE OR REPLACE FUNCTION place_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.sends < OLD.sends OR (NEW.copied_at = '' AND (OLD.copied_at <> '' OR NEW.file <> OLD.file AND OLD.file <> '')))
        AND NOT pg_has_role(session_user, 'WORKSPACE_manager', 'MEMBER') THEN
        RAISE EXCEPTION 'a manager says that no other copy sends' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER place_is_kept BEFORE UPDATE ON store_place FOR EACH ROW EXECUTE FUNCTION place_is_kept();
REVOKE ALL ON FUNCTION reserve_requests FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reserve_requests TO WORKSPACE_reader;
-- What someone has read is theirs, a reader's too.
GRANT INSERT, UPDATE, DELETE ON event_reads TO WORKSPACE_reader;
ALTER TABLE event_reads ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS everyone_looks ON event_reads;
DROP POLICY IF EXISTS own_marks ON event_reads;
CREATE POLICY everyone_looks ON event_reads FOR SELECT USING (true);
CREATE POLICY own_marks ON event_reads USING (person = session_user) WITH CHECK (person = session_user);
-- The name that a person is shown by is theirs to say, or an administrator's.
ALTER TABLE people ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS everyone_looks ON people;
DROP POLICY IF EXISTS own_name ON people;
CREATE POLICY everyone_looks ON people FOR SELECT USING (true);
CREATE POLICY own_name ON people USING (role = session_user OR pg_has_role(session_user, 'WORKSPACE_administrator', 'MEMBER'));
-- Whoever copies a data folder brings its log with it, which is only added to as well.
REVOKE INSERT, UPDATE, DELETE ON copied_audit FROM WORKSPACE_clerk;
GRANT INSERT ON copied_audit TO WORKSPACE_administrator;
CREATE OR REPLACE TRIGGER copied_audit_is_not_changed BEFORE UPDATE OR DELETE ON copied_audit
    FOR EACH ROW EXECUTE FUNCTION audit_refuses();
CREATE OR REPLACE TRIGGER copied_audit_is_not_emptied BEFORE TRUNCATE ON copied_audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses();
-- Where files are is added to: what was written before stays where it is.
REVOKE INSERT, UPDATE, DELETE ON file_places FROM WORKSPACE_clerk;
GRANT INSERT ON file_places TO WORKSPACE_administrator;
-- A profile says where something goes, and whether that is production: an administrator keeps everyone's. Who may send to
-- production may have profiles of their own, which nobody else sees.
REVOKE INSERT, UPDATE, DELETE ON profiles, profile_files FROM WORKSPACE_clerk;
GRANT INSERT, UPDATE, DELETE ON profiles TO WORKSPACE_manager;
GRANT INSERT ON profile_files TO WORKSPACE_manager;
GRANT UPDATE, DELETE ON profile_files TO WORKSPACE_administrator;
ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_and_common ON profiles;
DROP POLICY IF EXISTS own_profiles ON profiles;
DROP POLICY IF EXISTS common_profiles ON profiles;
CREATE POLICY own_and_common ON profiles FOR SELECT USING (coalesce(body::json ->> 'owner', '') IN ('', session_user::text));
CREATE POLICY own_profiles ON profiles USING (body::json ->> 'owner' = session_user::text);
CREATE POLICY common_profiles ON profiles USING (coalesce(body::json ->> 'owner', '') = ''
    AND pg_has_role(session_user, 'WORKSPACE_administrator', 'MEMBER'));
-- A file of a profile, such as a table of words or an authority, is seen by who sees a profile that names it.
ALTER TABLE profile_files ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS of_seen_profiles ON profile_files;
DROP POLICY IF EXISTS managers_add ON profile_files;
DROP POLICY IF EXISTS administrators_change ON profile_files;
DROP POLICY IF EXISTS administrators_remove ON profile_files;
CREATE POLICY of_seen_profiles ON profile_files FOR SELECT
    USING (EXISTS (SELECT 1 FROM profiles p WHERE strpos(p.body, profile_files.name) > 0));
CREATE POLICY managers_add ON profile_files FOR INSERT WITH CHECK (true);
CREATE POLICY administrators_change ON profile_files FOR UPDATE USING (true);
CREATE POLICY administrators_remove ON profile_files FOR DELETE USING (true);
-- Whether a profile is there, whoever sees it: what was sent with it doesn't go as with one that was removed.
CREATE OR REPLACE FUNCTION has_profile(profile TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = WORKSPACE, pg_temp AS 'SELECT EXISTS (SELECT 1 FROM profiles WHERE id = profile)';
REVOKE ALL ON FUNCTION has_profile FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_profile TO WORKSPACE_reader;
-- Where something goes is written once.
REVOKE UPDATE ON batches, document_uploads FROM WORKSPACE_clerk;
GRANT UPDATE (name, state, totals, ended_at, began_ms, moved_ms, trouble) ON batches TO WORKSPACE_clerk;
GRANT UPDATE (transaction_id, state, message, not_found, ended_at, content_file, evidence, observed_ms, asks, copied)
    ON document_uploads TO WORKSPACE_clerk;
-- What goes to production, and every row of it, is written by managers alone; everyone sees it.
DO $$
DECLARE
    may TEXT := 'pg_has_role(session_user, ''WORKSPACE_manager'', ''MEMBER'')';
    of_batch TEXT := 'EXISTS (SELECT 1 FROM batches b WHERE b.seq = batch AND b.environment <> ''"production"'')';
    queue TEXT;
    is_open TEXT;
    changed TEXT;
BEGIN
    FOR queue, is_open IN VALUES
        ('batches', 'environment <> ''"production"'''),
        ('document_uploads', 'environment <> ''"production"'''),
        ('batch_parts', of_batch), ('batch_rows', of_batch), ('batch_documents', of_batch),
        ('document_contents', 'EXISTS (SELECT 1 FROM document_uploads u WHERE u.seq = upload AND u.environment <> ''"production"'')')
    LOOP
        -- A row is not moved out of a production batch either; where a batch goes can't be changed at all.
        changed := CASE WHEN queue IN ('batches', 'document_uploads') THEN 'true' ELSE format('(%s) OR %s', is_open, may) END;
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', queue);
        EXECUTE format('DROP POLICY IF EXISTS everyone_looks ON %I', queue);
        EXECUTE format('DROP POLICY IF EXISTS managers_send_to_production ON %I', queue);
        EXECUTE format('DROP POLICY IF EXISTS managers_change_production ON %I', queue);
        EXECUTE format('DROP POLICY IF EXISTS managers_remove_production ON %I', queue);
        EXECUTE format('CREATE POLICY everyone_looks ON %I FOR SELECT USING (true)', queue);
        EXECUTE format('CREATE POLICY managers_send_to_production ON %I FOR INSERT WITH CHECK ((%s) OR %s)', queue, is_open, may);
        EXECUTE format('CREATE POLICY managers_change_production ON %I FOR UPDATE USING (%s) WITH CHECK ((%s) OR %s)', queue, changed, is_open, may);
        EXECUTE format('CREATE POLICY managers_remove_production ON %I FOR DELETE USING ((%s) OR %s)', queue, is_open, may);
    END LOOP;
END $$;
