-- Who follows the workspace is told what was changed, by the name that it has on screen: with the change itself, or not
-- at all. No row is told, and a change of many rows is told once.
CREATE OR REPLACE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify(TG_TABLE_SCHEMA, TG_ARGV[0]);
    RETURN NULL;
END $$;
DO $$
DECLARE
    room TEXT;
    tables TEXT[];
    changed TEXT;
BEGIN
    FOR room, tables IN VALUES
        ('batches', ARRAY['batches', 'batch_parts', 'batch_rows', 'batch_documents']),
        ('documents', ARRAY['document_uploads']),
        ('drafts', ARRAY['reviews', 'review_steps']),
        ('mappings', ARRAY['review_mappings', 'mapping_versions']),
        ('events', ARRAY['events', 'event_refusals', 'event_wordings']),
        ('quotes', ARRAY['quotes']),
        ('profiles', ARRAY['profiles']),
        ('due_dates', ARRAY['due_marks']),
        ('searches', ARRAY['saved_searches']),
        ('audit_log', ARRAY['audit', 'copied_audit']),
        ('assignments', ARRAY['assignments', 'people'])
    LOOP
        FOREACH changed IN ARRAY tables LOOP
            EXECUTE format('CREATE OR REPLACE TRIGGER change_is_told AFTER INSERT OR UPDATE OR DELETE ON %I
                FOR EACH STATEMENT EXECUTE FUNCTION tell_change(%L)', changed, room);
        END LOOP;
    END LOOP;
END $$;
