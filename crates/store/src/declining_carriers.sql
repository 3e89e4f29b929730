CREATE TABLE declining_carriers (
    key TEXT PRIMARY KEY NOT NULL,
    carrier TEXT NOT NULL,
    naic TEXT NOT NULL,
    contact TEXT NOT NULL,
    reason TEXT NOT NULL,
    turn INTEGER NOT NULL
) STRICT;
CREATE INDEX declining_carriers_newest ON declining_carriers (turn DESC);
