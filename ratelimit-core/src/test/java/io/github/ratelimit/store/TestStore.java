package io.github.ratelimit.store;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * A store that records requests, and decides, fails, delays or refuses them on demand.
 */
public final class TestStore implements RateLimitStore {

	/** The name of the threads that decide later. */
	public static final String THREAD = "test-store";

	private final Queue<StoreRequest> requests = new ConcurrentLinkedQueue<>();

	private final Queue<Decided> decided = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> delayed = new ConcurrentLinkedQueue<>();

	private final AtomicReference<Runnable> afterNext = new AtomicReference<>(TestStore::nothing);

	private final Function<StoreRequest, Decision> decisions;

	private volatile Predicate<StoreRequest> failing = (request) -> false;

	private volatile Supplier<RuntimeException> failure = () -> new RateLimitStoreException("failing", null);

	private volatile Executor executor = Runnable::run;

	private volatile boolean refusing;

	private volatile int instances = 1;

	/** A request, and the decision on it. */
	public record Decided(StoreRequest request, Decision decision) {

	}

	/** Creates a store that decides in memory. */
	public TestStore() {
		this(new MemoryRateLimitStore(100_000)::execute);
	}

	/** Creates a store that decides in memory, on a clock in microseconds since 1970. */
	public TestStore(LongSupplier clock) {
		this(new MemoryRateLimitStore(100_000, clock)::execute);
	}

	/** Creates a store that decides as a function, such as another store, does. */
	public TestStore(Function<StoreRequest, Decision> decisions) {
		this.decisions = decisions;
	}

	/** Fails all requests until {@link #recover()}. */
	public TestStore fail() {
		return fail((request) -> true);
	}

	/** Fails the requests on keys that contain a text until {@link #recover()}. */
	public TestStore fail(String text) {
		return fail((request) -> request.permits().stream().anyMatch((permit) -> permit.key().contains(text)));
	}

	/** Fails some requests until {@link #recover()}. */
	public TestStore fail(Predicate<StoreRequest> failing) {
		this.failing = failing;
		return this;
	}

	/** Fails with these exceptions. */
	public TestStore failWith(Supplier<RuntimeException> failure) {
		this.failure = failure;
		return this;
	}

	/** Ends the failure. */
	public void recover() {
		this.failing = (request) -> false;
	}

	/** Is shared by a number of instances. */
	public TestStore sharedBy(int instances) {
		this.instances = instances;
		return this;
	}

	/** Throws an error at blocking requests. */
	public TestStore refuseBlocking() {
		this.refusing = true;
		return this;
	}

	/** Delays asynchronous requests until {@link #complete()}. */
	public TestStore delay() {
		return decideOn(this.delayed::add);
	}

	/** Decides asynchronous requests some time later, on threads of its own. */
	public TestStore decideLater() {
		return decideOn(CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS,
				(decision) -> new Thread(decision, THREAD).start()));
	}

	/** Decides asynchronous requests on an executor. */
	public TestStore decideOn(Executor executor) {
		this.executor = executor;
		return this;
	}

	/** Decides the requests delayed so far. */
	public void complete() {
		List.copyOf(this.delayed).stream().filter(this.delayed::remove).forEach(Runnable::run);
	}

	/** Returns the number of delayed requests. */
	public int delayed() {
		return this.delayed.size();
	}

	/** Runs an action once, between the next blocking decision and its return. */
	public void afterNextDecision(Runnable action) {
		this.afterNext.set(action);
	}

	/** Returns all requests so far, in order. */
	public List<StoreRequest> requests() {
		return List.copyOf(this.requests);
	}

	/** Returns the requests of an operation, in order. */
	public List<StoreRequest> requests(StoreOperation operation) {
		return requests().stream().filter((request) -> request.operation() == operation).toList();
	}

	/** Returns the policies of each request on keys that end with a caller, in order. */
	public List<List<String>> policies(String caller) {
		return requests().stream()
			.map(StoreRequest::permits)
			.filter((permits) -> permits.stream().anyMatch((permit) -> permit.key().endsWith(":" + caller)))
			.map((permits) -> permits.stream().map(PermitRequest::policy).toList())
			.toList();
	}

	/** Returns the requests decided so far, in order. */
	public List<Decided> decided() {
		return List.copyOf(this.decided);
	}

	@Override
	public String name() {
		return "test";
	}

	@Override
	public int instances() {
		return this.instances;
	}

	@Override
	public Decision execute(StoreRequest request) {
		this.requests.add(request);
		if (this.refusing) {
			throw new AssertionError("A request blocks " + Thread.currentThread());
		}
		Decision decision = decide(request);
		this.afterNext.getAndSet(TestStore::nothing).run();
		return decision;
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		this.requests.add(request);
		CompletableFuture<Decision> decision = new CompletableFuture<>();
		this.executor.execute(() -> {
			try {
				decision.complete(decide(request));
			}
			catch (RuntimeException | Error ex) {
				decision.completeExceptionally(ex);
			}
		});
		return decision;
	}

	private Decision decide(StoreRequest request) {
		if (this.failing.test(request)) {
			throw this.failure.get();
		}
		Decision decision = this.decisions.apply(request);
		this.decided.add(new Decided(request, decision));
		return decision;
	}

	private static void nothing() {
	}

}
