package io.github.ratelimit.pairs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.pairs.Row.Feature;
import io.github.ratelimit.pairs.Row.Stack;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.spring.charge.RateLimits;
import io.github.ratelimit.spring.consumption.ConsumptionListener;
import io.github.ratelimit.spring.consumption.ConsumptionRecord;
import io.github.ratelimit.spring.consumption.ConsumptionSink;
import io.github.ratelimit.spring.control.Control;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.event.RateLimitDenied;
import io.github.ratelimit.spring.event.RateLimitShadowDenied;
import io.github.ratelimit.store.RateLimitStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.SpringBootMockMvcBuilderCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.context.WebApplicationContext;

/**
 * The application of a row while it runs, without a port.
 */
final class RowApplication {

	private final Row row;

	private final ApplicationContext context;

	private final Function<Request, Response> client;

	private final RateLimiter limiter;

	private RowApplication(Row row, ApplicationContext context, Function<Request, Response> client) {
		this.row = row;
		this.context = context;
		this.client = client;
		this.limiter = context.getBean(RateLimiter.class);
	}

	/** Starts and stops the application of a row. */
	static void run(Row row, RowStore store, Consumer<RowApplication> running, Consumer<Throwable> refused) {
		if (row.stack() == Stack.SERVLET) {
			run(new WebApplicationContextRunner().withConfiguration(
					AutoConfigurations.of(HttpMessageConvertersAutoConfiguration.class, WebMvcAutoConfiguration.class)),
					row, store, (context) -> running.accept(new RowApplication(row, context, servletClient(context))),
					refused);
		}
		else {
			run(new ReactiveWebApplicationContextRunner().withConfiguration(AutoConfigurations
				.of(CodecsAutoConfiguration.class, WebFluxAutoConfiguration.class, HttpHandlerAutoConfiguration.class)),
					row, store, (context) -> running.accept(new RowApplication(row, context, reactiveClient(context))),
					refused);
		}
	}

