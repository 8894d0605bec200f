package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RandomCalls;
import io.github.ratelimit.store.RandomCalls.Call;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The parity of Java, Lua and the definitions on random traces of costs, times, clock
 * steps and changes of policy. {@code -Dtest.traces=100000} for a long run, {@code
 * -Dtest.seed} to repeat one.
 */
public class DecisionParityIT {

	private static final int TRACES = Integer.getInteger("test.traces", 200);

	private static final long SEED = Long.getLong("test.seed", System.nanoTime());

	private static final int CALLS = 20;

	private static final String TRACE = "%s, seed %d, trace %d: %s";

	private static final List<Algorithm> ALGORITHMS = List.of(Algorithm.values());

	private static final List<String> RATES = List.of("10/1s", "7/1s", "1/1s", "13/17ms", "300000/1s", "1/30d", "50/1m",
			"6131/1d");

	private static final List<String> CALENDARS = List.of("10/1m align minute", "7/1d align day zone Asia/Tokyo",
			"9/30d align month zone Europe/Berlin", "7/1d align day zone Europe/Berlin",
			"20/7d align week zone America/New_York");

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	private static final long START = 1_790_000_000_000_000L;

	private final AtomicLong clock = new AtomicLong(START);

	private final RateLimitStore memory = new MemoryRateLimitStore(1_000_000, this.clock::get);

	private final RedisRateLimitStore redis = RedisRateLimitStore.on(CONNECTIONS, "parity", Duration.ofSeconds(10))
		.at(this.clock::get);

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@Test
	void javaAndLuaDecideAsDefined() {
		Random random = new Random(SEED);
		for (int trace = 0; trace < TRACES; trace++) {
			this.clock.set(START);
			Limit limit = limit(random);
			Definition definition = Definition.of(limit);
			RandomCalls calls = new RandomCalls(random, "defined", SEED + "-" + trace);
			List<String> history = new ArrayList<>();
			for (int index = 0; index < CALLS; index++) {
				step(random, limit);
				Call call = calls.next(limit);
				history.add(entry(call));
				LimitDecision defined = definition.execute(call.operation(), call.permit(), this.clock.get());
				assertThat(execute(this.memory, call)).as(TRACE, "Java", SEED, trace, history).isEqualTo(defined);
				assertThat(execute(this.redis, call)).as(TRACE, "Lua", SEED, trace, history).isEqualTo(defined);
				calls.done(call, defined, this.clock.get());
			}
		}
	}

	/**
	 * Charges under another policy are not refunded. From the first change of the period
	 * on, the clock does not step back: once it has passed the end of a count that is not
	 * used meanwhile, memory may have dropped it, while Redis drops it by its own clock.
	 */
	@Test
	void javaAndLuaContinueAlikeAfterAChangeOfPolicy() {
		Random random = new Random(SEED);
		for (int trace = 0; trace < TRACES; trace++) {
			this.clock.set(START);
			Limit limit = limit(random);
			Duration first = limit.rate().period();
			boolean goOn = false;
			RandomCalls calls = new RandomCalls(random, "changing", SEED + "-" + trace);
			List<String> history = new ArrayList<>();
			for (int index = 0; index < CALLS; index++) {
				goOn = goOn || !limit.rate().period().equals(first);
				step(random, limit, goOn);
				Call call = calls.next(limit);
				history.add(entry(call));
				LimitDecision java = execute(this.memory, call);
				assertThat(execute(this.redis, call)).as(TRACE, "Lua", SEED, trace, history).isEqualTo(java);
				calls.done(call, java, this.clock.get());
				if (random.nextInt(4) == 0) {
					limit = (random.nextInt(3) > 0) ? limitOfPeriod(limit.rate().period(), random) : limit(random);
					calls.forget();
				}
			}
		}
	}

