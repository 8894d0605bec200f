package io.github.ratelimit.jdbc;

import java.time.Duration;

/**
 * The SQL of PostgreSQL. Settings hold for a transaction, never for a session, which a
 * pooler between may give to another client. Several statements of one text take one
 * round trip.
 *
 * <p>
 * The server plans a statement once if that plan looks no worse than one for the values
 * at hand, which no statement of a decision has the planner estimate. It keeps the plan
 * while a table grows from a few rows, so no plan may read a table as a whole.
 */
final class Postgresql {

	/** The time of the server in microseconds, which goes on within a transaction. */
	static final String NOW = "(extract(epoch from clock_timestamp()) * 1000000)::bigint";

	/** The same, read once by a statement, so that an index finds what is before it. */
	private static final String NOW_ONCE = "(select " + NOW + ")";

	/** Lets one session at a time create tables, until its transaction ends. */
	static final String LOCK_SCHEMA = "select pg_advisory_xact_lock(hashtext('ratelimit'))";

	/** Returns the tables that are missing. */
	static final String MISSING_TABLES = "select name from unnest(array['ratelimit_count', 'ratelimit_detached', "
			+ "'ratelimit_control', 'ratelimit_control_head', 'ratelimit_top']) as name where to_regclass(name) is null";

	/** Reads a count and the time, without a lock. */
	static final String READ = "select " + NOW + ", c.key, c.version, c.writer, c.state, null::text[] "
			+ "from (values (1)) as one left join ratelimit_count c on c.key = ?";

	static final String INSERT_ONE = "insert into ratelimit_count (writer, state, sweep_at, key, version) "
			+ "values (?, ?, ?, ?, ?) on conflict (key) do nothing";

	static final String UPDATE_ONE = "update ratelimit_count set version = version + 1, writer = ?, state = ?, "
			+ "sweep_at = ? where key = ? and version = ?";

	static final String INSERT = "insert into ratelimit_count (key, version, writer, state, sweep_at) "
			+ "select * from unnest(?::text[], ?::bigint[], ?::text[], ?::bytea[], ?::bigint[]) order by 1 "
			+ "on conflict (key) do nothing";

	/** Names the keys twice, so that only their rows are joined. */
	static final String UPDATE = "with n as materialized (select * from unnest(?::text[], ?::bigint[], ?::text[], "
			+ "?::bytea[], ?::bigint[]) as n(key, version, writer, state, sweep_at)) update ratelimit_count c "
			+ "set version = c.version + 1, writer = n.writer, state = n.state, sweep_at = n.sweep_at from n "
			+ "where c.key = any(array(select key from n)) and c.key = n.key and c.version = n.version";

	/** Waits for other sessions that have locked a count. */
	static final String LOCK = lock("");

	/** Leaves out the counts that other sessions have locked, and names them. */
	static final String LOCK_FREE = lock(" skip locked");

	/** Takes the oldest first, as it would otherwise read all counts to find few. */
	static final String SWEEP_COUNTS = "delete from ratelimit_count where ctid = any(array(select ctid "
			+ "from ratelimit_count where sweep_at < " + NOW_ONCE + " / 1000000 "
			+ "order by sweep_at limit ? for update skip locked))";

	/** Leaves those to be refunded for a week, in case no instance is there to do so. */
	static final String SWEEP_DETACHED = "delete from ratelimit_detached where ctid = any(array(select ctid "
			+ "from ratelimit_detached where expires_at < " + NOW_ONCE + " - 60000000 "
			+ "and (not refund or charge is null or expires_at < " + NOW_ONCE + " - 604800000000) "
			+ "order by expires_at limit ? for update skip locked))";

	static final String KEEP = "insert into ratelimit_detached (id, prefix, expires_at, refund, key_hash, charge) "
			+ "values (?, ?, coalesce(?::bigint, " + NOW + ") + ?, ?, ?, ?) returning expires_at";

	static final String FIND = "select expires_at, key_hash, charge, coalesce(?::bigint, " + NOW
			+ ") from ratelimit_detached where id = ? for update";

	static final String SETTLE = "update ratelimit_detached set charge = null where id = ?";

	static final String CLOCK = "select coalesce(?::bigint, " + NOW + ")";

	static final String DUE = "select expires_at, key_hash, charge, id from ratelimit_detached "
			+ "where prefix = ? and refund and charge is not null and expires_at <= ? "
			+ "and (expires_at, id) > (?, ?) order by expires_at, id limit ? for update skip locked";

	static final String NEXT_DUE = "select min(expires_at) from ratelimit_detached "
			+ "where prefix = ? and refund and charge is not null and expires_at > ?";

	static final String DELETE = "delete from ratelimit_detached where id = ?";