	private static <S extends AbstractApplicationContextRunner<S, C, A>, C extends ConfigurableApplicationContext, A extends ApplicationContextAssertProvider<C>> void run(
			S runner, Row row, RowStore store, Consumer<A> running, Consumer<Throwable> refused) {
		runner.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class))
			.withPropertyValues(RowProperties.of(row))
			.withBean(RateLimitStore.class, () -> store)
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.with((started) -> (row.feature() == Feature.OVERRIDE)
					? started.withBean(LimitOverrides.class, () -> overrides(row)) : started)
			.withInitializer((context) -> context.getBeanFactory()
				.registerSingleton("served",
						new Served(() -> peekIfDecided(context, row, row.varied()), () -> current(context, row))))
			.withBean(Denials.class, Denials::new)
			.withBean(Records.class, Records::new)
			.withUserConfiguration(Controllers.of(row))
			.run((context) -> {
				if (context.getStartupFailure() != null) {
					refused.accept(context.getStartupFailure());
				}
				else {
					running.accept(context);
				}
			});
	}

	/** Returns the decision on the request that the thread serves, in Spring MVC. */
	private static @Nullable Decision current(ApplicationContext context, Row row) {
		return (row.stack() == Stack.SERVLET) ? context.getBean(RateLimits.class).current() : null;
	}

	private static LimitOverrides overrides(Row row) {
		return (policy, key) -> policy.equals("row")
				? List.of(Limit.parse(row.kind().limit(16), Algorithm.TOKEN_BUCKET)) : List.of();
	}

	private static Function<Request, Response> servletClient(ApplicationContext context) {
		WebApplicationContext web = (WebApplicationContext) context;
		MockMvcTester mvc = MockMvcTester.from(web, (builder) -> {
			new SpringBootMockMvcBuilderCustomizer(web).customize(builder);
			return builder.build();
		});
		return (request) -> {
			MockHttpServletResponse response = mvc.get()
				.uri(request.uri())
				.headers(headers(request))
				.exchange()
				.getResponse();
			return Response.of(response.getStatus(), response::getHeader);
		};
	}

	private static Function<Request, Response> reactiveClient(ApplicationContext context) {
		WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
		return (request) -> {
			var response = client.get()
				.uri(request.uri())
				.headers((headers) -> headers.putAll(headers(request)))
				.exchange()
				.expectBody()
				.returnResult();
			return Response.of(response.getStatus().value(), response.getResponseHeaders()::getFirst);
		};
	}

	private static HttpHeaders headers(Request request) {
		HttpHeaders headers = new HttpHeaders();
		headers.set("X-Caller", request.caller());
		headers.set("X-Second", "bob");
		headers.set("X-Plan", "premium");
		return headers;
	}

	Response send(Request request) {
		return this.client.apply(request);
	}

	/** Returns what the answers since the last call have seen left. */
	List<List<Long>> seen() {
		return this.context.getBean(Served.class).seen();
	}

	/** Returns the decisions that controllers have received since the last call. */
	List<Decision> decisions() {
		return this.context.getBean(Served.class).decisions();
	}

	/** Spends permits of a charge one by one, and holds those of concurrent calls. */
	List<Reservation> spend(Part part, long permits) {
		return Stream.generate(() -> this.limiter.reserve(List.of(charge(this.row, part)))).limit(permits).toList();
	}

	void release(List<Reservation> held) {
		held.forEach(this.limiter::release);
	}

	void fail(boolean failing) {
		store().fail(failing);
	}

	/** Runs an action, in another thread, once the store has denied a call. */
	void afterDenial(Runnable action) {
		store().afterDenial(action);
	}

	private RowStore store() {
		return (RowStore) this.context.getBean(RateLimitStore.class);
	}

	String set(Control control) {
		return this.context.getBean(Controls.class).set(control, Duration.ofHours(1)).id();
	}

	void lift(String control) {
		this.context.getBean(Controls.class).lift(control);
	}

	void liftAll() {
		Controls controls = this.context.getBean(Controls.class);
		controls.active().forEach((active) -> controls.lift(active.id()));
	}

	/** Returns whether a control is in effect. */
	boolean isControlled(String kind) {
		return this.context.getBean(Controls.class)
			.active()
			.stream()
			.anyMatch((active) -> active.control().kind().equals(kind));
	}

	/** Returns what is left of a charge, by enforced limits and limits in shadow. */
	List<Long> remaining(Part part) {
		return peekIfDecided(this.context, this.row, part);
	}

	private static List<Long> peekIfDecided(ApplicationContext context, Row row, Part part) {
		try {
			return peek(context.getBean(RateLimiter.class), row, part);
		}
		catch (BlockedCallerException | CompletionException ex) {
			return List.of();
		}
	}

	private static List<Long> peek(RateLimiter limiter, Row row, Part part) {
		Decision decision = limiter.peekAsync(List.of(charge(row, part))).toCompletableFuture().join();
		return Stream.concat(decision.limits().stream(), decision.shadows().stream())
			.map(LimitDecision::remaining)
			.toList();
	}

	private static Charge charge(Row row, Part part) {
		return Charge.of(part.policy(), part.key())
			.withPlan((row.feature() == Feature.PLAN && part.isVaried()) ? "premium" : null);
	}

	/** Returns the charges that had an event of a denial, by outcome, policy and key. */
	List<String> denied() {
		return List.copyOf(this.context.getBean(Denials.class).charges());
	}

	/** Returns the charges by policy and outcome. */
	Map<String, Long> requests() {
		Map<String, Long> requests = new TreeMap<>();
		for (Counter counter : this.context.getBean(MeterRegistry.class).find("ratelimit.requests").counters()) {
			if (counter.count() > 0) {
				requests.put(counter.getId().getTag("policy") + " " + counter.getId().getTag("outcome"),
						(long) counter.count());
			}
		}
		return requests;
	}

	/** Returns what calls have consumed so far, by policy and key. */
	Map<String, Consumed> consumed() {
		this.context.getBean(ConsumptionListener.class).deliverAll();
		Map<String, Consumed> consumed = new TreeMap<>();
		this.context.getBean(Records.class)
			.records()
			.forEach((record) -> consumed.merge(record.policy() + " " + record.key(),
					new Consumed(record.permits(), record.calls()), Consumed::plus));
		return consumed;
	}

	/** A list of records of consumption. */
	record Records(List<ConsumptionRecord> records) implements ConsumptionSink {

		Records() {
			this(new CopyOnWriteArrayList<>());
		}

		@Override
		public void receive(List<ConsumptionRecord> received) {
			this.records.addAll(received);
		}

	}

	/** A list of events of denials. */
	record Denials(List<String> charges) {

		Denials() {
			this(new CopyOnWriteArrayList<>());
		}

		@EventListener
		void denied(RateLimitDenied denied) {
			this.charges.add("denied " + denied.policy() + " " + denied.key());
		}

		@EventListener
		void deniedInShadow(RateLimitShadowDenied denied) {
			this.charges.add("shadow_denied " + denied.policy() + " " + denied.key());
		}

	}

}