	/** Up to five limits, as scripts differ by their number. */
	@Test
	void javaAndLuaDecideAlikeOnSeveralLimits() {
		Random random = new Random(SEED);
		for (int trace = 0; trace < TRACES; trace++) {
			this.clock.set(START);
			List<Limit> limits = IntStream.rangeClosed(1, 2 + random.nextInt(4))
				.mapToObj((i) -> limit(random))
				.toList();
			RandomCalls calls = new RandomCalls(random, "several", SEED + "-" + trace);
			List<String> history = new ArrayList<>();
			for (int index = 0; index < CALLS; index++) {
				step(random, limits.get(0));
				Call call = refundedIfNotRenewable(calls.next(limits.get(0)), limits);
				List<PermitRequest> permits = ofEach(limits, call);
				history.add(this.clock + " " + call.operation() + " " + permits);
				Decision java = this.memory.execute(new StoreRequest(call.operation(), permits));
				assertThat(this.redis.execute(new StoreRequest(call.operation(), permits)))
					.as(TRACE, "Lua", SEED, trace, history)
					.isEqualTo(java);
				if (java.allowed()) {
					calls.done(call, java.limits().get(0), this.clock.get());
				}
			}
		}
	}

	@Test
	void javaAndLuaShadowAlike() {
		Random random = new Random(SEED);
		for (int trace = 0; trace < TRACES; trace++) {
			this.clock.set(START);
			Limit limit = limit(random);
			Limit tried = limit(random);
			RandomCalls calls = new RandomCalls(random, "shadowed", SEED + "-" + trace);
			List<String> history = new ArrayList<>();
			for (int index = 0; index < CALLS; index++) {
				step(random, limit);
				Call call = calls.acquire(limit);
				List<PermitRequest> permits = new ArrayList<>(List.of(call.permit(), calls.inShadow(tried)));
				Collections.shuffle(permits, random);
				StoreOperation operation = (random.nextInt(5) == 0) ? StoreOperation.PEEK : StoreOperation.ACQUIRE;
				history.add(this.clock + " " + operation + " " + permits);
				StoreRequest request = new StoreRequest(operation, permits);
				assertThat(this.redis.execute(request)).as(TRACE, "Lua", SEED, trace, history)
					.isEqualTo(this.memory.execute(request));
			}
		}
	}

	/**
	 * A cached denial assumes that nothing else is charged meanwhile, as any denial does.
	 */
	@Test
	void admitsTheSameWithCachedDenials() {
		RedisRateLimitStore caching = this.redis.with(RedisStoreOptions.STANDARD);
		Random random = new Random(SEED);
		for (int trace = 0; trace < TRACES; trace++) {
			this.clock.set(START);
			Limit limit = limit(random);
			RandomCalls calls = new RandomCalls(random, "remembered", SEED + "-" + trace);
			List<String> history = new ArrayList<>();
			for (int index = 0; index < CALLS; index++) {
				this.clock.addAndGet(random.nextLong(limit.rate().periodMicros() / 8 + 2));
				Call call = calls.next(limit);
				history.add(entry(call));
				LimitDecision java = execute(this.memory, call);
				LimitDecision redis = execute(caching, call);
				assertThat(redis.allowed()).as(TRACE, "Lua", SEED, trace, history).isEqualTo(java.allowed());
				assertThat(redis.retryAfterMicros()).as(TRACE, "Lua", SEED, trace, history)
					.isEqualTo(java.retryAfterMicros());
				calls.done(call, java, this.clock.get());
			}
		}
	}

	/**
	 * Each call of up to three limits reaches one of two instances, which cache their own
	 * denials.
	 */
	@Test
	void tellsTheSameWithDenialsThatTwoInstancesCache() {
		List<RedisRateLimitStore> instances = List.of(this.redis.with(RedisStoreOptions.STANDARD),
				this.redis.with(RedisStoreOptions.STANDARD));
		Random random = new Random(SEED);
		for (int trace = 0; trace < TRACES; trace++) {
			this.clock.set(START);
			List<Limit> limits = Stream.generate(() -> limit(random)).limit(1 + random.nextInt(3)).toList();
			long most = limits.stream().mapToLong(Limit::burst).min().orElseThrow();
			List<String> history = new ArrayList<>();
			for (int index = 0; index < 2 * CALLS; index++) {
				this.clock.addAndGet(random.nextLong(limits.get(0).rate().periodMicros() / 20 + 2));
				long cost = 1 + random.nextLong((random.nextInt(5) == 0) ? most : Math.min(most, 4));
				StoreRequest request = new StoreRequest(StoreOperation.ACQUIRE,
						PermitRequests.of("cached-by-two", limits, SEED + "-" + trace, cost));
				history.add(this.clock + " " + request);
				assertThat(instances.get(random.nextInt(2)).execute(request).retryAfterMicros())
					.as(TRACE, "Lua", SEED, trace, history)
					.isEqualTo(this.memory.execute(request).retryAfterMicros());
			}
		}
	}

