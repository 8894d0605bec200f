package io.github.ratelimit.sample;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample on a real Tomcat, called by someone who makes headers up.
 */
@Tag("long")
class ForgedHeadersIT {

	private static final int REQUESTS = Integer.getInteger("test.fuzz.forwarded", 200);

	@Test
	void admitsAPeerNoMoreWhateverItForwards() {
		Supplier<String> forged = () -> random(1, 224) + "." + random(0, 256) + ".113." + random(0, 256);
		assertThat(admitted("192.0.2.1", forged)).isEqualTo(10);
	}

	@Test
	void admitsAPeerNoMoreWhateverHeaderOfANetworkItForges() {
		Supplier<String> forged = () -> random(1, 224) + "." + random(0, 256) + ".113." + random(0, 256);
		assertThat(admitted("192.0.2.1", "CF-Connecting-IP", forged,
				"--ratelimit.http.client-address-header=CF-Connecting-IP"))
			.isEqualTo(10);
	}

	@Test
	void admitsANetworkBehindAProxyNoMoreForAllItsAddresses() {
		Supplier<String> forged = () -> "2001:db8::" + Integer.toHexString(random(1, 0x10000));
		assertThat(admitted("127.0.0.1", forged)).isEqualTo(10);
	}

	private static long admitted(String trustedProxy, Supplier<String> forwardedFor) {
		return admitted(trustedProxy, "X-Forwarded-For", forwardedFor, "--ratelimit.http.ipv6-prefix=64");
	}

	private static long admitted(String trustedProxy, String header, Supplier<String> forged, String property) {
		try (ConfigurableApplicationContext sample = SpringApplication.run(SampleApplication.class, "--server.port=0",
				"--ratelimit.policies.quotes.limits=10/1h", "--ratelimit.http.trusted-proxies=" + trustedProxy,
				property)) {
			String port = sample.getEnvironment().getRequiredProperty("local.server.port");
			RestTestClient client = RestTestClient.bindToServer(new JdkClientHttpRequestFactory())
				.baseUrl("http://127.0.0.1:" + port)
				.build();
			return IntStream.range(0, REQUESTS)
				.map((call) -> SampleClient
					.statusOf(client.get().uri("/quotes").header(header, forged.get()).exchange()))
				.filter((status) -> status == 200)
				.count();
		}
	}

	private static int random(int from, int to) {
		return ThreadLocalRandom.current().nextInt(from, to);
	}

}
