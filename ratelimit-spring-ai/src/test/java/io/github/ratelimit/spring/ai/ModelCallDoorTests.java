package io.github.ratelimit.spring.ai;

import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import org.junit.jupiter.api.AfterEach;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.chat.model.ChatModel;

/** Calls whose thread is interrupted. */
class ModelCallDoorTests extends ModelDoor {

	private final Scheduler threads = Schedulers.newBoundedElastic(4, 10_000, "calls");

	/** A decision that is interrupted does not admit, though the store may have. */
	@Override
	protected boolean worksOnceAdmitted() {
		return false;
	}

	@Override
	protected int latestMicros() {
		return 500;
	}

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		return super.open(limiter, () -> ending(work.get()));
	}

	@Override
	Publisher<?> call(ChatModel model) {
		return Mono.fromCallable(() -> model.call("Hello")).subscribeOn(this.threads);
	}

	@AfterEach
	void stopThreads() {
		this.threads.dispose();
	}

}
