package io.github.ratelimit.spring.charge;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policy;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The gate itself, for calls that end with their result. */
class GateDoorTests extends DoorContract {

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		ReactiveGate gate = new ReactiveGate(new Gate(limiter), (task) -> Schedulers.parallel().schedule(task));
		CallCharges charges = CallCharges
			.of(List.of(Charge.of(HELD, Policy.EVERYONE), Charge.of(SPENT, Policy.EVERYONE)));
		return Flux.defer(() -> gate.pass(charges, RequestCharges.NONE, null, work));
	}

}
