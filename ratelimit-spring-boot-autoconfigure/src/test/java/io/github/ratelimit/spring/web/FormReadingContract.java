package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.key.TypedName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random forms of which a rule counts a field, and all ways in which an application may
 * read it. {@code -Dtest.forms} is their number, and {@code -Dtest.seed} repeats a run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FormReadingContract {

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	private static final int FORMS = Integer.getInteger("test.forms", 3000);

	private static final long SEED = Long.getLong("test.seed", 1);

	private static final String KEY = "form:username:";

	/** Starts an application with the properties. */
	abstract ConfigurableApplicationContext start(String... properties);

	/** Returns the ways, each the path of a request. */
	abstract List<String> ways();

	@ParameterizedTest
	@MethodSource("ways")
	void countsWhatTheApplicationReads(String way) throws IOException {
		ConfigurableApplicationContext application = APPLICATIONS.get(getClass(),
				() -> start("server.port=0", "ratelimit.store=memory",
						"ratelimit.policies.each-user.limits=1000000000/1h",
						"ratelimit.policies.each-user.key=form:username", "ratelimit.rules[0].paths=/**",
						"ratelimit.rules[0].policies=each-user", "ratelimit.rules[0].phase=before-security",
						"logging.level.org.springframework.boot.webflux.autoconfigure.error=off",
						"logging.level.org.springframework.web.HttpLogging=off",
						"logging.level.org.apache.catalina.core.ContainerBase=off"));
		Readings readings = application.getBean(Readings.class);
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		Random random = new Random(SEED);
		int forms = FORMS / ways().size();
		int counted = 0;
		try (OpenConnection connection = new OpenConnection(port)) {
			for (int number = 0; number < forms; number++) {
				RandomForm form = RandomForm.of(random);
				readings.reset();
				int status = connection.send(form.request(way));
				counted += readings.isCounted() ? 1 : 0;
				readings.check(way + " " + number + " " + status + " " + form);
			}
		}
		assertThat(counted).isGreaterThan(forms / 20);
	}

	/** The last key that was counted, and the last values that were read. */
	static final class Readings implements RateLimitListener {

		private volatile @Nullable String key;

		private volatile @Nullable List<? extends @Nullable String> values;

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			this.key = charges.get(0).key();
		}

		String read(@Nullable List<? extends @Nullable String> values) {
			this.values = (values != null) ? values : List.of();
			return "read";
		}

		String read(@Nullable String value) {
			return read((value != null) ? List.of(value) : List.of());
		}

		private void reset() {
			this.key = null;
			this.values = null;
		}

		private boolean isCounted() {
			String key = this.key;
			return this.values != null && key != null && key.startsWith(KEY);
		}

		private void check(String request) {
			if (isCounted()) {
				assertThat(this.values).as(request)
					.singleElement()
					.satisfies((value) -> assertThat(KEY + TypedName.of(String.valueOf(value))).isEqualTo(this.key));
			}
		}

	}

	/** A form that is bound by constructor. */
	record Constructed(@Nullable String username) {

	}

	/** A form that is bound by setter. */
	static final class Filled {

		private @Nullable String username;

		@Nullable String getUsername() {
			return this.username;
		}

		public void setUsername(@Nullable String username) {
			this.username = username;
		}

	}

}
