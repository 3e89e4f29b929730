-- How many requests are sent with a key, counted in slots of time by the clock of the server: all desks and workers
-- together stay within the limit of the service. Everyone reserves, a reader too; nobody changes the count otherwise.
CREATE TABLE IF NOT EXISTS request_counts (
    account TEXT NOT NULL,
    slot BIGINT NOT NULL,
    requests BIGINT NOT NULL,
    PRIMARY KEY (account, slot)
);
-- Up to so many requests are reserved as are wanted; where there is none left, less than 0: milliseconds to wait.
CREATE OR REPLACE FUNCTION reserve_requests(of_account TEXT, wanted BIGINT, most BIGINT, slot_ms BIGINT, slots BIGINT)
RETURNS BIGINT LANGUAGE plpgsql SECURITY DEFINER SET search_path = WORKSPACE, pg_temp AS $$
DECLARE
    now_ms BIGINT;
    now_slot BIGINT;
    oldest BIGINT;
    used BIGINT;
    moved BIGINT;
    given BIGINT;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('requests of WORKSPACE ' || of_account, 0));
    now_ms := floor(extract(epoch FROM clock_timestamp()) * 1000);
    now_slot := now_ms / slot_ms;
    DELETE FROM request_counts WHERE account = of_account AND slot <= now_slot - slots;
    -- The clock of another host, which took over, may be behind.
    SELECT coalesce(sum(requests), 0) INTO moved FROM request_counts WHERE account = of_account AND slot > now_slot;
    DELETE FROM request_counts WHERE account = of_account AND slot > now_slot;
    SELECT coalesce(sum(requests), 0) + moved, coalesce(min(slot), now_slot) INTO used, oldest
        FROM request_counts WHERE account = of_account;
    given := greatest(least(wanted, most - used), 0);
    IF given + moved > 0 THEN
        INSERT INTO request_counts AS c VALUES (of_account, now_slot, given + moved)
            ON CONFLICT (account, slot) DO UPDATE SET requests = c.requests + excluded.requests;
    END IF;
    IF given > 0 THEN
        RETURN given;
    END IF;
    RETURN least(now_ms - (oldest + slots) * slot_ms, -1);
END $$;
