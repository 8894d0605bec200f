package io.github.ratelimit.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreFailure;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.DecisionHandler;
import io.github.ratelimit.store.shared.DenialCache;
import io.github.ratelimit.store.shared.InstanceCount;
import io.github.ratelimit.store.shared.RunTimeouts;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * A store that keeps its counts in PostgreSQL, shared by all instances that use the same
 * database and prefix. It decides by the clock of the server. A run decides up to 64
 * calls that wait; for one count it takes one round trip if it denies, two if it admits,
 * and holds no lock between these.
 *
 * <p>
 * It has connections and threads of its own, as a call may hold a connection of the
 * application. No call waits longer than the timeout. As a bean, it holds no connection
 * while the application context is stopped. Thread-safe.
 */
public final class JdbcRateLimitStore implements RateLimitStore, SmartLifecycle, AutoCloseable {

	/** The name of this store. */
	public static final String NAME = "jdbc";

	/** The phase of stores, which stop after what uses them. */
	private static final int PHASE = 1;

	private final Server server;

	private final JdbcStoreOptions options;

	private final CountKeys keys;

	private final DenialCache denials;

	private final CountTable table;

	private final Runs runs;

	private final Transactions transactions;

	private final JdbcDetachedReservations detached;

	private final InstanceCount instances;

	private final Housekeeping housekeeping;

	private volatile boolean running = true;

	private JdbcRateLimitStore(Server server, JdbcStoreOptions options, String prefix, StoreClock clock,
			boolean optimistic) {
		this.server = server;
		this.options = options;
		this.keys = new CountKeys(prefix);
		this.denials = new DenialCache(options.denials(), options.denialAge(), System::nanoTime);
		Postgresql sql = new Postgresql(options.timeout());
		this.table = new CountTable(sql, clock);
		this.runs = new Runs(options.poolSize(), server.database(),
				new Decider(server.database(), this.table, optimistic)::run);
		this.transactions = new Transactions(server.database(), sql, server.outcomes(), server.timeouts());
		this.detached = new JdbcDetachedReservations(this.transactions, this.table, this.keys, clock);
		this.instances = new InstanceCount(this::decide, System::nanoTime);
		this.housekeeping = new Housekeeping(this.transactions, this::probe);
	}

	/**
	 * Creates a store, which connects at its first decision.
	 * @param url the JDBC URL of a PostgreSQL database that has the tables in
	 * {@code schema-postgresql.sql}
	 * @param username the user, or {@code null} if the URL names it
	 * @param password the password, or {@code null} for none
	 * @param prefix the start of every key, such as the name of the application
	 * @param options the options
	 * @return the store, which the caller closes
	 */
	public static JdbcRateLimitStore on(String url, @Nullable String username, @Nullable String password, String prefix,
			JdbcStoreOptions options) {
		return new JdbcRateLimitStore(
				Server.of(new OwnConnections(url, username, password, options.timeout()), options), options, prefix,
				StoreClock.OF_SERVER, true);
	}

	/** Returns a store with another clock, prefix, and way to decide, without denials. */
	JdbcRateLimitStore at(LongSupplier micros, String prefix, boolean optimistic) {
		return new JdbcRateLimitStore(this.server, this.options.withoutDenials(), prefix, new StoreClock(micros),
				optimistic);
	}

	@Override
	public Decision execute(StoreRequest request) {
		Decision cached = denial(request);
		return (cached != null) ? cached : decide(request);
	}

	private @Nullable Decision denial(StoreRequest request) {
		return (request.operation() == StoreOperation.ACQUIRE) ? this.denials.get(request) : null;
	}

