package io.github.ratelimit.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.Controls;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.Search;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An instance of a web application with a policy for each {@code on-store-failure}, and
 * one that limits calls at a time. It reads limits from a file again and again.
 */
final class ChaosInstance implements AutoCloseable {

	/** Limits of the policy that {@code open} has by turns, in its file. */
	static final List<String> OPEN = List.of("10/1s fixed-window", "16/1s fixed-window");

	static final int CONCURRENT = 4;

	static final Duration LEASE = Duration.ofSeconds(2);

	/** The one key of the calls at a time. */
	static final String SLOT = "slot";

	private final ConfigurableApplicationContext context;

	private ChaosInstance(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static ChaosInstance on(ChaosServer server, Path folder, Held held, ChaosTiming timing) {
		return new ChaosInstance(new SpringApplicationBuilder(Application.class).initializers((context) -> {
			context.getBeanFactory().registerSingleton("held", held);
			context.getBeanFactory().registerSingleton("timing", timing);
		})
			.properties(server.properties().toArray(String[]::new))
			.properties("server.port=0", "spring.config.location=file:" + folder + "/",
					"ratelimit.reload-interval=200ms", "ratelimit.policies.strict.limits=10/1s sliding-window-log",
					"ratelimit.policies.strict.on-store-failure=deny", "ratelimit.policies.share.limits=10/1s",
					"ratelimit.policies.share.local-share=50", "ratelimit.policies.open.on-store-failure=allow",
					"ratelimit.policies.slots.limits=" + CONCURRENT + " concurrent lease " + LEASE.toSeconds() + "s",
					"ratelimit.policies.slots.on-store-failure=deny")
			.properties(keysAndRules("strict", "share", "open", "slots"))
			.run());
	}

	private static String[] keysAndRules(String... policies) {
		String[] properties = new String[3 * policies.length];
		for (int rule = 0; rule < policies.length; rule++) {
			properties[3 * rule] = "ratelimit.policies." + policies[rule] + ".key=header:X-Key";
			properties[3 * rule + 1] = "ratelimit.rules[" + rule + "].paths=/" + policies[rule];
			properties[3 * rule + 2] = "ratelimit.rules[" + rule + "].policies=" + policies[rule];
		}
		return properties;
	}

	int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	Controls controls() {
		return this.context.getBean(Controls.class);
	}

	/** Returns the limit of a policy, as it is written. */
	String limit(String policy) {
		return this.context.getBean(Policies.class).get(policy).limits().get(0).toString();
	}

	/** Returns whether the server decides. */
	boolean enforces() {
		return !peek("open", "other").isEmpty();
	}

	/** Returns the permits of calls at a time that no call holds. */
	long freeSlots() {
		return peek("slots", "header:x-key:" + SLOT).get(0);
	}

	private List<Long> peek(String policy, String key) {
		return this.context.getBean(RateLimiter.class)
			.peek(List.of(Charge.of(policy, key)))
			.limits()
			.stream()
			.map((limit) -> limit.remaining())
			.toList();
	}

	/** Returns the numbers of calls by policy and outcome, without those that are 0. */
	Map<String, Long> outcomes() {
		Map<String, Long> outcomes = new TreeMap<>();
		Search.in(this.context.getBean(MeterRegistry.class))
			.name("ratelimit.requests")
			.counters()
			.forEach((counter) -> {
				if (counter.count() > 0) {
					outcomes.put(counter.getId().getTag("policy") + ' ' + counter.getId().getTag("outcome"),
							(long) counter.count());
				}
			});
		return outcomes;
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** The calls of all instances that hold a permit now. */
	static final class Held {

		private final AtomicInteger calls = new AtomicInteger();

		private final AtomicInteger most = new AtomicInteger();

		private final List<Long> tooMany = new CopyOnWriteArrayList<>();

		void hold() {
			int now = this.calls.incrementAndGet();
			this.most.accumulateAndGet(now, Math::max);
			if (now > CONCURRENT) {
				this.tooMany.add(System.nanoTime());
			}
			Timing.sleep(Duration.ofMillis(20));
			this.calls.decrementAndGet();
		}

		int most() {
			return this.most.get();
		}

		/** Returns the times at which too many held a permit, by nanoTime. */
		List<Long> tooMany() {
			return this.tooMany;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Calls.class)
	static class Application {

		@Bean
		MeterRegistry meters(ChaosTiming timing) {
			return new ChaosTiming.Registry(timing);
		}

	}

	@RestController
	static class Calls {

		private final Held held;

		Calls(Held held) {
			this.held = held;
		}

		@GetMapping({ "/strict", "/share", "/open" })
		String answer() {
			return "ok";
		}

		@GetMapping("/slots")
		String hold() {
			this.held.hold();
			return "ok";
		}

	}

}
