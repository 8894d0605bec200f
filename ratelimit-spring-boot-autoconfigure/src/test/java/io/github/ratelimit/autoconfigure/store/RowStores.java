package io.github.ratelimit.autoconfigure.store;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.MemoryControlStore;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;

/**
 * A kind of store that a module brings, which records what is done with it.
 */
final class RowStores implements SharedStore {

	private final String name;

	private final Evidence evidence;

	final List<String> steps = new ArrayList<>();

	final TestStore counts = new TestStore();

	final ControlStore controls = new MemoryControlStore(InstantSource.system());

	Duration connectTimeout = Duration.ofMillis(500);

	RowStores(String name, Evidence evidence) {
		this.name = name;
		this.evidence = evidence;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public Evidence evidence() {
		return this.evidence;
	}

	@Override
	public Stores stores() {
		if (this.name.equals("unreachable")) {
			throw new InvalidRateLimitConfigurationException("There is no DataSource bean", "Add one.", null);
		}
		this.steps.add("create");
		return new InRows();
	}

	private final class InRows implements Stores {

		@Override
		public String place() {
			return "in rows";
		}

		@Override
		public String connection() {
			return "dataSource";
		}

		@Override
		public Duration connectTimeout() {
			return RowStores.this.connectTimeout;
		}

		@Override
		public RateLimitStore counts() {
			return RowStores.this.counts;
		}

		@Override
		public ControlStore controls() {
			return RowStores.this.controls;
		}

		@Override
		public TopExchange topExchange() {
			return TopExchange.NONE;
		}

		@Override
		public void start(Policies policies, Findings findings) {
			RowStores.this.steps.add("start " + policies.names());
		}

		@Override
		public void close() {
			RowStores.this.steps.add("close");
		}

	}

}
