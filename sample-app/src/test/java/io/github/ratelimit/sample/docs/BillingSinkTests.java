package io.github.ratelimit.sample.docs;

import java.time.Instant;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.spring.consumption.ConsumptionRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.client.MockRestServiceServer;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.jsonPath;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.method;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.requestTo;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withServerError;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withSuccess;

/**
 * The sink that docs/consumption.md shows.
 */
@Tag("long")
class BillingSinkTests {

	private static final String URL = "https://billing.example/consumption";

	@Test
	void throwsIfTheBillingSystemDoes() {
		RestClient.Builder client = RestClient.builder();
		MockRestServiceServer.bindTo(client).build().expect(requestTo(URL)).andRespond(withServerError());
		BillingSink sink = new BillingSink(client);
		ConsumptionRecord record = new ConsumptionRecord("1", Instant.EPOCH, Instant.EPOCH, "api", null, 1, 1);
		assertThatExceptionOfType(RestClientException.class).isThrownBy(() -> sink.receive(List.of(record)));
	}

	@Test
	void receivesWhatAnApplicationHasSpentBeforeItStops() {
		DocumentedApplication.of("docs/consumption.md", "Bounds", BillingSink.class, Billing.class).run((context) -> {
			MockRestServiceServer billing = context.getBean(MockRestServiceServer.class);
			billing.expect(requestTo(URL))
				.andExpect(method(HttpMethod.POST))
				.andExpect(jsonPath("$[0].policy").value("api"))
				.andExpect(jsonPath("$[0].key").value(KeyDigest.inPlaceOf("header:x-api-key:k1")))
				.andExpect(jsonPath("$[0].permits").value(3))
				.andExpect(jsonPath("$[0].calls").value(1))
				.andRespond(withSuccess());
			RateLimiter limiter = context.getBean(RateLimiter.class);
			assertThat(limiter.acquire(new Charge("api", "header:x-api-key:k1", 3)).allowed()).isTrue();
			context.getBean("io.github.ratelimit.consumptionTask", SmartLifecycle.class).stop();
			billing.verify();
		});
	}

	@Profile("docs")
	@Configuration(proxyBeanMethods = false)
	static class Billing {

		private final RestClient.Builder client = RestClient.builder();

		private final MockRestServiceServer server = MockRestServiceServer.bindTo(this.client).build();

		@Bean
		RestClient.Builder client() {
			return this.client;
		}

		@Bean
		MockRestServiceServer server() {
			return this.server;
		}

	}

}
