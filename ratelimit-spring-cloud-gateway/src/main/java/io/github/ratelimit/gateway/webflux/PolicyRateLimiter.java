package io.github.ratelimit.gateway.webflux;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.RateLimits;
import io.github.ratelimit.spring.charge.ReactiveGate;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.web.RouteLimit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.context.ApplicationListener;
import org.springframework.util.StringUtils;

/**
 * A rate limiter for the gateway's filter {@code RequestRateLimiter}, which charges a
 * policy with the key of the gateway's {@code KeyResolver}. The filter's arguments
 * {@code ratelimit.policy} and {@code ratelimit.cost} state the policy and the cost.
 * Routes without them are left to another rate limiter. Thread-safe.
 */
public final class PolicyRateLimiter
		implements RateLimiter<PolicyRateLimiter.Config>, ApplicationListener<FilterArgsEvent>, PolicyUse {

	/** A part of the arguments of other rate limiters, such as redis-rate-limiter. */
	private static final String OTHERS = "rate-limiter.";

	private final Map<String, Config> routes = new ConcurrentHashMap<>();

	private final Supplier<io.github.ratelimit.@Nullable RateLimiter> limiter;

	private final Supplier<@Nullable RateLimiter<?>> others;

	private final RateLimitHeaders headers;

	/**
	 * Creates a rate limiter.
	 * @param limiter supplies the limiter that decides, or nothing if limits are disabled
	 * @param others supplies the rate limiter of routes that name no policy, if there is
	 * one
	 * @param headers the headers that report a decision
	 */
	public PolicyRateLimiter(Supplier<io.github.ratelimit.@Nullable RateLimiter> limiter,
			Supplier<@Nullable RateLimiter<?>> others, RateLimitHeaders headers) {
		this.limiter = limiter;
		this.others = others;
		this.headers = headers;
	}

	@Override
	public void onApplicationEvent(FilterArgsEvent event) {
		Config config = Config.of(event.getArgs());
		if (config != null) {
			this.routes.put(event.getRouteId(), config);
		}
		else if (event.getArgs().keySet().stream().anyMatch((name) -> name.contains(OTHERS))) {
			this.routes.remove(event.getRouteId());
		}
	}

	/**
	 * Emits whether a request may proceed, and the headers of its response.
	 * @param routeId the route of the request
	 * @param id the key to charge
	 * @return the response; fails if the store failed and the policy denies then
	 * @throws IllegalStateException if the route names no policy and there is no other
	 * rate limiter
	 */
	@Override
	public Mono<Response> isAllowed(String routeId, String id) {
		Config config = this.routes.get(routeId);
		if (config == null) {
			return other(routeId).isAllowed(routeId, id);
		}
		io.github.ratelimit.RateLimiter limiter = this.limiter.get();
		return (limiter != null) ? response(limiter, config.charge(id)) : Mono.just(new Response(true, Map.of()));
	}

	private RateLimiter<?> other(String routeId) {
		RateLimiter<?> other = this.others.get();
		if (other == null) {
			throw new IllegalStateException("The filter 'RequestRateLimiter' of the route '" + routeId
					+ "' names no policy; set its argument '" + Config.POLICY + "'");
		}
		return other;
	}

	private Mono<Response> response(io.github.ratelimit.RateLimiter limiter, Charge charge) {
		RequestCharges request = new RequestCharges((decision) -> {
		});
		return new ReactiveGate(new Gate(limiter), (task) -> Schedulers.parallel().schedule(task))
			.pass(CallCharges.of(List.of(charge)), request, null,
					() -> Mono.fromSupplier(() -> response(RateLimits.of(request))),
					(denial) -> Mono.just(response(denial.getDecision())))
			.single();
	}

	private Response response(Decision decision) {
		Map<String, String> fields = new HashMap<>();
		this.headers.write(decision, fields::put);
		if (!decision.allowed()) {
			fields.put(RateLimitFields.RETRY_AFTER, Long.toString(RateLimitFields.retryAfter(decision)));
		}
		return new Response(decision.allowed(), fields);
	}

	/**
	 * Returns the configuration of routes by their ids, which can be changed.
	 */
	@Override
	public Map<String, Config> getConfig() {
		return this.routes;
	}

	@Override
	public Map<String, ? extends Collection<String>> byPolicy() {
		Map<String, Set<String>> places = new HashMap<>();
		this.routes.forEach((route, config) -> config.toLimit()
			.policies()
			.forEach((policy) -> places.computeIfAbsent(policy, (name) -> new TreeSet<>())
				.add("RequestRateLimiter of the route '" + route + "'")));
		return places;
	}

	@Override
	public Class<Config> getConfigClass() {
		return Config.class;
	}

	@Override
	public Config newConfig() {
		return new Config();
	}

	/**
	 * The policy and cost of a route. Not thread-safe.
	 */
	public static final class Config {

		/** The argument that names the policy. */
		static final String POLICY = "ratelimit.policy";

		private static final String COST = "ratelimit.cost";

		private @Nullable String policy;

		private long cost = 1;

		/** Returns the configuration in the arguments of a filter, or null. */
		static @Nullable Config of(Map<String, ?> arguments) {
			Object policy = arguments.get(POLICY);
			Object cost = arguments.get(COST);
			if (policy == null) {
				return null;
			}
			Config config = new Config().setPolicy(policy.toString());
			return (cost != null) ? config.setCost(parse(cost.toString())) : config;
		}

		private static long parse(String cost) {
			try {
				return Long.parseLong(cost.trim());
			}
			catch (NumberFormatException ex) {
				throw new IllegalArgumentException("'" + COST + "' must be a whole number, was '" + cost + "'", ex);
			}
		}

		/**
		 * Sets the policy.
		 * @param policy the name of the policy to charge
		 * @return this
		 */
		public Config setPolicy(String policy) {
			this.policy = policy;
			return this;
		}

		/**
		 * Sets the cost.
		 * @param cost the permits that a request costs, at least 0
		 * @return this
		 */
		public Config setCost(long cost) {
			this.cost = cost;
			return this;
		}

		/** Returns the charge for a key. Requests without one are charged together. */
		Charge charge(String id) {
			return new Charge(toLimit().policies().get(0), StringUtils.hasText(id) ? id : KeyResolvers.MISSING,
					this.cost);
		}

		/** Returns the limit that the configuration states. */
		RouteLimit toLimit() {
			return new RouteLimit((this.policy != null) ? List.of(this.policy) : List.of(), this.cost);
		}

	}

}
