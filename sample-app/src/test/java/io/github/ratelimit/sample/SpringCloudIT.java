package io.github.ratelimit.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.finding.LastReload;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Refreshes the configuration of the sample as Spring Cloud does.
 */
@Tag("long")
class SpringCloudIT {

	@TempDir
	private Path folder;

	@Test
	void appliesARefreshedConfigurationOrRefusesIt() throws IOException {
		write("7/1m");
		try (ConfigurableApplicationContext sample = SpringApplication.run(SampleApplication.class, "--server.port=0",
				"--spring.config.additional-location=file:" + this.folder + "/")) {
			assertThat(limits(sample)).isEqualTo("[7/1m]");
			write("9/1m");
			sample.getBean(ContextRefresher.class).refresh();
			assertThat(limits(sample)).isEqualTo("[9/1m]");
			write("9 per minute");
			sample.getBean(ContextRefresher.class).refresh();
			assertThat(limits(sample)).isEqualTo("[9/1m]");
			assertThat(sample.getBean(LastReload.class).get()).extracting("problem")
				.asString()
				.contains("9 per minute");
		}
	}

	private void write(String limits) throws IOException {
		Files.writeString(this.folder.resolve("application.yml"), "ratelimit.policies.quotes.limits: " + limits);
	}

	private static String limits(ConfigurableApplicationContext sample) {
		return sample.getBean(Policies.class).get("quotes").limits().toString();
	}

}