	private void step(Random random, Limit limit) {
		step(random, limit, false);
	}

	private void step(Random random, Limit limit, boolean forward) {
		long before = this.clock.get();
		long period = limit.rate().periodMicros();
		this.clock.addAndGet(switch (random.nextInt(20)) {
			case 0 -> random.nextLong(3 * period);
			case 1 -> -random.nextLong(3 * period);
			case 2, 3, 4 -> 0;
			default -> random.nextLong(period / 8 + 2);
		});
		if (forward) {
			this.clock.accumulateAndGet(before, Math::max);
		}
	}

	private static Limit limit(Random random) {
		if (random.nextInt(8) == 0) {
			return Limit.parse(CALENDARS.get(random.nextInt(CALENDARS.size())), Algorithm.FIXED_WINDOW);
		}
		Algorithm algorithm = ALGORITHMS.get(random.nextInt(ALGORITHMS.size()));
		Limit limit = Limit.of(algorithm, Rate.parse(RATES.get(random.nextInt(RATES.size()))));
		return random.nextBoolean() ? AnyLimit.withBurst(limit, 1 + random.nextInt(30)) : limit;
	}

	/** Returns a limit that continues the count of one with the same period. */
	private static Limit limitOfPeriod(Duration period, Random random) {
		String aligned = CALENDARS.stream()
			.filter((text) -> Limit.parse(text, Algorithm.FIXED_WINDOW).rate().period().equals(period))
			.findFirst()
			.orElse("");
		if (!aligned.isEmpty() && random.nextInt(4) == 0) {
			return Limit.parse(aligned, Algorithm.FIXED_WINDOW);
		}
		Algorithm algorithm = ALGORITHMS.get(random.nextInt(ALGORITHMS.size()));
		Limit limit = Limit.of(algorithm, new Rate(1 + random.nextInt(60), period));
		return random.nextBoolean() ? AnyLimit.withBurst(limit, 1 + random.nextInt(200)) : limit;
	}

	/** Returns a refund for a renewal that is not for limits on concurrency alone. */
	private static Call refundedIfNotRenewable(Call call, List<Limit> limits) {
		return (call.operation() == StoreOperation.RENEW && !limits.stream().allMatch(Limit::isConcurrency))
				? new Call(StoreOperation.REFUND, call.permit()) : call;
	}

	/**
	 * Returns permits of every limit, as much as fits, with a wait that all of them can
	 * count.
	 */
	private static List<PermitRequest> ofEach(List<Limit> limits, Call call) {
		long longest = limits.stream().mapToLong((limit) -> limit.formula().longestWait()).min().orElseThrow();
		PermitRequest first = call.permit();
		long wait = Math.min(first.maxWaitMicros(), longest);
		List<PermitRequest> permits = new ArrayList<>(List.of(like(call, first.policyLimit(), first.cost(), wait)));
		for (Limit limit : limits.subList(1, limits.size())) {
			PolicyLimit policyLimit = new PolicyLimit("several", "several", permits.size(), limit, 0);
			permits.add(like(call, policyLimit, Math.min(first.cost(), limit.burst()), wait));
		}
		return permits;
	}

	private static PermitRequest like(Call call, PolicyLimit policyLimit, long cost, long wait) {
		PermitRequest permit = call.permit();
		return new PermitRequest(policyLimit, permit.key(), cost, wait, permit.chargedAtMicros(), permit.turnMicros());
	}

	private String entry(Call call) {
		return this.clock + " " + call.operation() + " " + call.permit().limit().algorithm() + " " + call.permit();
	}

	private static LimitDecision execute(RateLimitStore store, Call call) {
		return store.execute(new StoreRequest(call.operation(), List.of(call.permit()))).limits().get(0);
	}

}
