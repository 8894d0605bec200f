package io.github.ratelimit.spring.ai;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.spring.charge.DoorContract;
import io.github.ratelimit.spring.client.SteppedPauses;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.key.CallerBeans;
import io.github.ratelimit.spring.key.Callers;
import io.github.ratelimit.spring.key.KeyResolvers;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.ai.chat.model.ChatModel;

/** Calls of a chat model. */
abstract class ModelDoor extends DoorContract {

	private static final Duration LONGEST = Duration.ofMillis(1);

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		KeyResolvers keys = new KeyResolvers(
				() -> new ClientIp(List.of(), 64), new CallerBeans((name) -> (call) -> null,
						(name) -> (policy, key, call) -> null, (name) -> (policy, key, call) -> null),
				List.of(), () -> new RateLimitListener() {
				}, new Findings(List.of()));
		RateLimitedModels models = new RateLimitedModels(limiter, this.policies,
				new ChatCallers(keys, new Callers(() -> Caller.NONE, null)), new SteppedPauses().pauses(),
				new TokenSettings(TokenReserve.fixed(1), new TokenPrices(Map.of()), null));
		return call(models.limit(StubModel.answering((prompt) -> work.get().map((text) -> StubModel.part()).flux()),
				new ChatPolicies(List.of(HELD, SPENT), List.of(), List.of())));
	}

	abstract Publisher<?> call(ChatModel model);

	/** Returns work that ends in a time for which a thread may block. */
	static Mono<String> ending(Mono<String> work) {
		return Mono.firstWithSignal(work, Mono.delay(LONGEST).thenReturn("late"));
	}

}
