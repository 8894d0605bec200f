package io.github.ratelimit.spring.ai;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.client.SteppedPauses;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.key.CallerBeans;
import io.github.ratelimit.spring.key.Callers;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.tokenizer.TokenCountEstimator;

/** A limiter of chat clients whose time stands still. */
final class ChatFixture {

	final AtomicLong micros = new AtomicLong(1_800_000_000_000_000L);

	final Policies policies = new Policies(List.of());

	final SteppedPauses pauses = new SteppedPauses();

	RateLimitStore store = new MemoryRateLimitStore(1_000, this.micros::get);

	TokenReserve reserve = TokenReserve.fixed(400);

	TokenPrices prices = new TokenPrices(
			Map.of("small", new TokenPrice(new BigDecimal("0.5"), new BigDecimal("2.25"))));

	@Nullable TokenCountEstimator estimator;

	/** The caller of each thread. */
	Supplier<Caller> caller = () -> Caller.NONE;

	ChatFixture with(String policy, String limit, String... keys) {
		this.policies.add(new Policy(policy, List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)),
				(keys.length > 0) ? List.of(keys) : List.of(Policy.EVERYONE)));
		return this;
	}

	RateLimiter limiter() {
		return new RateLimiter(this.policies, this.store, List.of());
	}

	RateLimitedChatClients clients() {
		return clients(null);
	}

	RateLimitedChatClients clients(@Nullable ReactiveCallerSource subscribers) {
		return new RateLimitedChatClients(limiter(), this.policies, callers(subscribers), this.pauses.pauses(),
				settings());
	}

	RateLimitedModels models() {
		return new RateLimitedModels(limiter(), this.policies, callers(null), this.pauses.pauses(), settings());
	}

	private ChatCallers callers(@Nullable ReactiveCallerSource subscribers) {
		KeyResolvers keys = new KeyResolvers(
				() -> new ClientIp(List.of(), 64), new CallerBeans((name) -> (call) -> null,
						(name) -> (policy, key, call) -> null, (name) -> (policy, key, call) -> null),
				List.of(), () -> new RateLimitListener() {
				}, new Findings(List.of()));
		return new ChatCallers(keys, new Callers(() -> this.caller.get(), subscribers));
	}

	private TokenSettings settings() {
		return new TokenSettings(this.reserve, this.prices, this.estimator);
	}

	RateLimitedChatClients reserving(TokenReserve reserve) {
		return clients().reserving(reserve);
	}

	/** A client under the policies "requests" and "tokens". */
	ChatClient client(StubModel model) {
		return client(model, clients().advisors("requests", "tokens"));
	}

	static ChatClient client(StubModel model, List<Advisor> advisors) {
		return ChatClient.builder(model).defaultAdvisors(new ArrayList<>(advisors)).build();
	}

	/** Permits of a policy that everyone has left; negative if they are owed. */
	long left(String policy) {
		return left(policy, Policy.EVERYONE);
	}

	long left(String policy, String key) {
		return limiter().peek(List.of(new Charge(policy, key, 0)))
			.limits()
			.stream()
			.mapToLong(LimitDecision::remaining)
			.min()
			.orElseThrow();
	}

}
