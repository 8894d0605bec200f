package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.roundtrip.SingleRunExecutor;
import io.github.ratelimit.spring.redis.script.DecisionScript;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.Coalescer;
import io.github.ratelimit.store.shared.PrefetchCache;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A store that only peeks, whatever the request, and loads every script that such
 * requests may need.
 */
final class ScriptPreloader implements RateLimitStore {

	private static final Log logger = LogFactory.getLog(ScriptPreloader.class);

	private static final String KEY = "preload";

	private final ScriptRunner runner;

	private final ScriptCodec codec;

	private final SingleRunExecutor executor;

	private final @Nullable Coalescer<?> coalescer;

	ScriptPreloader(ScriptRunner runner, ScriptCodec codec, SingleRunExecutor executor,
			@Nullable Coalescer<?> coalescer) {
		this.runner = runner;
		this.codec = codec;
		this.executor = executor;
		this.coalescer = coalescer;
	}

	/** Makes a call of each policy and plan, which charges nothing. */
	void callEach(Policies policies) {
		RateLimiter limiter = new RateLimiter(policies, this, List.of());
		for (Policy policy : policies.all()) {
			Charge charge = Charge.of(policy.name(), KEY);
			limiter.peek(List.of(charge));
			policy.plans().keySet().forEach((plan) -> limiter.peek(List.of(charge.withPlan(plan))));
		}
	}

	@Override
	public String name() {
		return RedisRateLimitStore.NAME;
	}

	@Override
	public Decision execute(StoreRequest request) {
		if (this.coalescer != null) {
			this.codec.scripts(request).forEach(this::load);
			acquireNothing(this.coalescer, request.with(StoreOperation.ACQUIRE));
		}
		return this.executor.execute(request.with(StoreOperation.PEEK));
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return CompletableFuture.supplyAsync(() -> execute(request));
	}

	/**
	 * Loads a script. Without the right to do so, its first run brings the text along.
	 */
	private void load(DecisionScript script) {
		try {
			this.runner.load(script);
		}
		catch (RuntimeException ex) {
			logger.debug("A script could not be loaded", ex);
		}
	}

	/**
	 * Acquires 0 permits, except for prefetchable requests, which would prefetch some.
	 */
	private static void acquireNothing(Coalescer<?> coalescer, StoreRequest request) {
		if (!PrefetchCache.isPrefetchable(request)) {
			StoreRequest free = new StoreRequest(StoreOperation.ACQUIRE,
					request.permits().stream().map(ScriptPreloader::free).toList());
			coalescer.acquire(free, true).join();
		}
	}

	private static PermitRequest free(PermitRequest permit) {
		return new PermitRequest(permit.policyLimit(), permit.key(), 0, 0);
	}

}
