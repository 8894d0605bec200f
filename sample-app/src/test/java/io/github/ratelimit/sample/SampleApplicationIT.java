package io.github.ratelimit.sample;

import java.util.List;

import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample with nothing but its defaults, counting in memory.
 */
class SampleApplicationIT {

	private static final ConfigurableApplicationContext SAMPLE = SpringApplication.run(SampleApplication.class,
			"--server.port=0", "--ratelimit.policies.x.limits=5/1h", "--ratelimit.policies.y.limits=2/1h,100/1d");

	private final SampleClient client = new SampleClient(SAMPLE);

	@AfterAll
	static void stop() {
		SAMPLE.close();
	}

	@Test
	void answersAsManyCallsAsThePolicyAllows() {
		List<Integer> statuses = this.client.statusesOf(15, "/quotes");
		assertThat(statuses.subList(0, 10)).containsOnly(200);
		assertThat(statuses.subList(10, 15)).containsOnly(429);
		this.client.get("/quotes")
			.expectHeader()
			.contentType("application/problem+json")
			.expectHeader()
			.value("Retry-After", (seconds) -> assertThat(Integer.parseInt(seconds)).isBetween(1, 6))
			.expectBody()
			.jsonPath("$.violated-policies[0]")
			.isEqualTo("quotes");
	}

	@Test
	void hasNoFindings() {
		ApplicationContext context = SAMPLE;
		assertThat(context.getBean(Findings.class).all()).isEmpty();
	}

	@Test
	void limitsByAnArgument() {
		assertThat(this.client.statusesOf(4, "/quotes/by-author?author=Aesop")).containsExactly(200, 200, 200, 429);
		assertThat(this.client.statusesOf(1, "/quotes/by-author?author=Seneca")).containsExactly(200);
	}

	@Test
	void chargesUploadsBySize() {
		String sixKilobytes = "x".repeat(6 * 1024);
		for (int status : new int[] { 200, 200, 429 }) {
			assertThat(SampleClient.statusOf(this.client.post("/quotes", sixKilobytes))).isEqualTo(status);
		}
		assertThat(SampleClient.statusOf(this.client.post("/quotes", "small"))).isEqualTo(200);
	}

	@Test
	void limitsABeanBehindAnEndpoint() {
		assertThat(this.client.statusesOf(6, "/quotes/archive")).startsWith(200, 200, 200, 200, 200).endsWith(429);
		this.client.get("/quotes/archive")
			.expectBody()
			.jsonPath("$.violated-policies[0]")
			.isEqualTo("archive-per-client");
	}

	@Test
	void showsDecisionsInTheLab() {
		this.client.post("/lab/x?key=a&cost=4", "")
			.expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("RateLimit-Policy", "\"x\";q=5;w=3600")
			.expectHeader()
			.valueEquals("RateLimit", "\"x\";r=1;t=2880")
			.expectBody()
			.jsonPath("$.allowed")
			.isEqualTo(true)
			.jsonPath("$.remaining")
			.isEqualTo(1);
		this.client.post("/lab/x?key=a&cost=2", "")
			.expectStatus()
			.isEqualTo(429)
			.expectHeader()
			.valueEquals("Retry-After", "720")
			.expectBody()
			.jsonPath("$.limits[0].retryAfterMicros")
			.value(Integer.class, (micros) -> assertThat(micros).isBetween(600_000_000, 720_000_000));
	}

	@Test
	void showsEachLimitInTheLab() {
		this.client.post("/lab/y?key=a", "")
			.expectBody()
			.jsonPath("$.limit")
			.isEqualTo(2)
			.jsonPath("$.limits[0].remaining")
			.isEqualTo(1)
			.jsonPath("$.limits[1].remaining")
			.isEqualTo(99);
	}

	@Test
	void refusesInTheLabWhatIsNever() {
		assertThat(SampleClient.statusOf(this.client.post("/lab/x?key=a&cost=6", ""))).isEqualTo(400);
		assertThat(SampleClient.statusOf(this.client.post("/lab/x?key=a&cost=-1", ""))).isEqualTo(400);
		assertThat(SampleClient.statusOf(this.client.post("/lab/none?key=a", ""))).isEqualTo(400);
	}

	@Test
	void isWatchedInActuator() {
		this.client.post("/lab/lab?key=watched", "");
		this.client.get("/actuator/metrics/ratelimit.requests?tag=policy:lab")
			.expectBody()
			.jsonPath("$.measurements[0].value")
			.isEqualTo(1.0);
		this.client.get("/actuator/prometheus")
			.expectBody(String.class)
			.value((text) -> assertThat(text)
				.contains("ratelimit_requests_total{outcome=\"allowed\",policy=\"lab\"} 1.0"));
		this.client.get("/actuator/ratelimits")
			.expectBody()
			.jsonPath("$.store")
			.isEqualTo("memory")
			.jsonPath("$.policies.x.limits[0].rate")
			.isEqualTo("5/1h")
			.jsonPath("$.policies.quotes.key[0]")
			.isEqualTo("client-ip");
		this.client.get("/actuator/health").expectStatus().isOk();
	}

}
