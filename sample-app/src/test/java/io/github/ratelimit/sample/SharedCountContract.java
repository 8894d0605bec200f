package io.github.ratelimit.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of two samples that count in one store.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SharedCountContract {

	private final String policy = "shared-" + System.nanoTime();

	private final String store;

	private final List<ConfigurableApplicationContext> samples = new ArrayList<>();

	/**
	 * Creates tests.
	 * @param store the name of the store
	 */
	SharedCountContract(String store) {
		this.store = store;
	}

	/** Returns the arguments by which a sample counts in the store. */
	abstract Stream<String> arguments();

	@BeforeAll
	void start() {
		this.samples.add(sample());
		this.samples.add(sample());
	}

	@AfterAll
	void stop() {
		this.samples.forEach(ConfigurableApplicationContext::close);
	}

	@Test
	void shareOneCount() {
		List<SampleClient> clients = this.samples.stream().map(SampleClient::new).toList();
		List<Integer> statuses = new ArrayList<>();
		for (int call = 0; call < 10; call++) {
			statuses.add(SampleClient.statusOf(clients.get(call % 2).post("/lab/" + this.policy + "?key=a", "")));
		}
		assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 429, 429, 429, 429, 429);
	}

	@Test
	void nameTheirStore() {
		new SampleClient(this.samples.get(0)).get("/actuator/ratelimits")
			.expectBody()
			.jsonPath("$.store")
			.isEqualTo(this.store);
	}

	private ConfigurableApplicationContext sample() {
		return SpringApplication.run(SampleApplication.class,
				Stream
					.concat(Stream.of("--server.port=0", "--ratelimit.policies." + this.policy + ".limits=5/1h"),
							arguments())
					.toArray(String[]::new));
	}

}
