package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.key.TestResolvers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.service.annotation.PostExchange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The charges of limited methods.
 */
class RateLimitedMethodTests {

	private final RateLimitedMethods methods = new RateLimitedMethods(
			new ChargeFactory(new Policies(List.of()), PolicyOptions.STANDARD, TestResolvers.create(), (text) -> text),
			(method, type) -> false);

	/** The limiter resolves an unmodifiable list once, by its identity. */
	@Test
	void reusesConstantChargesAsAnUnmodifiableList() throws NoSuchMethodException {
		RateLimitedMethod method = Objects
			.requireNonNull(this.methods.find(Jobs.class.getDeclaredMethod("run"), Jobs.class));
		List<Charge> charges = method.charges(Caller.NONE).charges();
		assertThat(charges).hasSize(2).isSameAs(method.charges(Caller.NONE).charges());
		assertThat(List.copyOf(charges)).isSameAs(charges);
	}

	@ParameterizedTest
	@CsvSource({ "get, GET /jobs/{id}", "any, /jobs/{id}", "several, GET|PUT /jobs/{id}", "exchange, POST /jobs/{id}",
			"unmapped, /jobs/{id}" })
	void hasTheMethodsOfItsMappingAndThePatternOfTheRequestAsItsRoute(String name, String route)
			throws NoSuchMethodException {
		assertThat(find(name, Controller.class).charges(new Client("/jobs/{id}")).charges())
			.containsExactly(Charge.of("jobs", "route:" + route));
	}

	@Test
	void hasARouteAtTheRoot() throws NoSuchMethodException {
		assertThat(find("get", Controller.class).charges(new Client("")).charges())
			.containsExactly(Charge.of("jobs", "route:GET /"));
	}

	@Test
	void isItsOwnRouteUnlessItHandlesTheRequest() throws NoSuchMethodException {
		RateLimitedMethod method = find("get", Controller.class);
		RequestCharges request = new RequestCharges((decision) -> {
		});
		List<Charge> ofMethod = List.of(Charge.of("jobs", "route:Controller.get"));
		assertThat(method.charges(new Client("/other"), new Object[0], RequestCharges.NONE).charges())
			.isEqualTo(ofMethod);
		assertThat(method.charges(new Client("/other"), new Object[0], request).charges()).isEqualTo(ofMethod);
		assertThat(method.charges(new Client(null), new Object[0], request).charges()).isEqualTo(ofMethod);
		request.handleBy(method.method());
		assertThat(method.charges(new Client("/jobs"), new Object[0], request).charges())
			.containsExactly(Charge.of("jobs", "route:GET /jobs"));
	}

	private RateLimitedMethod find(String name, Class<?> type) throws NoSuchMethodException {
		return Objects.requireNonNull(this.methods.find(type.getDeclaredMethod(name), type));
	}

	/** A caller of requests that a pattern matched. */
	private record Client(@Nullable String pattern) implements Caller, CallRequest {

		@Override
		public CallRequest request() {
			return this;
		}

		@Override
		public String method() {
			return "HEAD";
		}

		@Override
		public String path() {
			return "/jobs/42";
		}

		@Override
		public @Nullable String host() {
			return null;
		}

		@Override
		public List<String> headers(String name) {
			return List.of();
		}

		@Override
		public @Nullable String cookie(String name) {
			return null;
		}

		@Override
		public @Nullable String query(String name) {
			return null;
		}

		@Override
		public Map<String, String> pathVariables() {
			return Map.of("id", "42");
		}

		@Override
		public long size() {
			return 0;
		}

	}

	@RateLimited(policy = "jobs", limit = "5/1m", key = "route")
	static class Controller {

		@GetMapping("/jobs/{id}")
		void get() {
		}

		@RequestMapping("/jobs/{id}")
		void any() {
		}

		@RequestMapping(path = "/jobs/{id}", method = { RequestMethod.PUT, RequestMethod.GET })
		void several() {
		}

		@PostExchange("/jobs/{id}")
		void exchange() {
		}

		void unmapped() {
		}

	}

	static class Jobs {

		@RateLimited(policy = "second", limit = "1/1s")
		@RateLimited(policy = "hour", limit = "100/1h")
		void run() {
		}

	}

}
