package io.github.ratelimit.sample;

import java.io.IOException;

import io.github.ratelimit.spring.metrics.Promtool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the alert rules by Prometheus' own tool.
 */
@Tag("promtool")
class AlertRulesTests {

	@Test
	void areValid() throws IOException, InterruptedException {
		assertThat(Promtool.run("check", "rules", "alerts.yml")).contains("SUCCESS");
	}

	@Test
	void alertWhenTheirTestsSay() throws IOException, InterruptedException {
		assertThat(Promtool.run("test", "rules", "alerts-test.yml")).contains("SUCCESS");
	}

}