	/**
	 * Reads the state of controls: the time, the newest revision, how many known changes
	 * are missing, whether some have ended, and the newest changes.
	 */
	static final String CONTROLS = "select " + NOW + ", coalesce(h.revision, 0), (select count(*) from "
			+ "unnest(?::text[], ?::bigint[]) as k(id, revision) where not exists (select from ratelimit_control c "
			+ "where c.prefix = ? and c.id = k.id and c.revision >= k.revision)), exists (select from ratelimit_control "
			+ "where prefix = ? and ends_at <= " + NOW_ONCE + "), n.id, n.revision from (values (1)) as one "
			+ "left join ratelimit_control_head h on h.prefix = ? left join lateral (select c.id, c.revision "
			+ "from ratelimit_control c where c.prefix = ? order by c.revision desc limit 16) n on true";

	static final String ENDED_CONTROLS = "delete from ratelimit_control where prefix = ? and ends_at <= " + NOW_ONCE
			+ " returning id, text";

	static final String CHANGED_CONTROLS = "select id, text from ratelimit_control where prefix = ? "
			+ "and revision > ?";

	static final String KEPT_CONTROLS = "select id from ratelimit_control where prefix = ? and text <> ''";

	static final String ALL_CONTROLS = "select id, text, revision, ends_at from ratelimit_control where prefix = ?";

	/** Lets one session at a time change controls, in the order of revisions. */
	static final String NEXT_REVISION = "insert into ratelimit_control_head as h (prefix, revision) "
			+ "values (?, greatest(" + NOW + ", ?)) on conflict (prefix) do update "
			+ "set revision = greatest(h.revision + ?, excluded.revision) returning revision";

	static final String LOCK_REVISION = "insert into ratelimit_control_head as h (prefix, revision) values (?, 0) "
			+ "on conflict (prefix) do update set revision = h.revision returning revision";

	static final String SET_REVISION = "update ratelimit_control_head set revision = greatest(revision, ?) "
			+ "where prefix = ?";

	static final String SET_CONTROL = "insert into ratelimit_control (prefix, id, text, revision, ends_at) "
			+ "values (?, ?, ?, ?, case when ? = '' then " + NOW + " + 3600000000 else ?::bigint end) "
			+ "on conflict (prefix, id) do update set text = excluded.text, revision = excluded.revision, "
			+ "ends_at = excluded.ends_at";

	static final String REPORT = "insert into ratelimit_top (prefix, policy, instance, report, expires_at) "
			+ "values (?, ?, ?, ?, " + NOW + " + 30000000) on conflict (prefix, policy, instance) do update "
			+ "set report = excluded.report, expires_at = excluded.expires_at";

	static final String KEEP_REPORTS = "update ratelimit_top set expires_at = " + NOW + " + 30000000 "
			+ "where prefix = ? and instance = ?";

	static final String DROP_REPORTS = "delete from ratelimit_top where prefix = ? and (expires_at <= " + NOW_ONCE
			+ " or (instance = ? and not policy = any(?)))";

	static final String OTHER_REPORTS = "select report from ratelimit_top where prefix = ? and policy = ? "
			+ "and instance <> ? and expires_at > " + NOW_ONCE;

	/** The part of the timeout for which a transaction waits for a lock. */
	private static final int LOCK_PART = 4;

	private final String alone;

	private final String begin;

	Postgresql(Duration timeout) {
		long millis = timeout.toMillis();
		this.alone = "set transaction isolation level read committed; set local synchronous_commit = off; "
				+ "set local enable_seqscan = off; set local lock_timeout = " + Math.max(1, millis / LOCK_PART);
		this.begin = this.alone + "; set local statement_timeout = " + millis
				+ "; set local idle_in_transaction_session_timeout = " + millis;
	}

	/**
	 * Locks in the order of keys, and reads the time once all locks are held. Rows are
	 * looked for again only if some are missing.
	 */
	private static String lock(String option) {
		return "with wanted as materialized (select ?::text[] as keys), locked as materialized "
				+ "(select key, version, writer, state from ratelimit_count where key = any((select keys from wanted)"
				+ "::text[]) order by key for update" + option + "), clock as materialized (select count(*) as rows, "
				+ NOW
				+ " as now from locked) select clock.now, locked.*, case when clock.rows < cardinality(wanted.keys) "
				+ "then (select array_agg(c.key) from ratelimit_count c where c.key = any((select keys from wanted)"
				+ "::text[]) and c.key not in (select key from locked)) end "
				+ "from clock cross join wanted left join locked on true";
	}

	/** Returns the settings of a transaction. */
	String begin() {
		return this.begin;
	}

	/** Returns the same of one whose commit is to survive a crash of the server. */
	String beginDurable() {
		return this.begin + "; set local synchronous_commit = on";
	}

	/** Returns a text that begins a transaction with a statement. */
	String begin(String statement) {
		return this.begin + "; " + statement;
	}

	/**
	 * Returns a text whose only statement, on one row, is a transaction. It waits for
	 * nothing but locks, and each setting takes a tenth of the time of such a text.
	 */
	String alone(String statement) {
		return this.alone + "; " + last(statement);
	}

	/** Returns a text that ends a transaction. */
	static String last(String statement) {
		return statement + "; commit";
	}

}
