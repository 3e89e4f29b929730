-- What SQLite has by itself and PostgreSQL by another name, and what keeps the audit log as it is.
CREATE FUNCTION instr(whole TEXT, part TEXT) RETURNS INTEGER
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT strpos(whole, part)';
-- A field of an object, as text: '$.name'.
CREATE FUNCTION json_extract(body TEXT, path TEXT) RETURNS TEXT
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$SELECT body::json ->> substr(path, 3)$$;
CREATE FUNCTION json_each(body TEXT) RETURNS TABLE (value TEXT)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$SELECT item::text FROM json_array_elements(body::json) item$$;
CREATE FUNCTION whole_number(typed TEXT) RETURNS BIGINT
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$SELECT CASE WHEN typed ~ '^[0-9]{1,18}$' THEN typed::bigint ELSE 0 END$$;
-- What is no Unicode is nothing that a person searches.
CREATE FUNCTION text_of(content BYTEA) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN convert_from(content, 'UTF8');
EXCEPTION WHEN others THEN
    RETURN '';
END $$;
CREATE FUNCTION fresh_id() RETURNS TEXT
    LANGUAGE sql VOLATILE AS $$SELECT substr(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 1, 16)$$;

-- How many entries were ever written: shows when the last ones were taken away.
CREATE TABLE audit_given (only_one BIGINT PRIMARY KEY CHECK (only_one = 1), given BIGINT NOT NULL);
INSERT INTO audit_given VALUES (1, 0);
-- Who the database says wrote an entry, whatever the entry says itself.
ALTER TABLE audit ADD COLUMN IF NOT EXISTS signed_by TEXT NOT NULL DEFAULT '';
-- With the rights of the owner: who writes an entry may not touch the count itself. It names all it uses.
CREATE FUNCTION audit_counts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    EXECUTE format('UPDATE %I.audit_given SET given = given + 1', TG_TABLE_SCHEMA);
    NEW.signed_by := session_user;
    RETURN NEW;
END $$;
CREATE FUNCTION audit_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append only';
END $$;
CREATE TRIGGER audit_is_counted BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audit_counts();
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_refuses();
CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses();