	private Decision decide(StoreRequest request) {
		try {
			return start(request).join();
		}
		catch (CompletionException ex) {
			throw SqlFailures.of(ex);
		}
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		Decision cached = denial(request);
		if (cached != null) {
			return CompletableFuture.completedFuture(cached);
		}
		try {
			return start(request);
		}
		catch (RateLimitStoreException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private CompletableFuture<Decision> start(StoreRequest request) {
		DecisionHandler<Decision> handler = new DecisionHandler<>(DecisionsAsTheyAre.READER, request, this.denials);
		PendingDecision pending = new PendingDecision(request, this.keys.of(request),
				this.server.outcomes().guarded(handler));
		this.server.timeouts().add(pending);
		this.runs.add(pending);
		return pending;
	}

	@Override
	public DetachedReservations detachedReservations() {
		return this.detached;
	}

	@Override
	public void forget(Predicate<PermitRequest> counts) {
		this.denials.evict(counts);
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public String description() {
		return this.server.connections().name();
	}

	@Override
	public long unreadable() {
		return this.table.unreadable();
	}

	@Override
	public int instances() {
		return this.instances.known();
	}

	/**
	 * Counts the instances that share the database, every ten seconds.
	 * @param wanted whether {@link #instances} is used at the moment
	 */
	public void countInstancesWhile(BooleanSupplier wanted) {
		this.instances.countWhile(wanted);
	}

	@Override
	public BreakerState breakerState() {
		return this.server.outcomes().state();
	}

	@Override
	public @Nullable StoreFailure lastFailure() {
		return this.server.outcomes().lastFailure();
	}

	/**
	 * Creates a store of controls in the same database, on the connections of this store.
	 * @return the controls of the same prefix
	 */
	public ControlStore controlStore() {
		return new JdbcControlStore(this.transactions, this.keys.prefix());
	}

	/**
	 * Creates an exchange of reports in the same database, on the connections of this
	 * store.
	 * @return the reports of the same prefix
	 */
	public TopExchange topExchange() {
		return new JdbcTopExchange(this.transactions, this.keys.prefix());
	}

	/**
	 * Creates the tables that are missing.
	 * @throws SQLException if the database does not reply or refuses
	 */
	public void createTables() throws SQLException {
		this.server.connections().createTables();
	}

	/**
	 * Returns the tables that the database lacks. Waits for the timeout at most.
	 * @return the names; empty if the database does not reply
	 */
	public List<String> missingTables() {
		try {
			return this.transactions
				.start((connection, jdbc) -> jdbc.queryForList(Postgresql.MISSING_TABLES, String.class))
				.join();
		}
		catch (CompletionException ex) {
			return List.of();
		}
	}

	/** Deletes what has run out, and returns the number of rows. */
	int sweep() {
		return this.housekeeping.sweep();
	}

	private void probe() {
		decide(new StoreRequest(StoreOperation.PEEK, List.of()));
		this.instances.lookIfDue();
	}

	/**
	 * Starts the background work: it probes the database, so that the circuit breaker
	 * follows it without calls, and deletes counts that have run out. Has no effect if it
	 * has started.
	 */
	public void warmUp() {
		this.housekeeping.start();
	}

	/** Permits connections, and starts the background work. */
	@Override
	public void start() {
		this.server.database().start();
		warmUp();
		this.running = true;
	}

	/** Closes all connections. Until the start, decisions fail as in an outage. */
	@Override
	public void stop() {
		this.running = false;
		this.housekeeping.stop();
		if (breakerState() == BreakerState.CLOSED) {
			this.instances.release();
		}
		this.server.database().stop();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/** Stops for good. */
	@Override
	public void close() {
		if (this.running) {
			stop();
		}
		this.server.database().close();
	}

	/** A decision that needs no decoding. */
	private enum DecisionsAsTheyAre implements DecisionHandler.Replies<Decision> {

		READER;

		@Override
		public Decision decode(StoreRequest request, Decision reply) {
			return reply;
		}

		@Override
		public RateLimitStoreException failure(Throwable failure) {
			return SqlFailures.of(failure);
		}

	}

	/** The parts that stores on one database share. */
	private record Server(OwnConnections connections, Database database, Outcomes outcomes, RunTimeouts timeouts) {

		static Server of(OwnConnections connections, JdbcStoreOptions options) {
			Database database = new Database(connections, options.poolSize());
			return new Server(connections, database, new Outcomes(connections.name(), database::closeIdle),
					new RunTimeouts(options.timeout(), Runnable::run));
		}

	}

}
