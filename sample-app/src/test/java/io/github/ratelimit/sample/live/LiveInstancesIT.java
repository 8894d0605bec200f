package io.github.ratelimit.sample.live;

import java.util.List;

import io.github.ratelimit.redis.TestRedis;
import io.github.ratelimit.sample.SampleApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.TestSocketUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The live page of two instances that count in one Redis.
 */
@Tag("browser")
class LiveInstancesIT {

	private static final List<Integer> PORTS = List.of(TestSocketUtils.findAvailableTcpPort(),
			TestSocketUtils.findAvailableTcpPort());

	private static final ConfigurableApplicationContext ONE = sample(PORTS.get(0));

	private static final ConfigurableApplicationContext OTHER = sample(PORTS.get(1));

	@RegisterExtension
	static final Browser BROWSER = new Browser();

	private final LivePage page = LivePage.open(BROWSER, ONE);

	@AfterAll
	static void stop() {
		ONE.close();
		OTHER.close();
	}

	@Test
	void keepOneBoundTogether() {
		this.page.choose("sliding-window-log");
		alternate();
		this.page.element("rate").sendKeys(Keys.END);
		this.page.await(() -> this.page.decided() > 40);
		this.page.element("rate").sendKeys(Keys.HOME);
		int one = this.page.number("#instances tr:nth-child(1) td");
		int other = this.page.number("#instances tr:nth-child(2) td");
		assertThat(one).isPositive();
		assertThat(other).isPositive();
		assertThat(one + other).isEqualTo(this.page.allowed()).isEqualTo(10);
		assertThat(this.page.text("bound-text")).contains("10 of 10");
	}

	@Test
	void bothObeyAnOperatorOfOne() {
		alternate();
		this.page.logIn("secret");
		this.page.control("ban");
		this.page.awaitText("operator-result", "Banned");
		this.page.await(() -> {
			this.page.call(2);
			return this.page.marks("banned") >= 4;
		});
		assertThat(this.page.number("#instances tr:nth-child(2) td:nth-of-type(2)")).isPositive();
	}

	private void alternate() {
		this.page.await(() -> this.page.element("alternate").isDisplayed());
		this.page.element("alternate").click();
		this.page.await(() -> this.page.all("#instances tr").size() == 3);
	}

	private static ConfigurableApplicationContext sample(int port) {
		return SpringApplication.run(SampleApplication.class, "--spring.profiles.active=redis", "--server.port=" + port,
				"--spring.data.redis.host=" + TestRedis.shared().host(),
				"--spring.data.redis.port=" + TestRedis.shared().port(), "--ratelimit.redis.timeout=5s",
				"--sample.live.instances=http://localhost:" + PORTS.get(0) + ",http://localhost:" + PORTS.get(1));
	}

}
