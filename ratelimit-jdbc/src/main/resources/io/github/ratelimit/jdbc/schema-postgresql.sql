-- What is counted, by prefix, counter, digest of the key and period.
CREATE TABLE IF NOT EXISTS ratelimit_count (
	key TEXT NOT NULL,
	version BIGINT NOT NULL,
	writer TEXT NOT NULL,
	state BYTEA NOT NULL,
	sweep_at BIGINT NOT NULL, -- seconds since 1970
	CONSTRAINT ratelimit_count_pk PRIMARY KEY (key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX IF NOT EXISTS ratelimit_count_sweep ON ratelimit_count (sweep_at);

-- Charges of detached reservations, without their text once they are settled.
CREATE TABLE IF NOT EXISTS ratelimit_detached (
	id UUID NOT NULL,
	prefix TEXT NOT NULL,
	expires_at BIGINT NOT NULL, -- microseconds since 1970
	refund BOOLEAN NOT NULL,
	key_hash TEXT NOT NULL,
	charge TEXT,
	CONSTRAINT ratelimit_detached_pk PRIMARY KEY (id)
);

CREATE INDEX IF NOT EXISTS ratelimit_detached_end ON ratelimit_detached (expires_at);

CREATE INDEX IF NOT EXISTS ratelimit_detached_due ON ratelimit_detached (prefix, expires_at, id)
	WHERE refund AND charge IS NOT NULL;

-- Controls that operators have set, and for an hour those that they have lifted, without a text.
CREATE TABLE IF NOT EXISTS ratelimit_control (
	prefix TEXT NOT NULL,
	id TEXT NOT NULL,
	text TEXT NOT NULL,
	revision BIGINT NOT NULL,
	ends_at BIGINT, -- microseconds since 1970
	CONSTRAINT ratelimit_control_pk PRIMARY KEY (prefix, id)
);

CREATE INDEX IF NOT EXISTS ratelimit_control_revision ON ratelimit_control (prefix, revision);

-- The newest revision of the controls, which one session changes at a time.
CREATE TABLE IF NOT EXISTS ratelimit_control_head (
	prefix TEXT NOT NULL,
	revision BIGINT NOT NULL,
	CONSTRAINT ratelimit_control_head_pk PRIMARY KEY (prefix)
);

-- What each instance reports of the keys that are denied most, for half a minute.
CREATE UNLOGGED TABLE IF NOT EXISTS ratelimit_top (
	prefix TEXT NOT NULL,
	policy TEXT NOT NULL,
	instance TEXT NOT NULL,
	report TEXT NOT NULL,
	expires_at BIGINT NOT NULL, -- microseconds since 1970
	CONSTRAINT ratelimit_top_pk PRIMARY KEY (prefix, policy, instance)
);
