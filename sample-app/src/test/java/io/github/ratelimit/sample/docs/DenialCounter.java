package io.github.ratelimit.sample.docs;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * A listener of the application's own.
 */
@Profile("docs")
@Component
class DenialCounter implements RateLimitListener {

	private final LongAdder denials = new LongAdder();

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		if (!decision.allowed()) {
			this.denials.increment();
		}
	}

	long denials() {
		return this.denials.sum();
	}

}
