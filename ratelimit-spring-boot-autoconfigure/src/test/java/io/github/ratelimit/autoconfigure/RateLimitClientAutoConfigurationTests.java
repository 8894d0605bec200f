package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.client.RateLimitedClients;
import io.github.ratelimit.spring.client.RateLimitedWebClients;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitClientAutoConfigurationTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.partner.limits=1/1m");

	@Test
	void limitsClientsOfBothKindsOutsideTheWebToo() {
		this.context.run((context) -> assertThat(context).hasSingleBean(RateLimitedClients.class)
			.hasSingleBean(RateLimitedWebClients.class));
	}

	@Test
	void limitsBlockingClientsWithoutWebFlux() {
		this.context.withClassLoader(new FilteredClassLoader("org.springframework.web.reactive", "reactor"))
			.run((context) -> assertThat(context).hasSingleBean(RateLimitedClients.class)
				.doesNotHaveBean(RateLimitedWebClients.class));
	}

	@Test
	void startsWithoutAnyClient() {
		this.context
			.withClassLoader(new FilteredClassLoader("org.springframework.web", "org.springframework.http", "reactor"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitedClients.class));
	}

	@Test
	void limitsNothingWhereTurnedOff() {
		this.context.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RateLimitedClients.class)
				.doesNotHaveBean(RateLimitedWebClients.class));
	}

	@Test
	void stopsTheStartUpWhereAClientNamesAPolicyThatIsNotThere() {
		this.context.withBean(Partner.class)
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(IllegalArgumentException.class)
				.hasStackTraceContaining(
						InvalidRateLimitConfigurationException.class.getName() + ": Outbound calls cannot be limited: "
								+ "there is no policy named 'partners'; there are [partner]"));
	}

	/**
	 * A client under a policy that is not there.
	 */
	static class Partner {

		final RestClient client;

		Partner(RateLimitedClients clients) {
			this.client = RestClient.builder().requestInterceptor(clients.interceptor("partners")).build();
		}

	}

}
