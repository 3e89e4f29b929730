CREATE TABLE event_reads (
    person TEXT NOT NULL,
    event INTEGER NOT NULL REFERENCES events (seq) ON DELETE CASCADE,
    is_read INTEGER NOT NULL,
    PRIMARY KEY (person, event)
) STRICT;
CREATE INDEX event_reads_event ON event_reads (event);
