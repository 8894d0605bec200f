package io.github.ratelimit.sample;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.core5.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample called by a client that does what {@code Retry-After} says by itself, and
 * gives up at a second 429: Apache HttpClient as it comes.
 */
@Tag("long")
class PatientClientIT {

	private static final int CALLS = 5;

	@ParameterizedTest
	@MethodSource
	void getsEveryCallThroughWithoutASecondRefusal(String algorithm, String limit) throws IOException {
		try (ConfigurableApplicationContext sample = SpringApplication.run(SampleApplication.class, "--server.port=0",
				"--ratelimit.policies.quotes.algorithm=" + algorithm, "--ratelimit.policies.quotes.limits=" + limit)) {
			String port = sample.getEnvironment().getRequiredProperty("local.server.port");
			List<Integer> answers = answers("http://localhost:" + port + "/quotes");
			assertThat(answers).contains(429).filteredOn((status) -> status == 200).hasSize(CALLS);
			assertThat(answers).doesNotContainSequence(429, 429);
		}
	}

	/** Each algorithm with a limit that denies one call in five or more. */
	static Stream<Arguments> getsEveryCallThroughWithoutASecondRefusal() {
		return Stream.concat(Stream.of(Arguments.of("token-bucket", "3/2s")),
				Algorithm.rates()
					.filter((algorithm) -> algorithm != Algorithm.TOKEN_BUCKET)
					.map((algorithm) -> Limit.of(algorithm, Rate.parse("4/1s")))
					.map((limit) -> Arguments.of(limit.algorithm().id(), (limit.burst() > 1) ? "4/1s" : "1/1s")));
	}

	/** All answers that the client saw, in their order. */
	private static List<Integer> answers(String uri) throws IOException {
		List<Integer> answers = new CopyOnWriteArrayList<>();
		try (CloseableHttpClient client = HttpClientBuilder.create()
			.addResponseInterceptorLast((response, entity, context) -> answers.add(response.getCode()))
			.build()) {
			for (int call = 0; call < CALLS; call++) {
				assertThat(client.execute(new HttpGet(uri), HttpResponse::getCode)).isEqualTo(200);
			}
		}
		return answers;
	}

}
