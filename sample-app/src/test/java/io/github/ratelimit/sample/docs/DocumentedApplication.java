package io.github.ratelimit.sample.docs;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.github.ratelimit.sample.Markdown;
import io.github.ratelimit.sample.PlainPasswords;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.test.autoconfigure.SpringBootMockMvcBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.context.WebApplicationContext;

/**
 * An application with the configuration that a section of a page shows. Its counts are in
 * memory, survive a restart, and follow a clock that the test moves.
 */
public final class DocumentedApplication {

	private static final int MAX_KEYS = 1000;

	private static final long NANOS_PER_MICRO = 1000;

	/** A Monday in September 2026, in microseconds. */
	private static final long NOW = 1_790_000_000_000_000L;

	private final AtomicLong micros;

	private final WebApplicationContextRunner runner;

	/**
	 * Returns an application.
	 * @param page a page, such as {@code docs/recipes.md}
	 * @param heading the heading of a section with one configuration
	 * @param types configuration classes and beans
	 * @return the application, not started yet
	 */
	public static DocumentedApplication of(String page, String heading, Class<?>... types) {
		EnumerablePropertySource<?> shown = configuration(page, heading);
		AtomicLong micros = new AtomicLong(NOW);
		MemoryRateLimitStore store = new MemoryRateLimitStore(MAX_KEYS, micros::get);
		return new DocumentedApplication(micros,
				new WebApplicationContextRunner().withPropertyValues("spring.profiles.active=docs")
					.withUserConfiguration(Application.class, PlainPasswords.class)
					.withUserConfiguration(types)
					.withBean(MemoryRateLimitStore.class, () -> store)
					.withInitializer((context) -> context.getEnvironment().getPropertySources().addLast(shown)));
	}

	/** Returns the configuration that a section of a page shows. */
	public static EnumerablePropertySource<?> configuration(String page, String heading) {
		Markdown section = Markdown.read(Markdown.root().resolve(page)).section(heading);
		return section.configurations().findFirst().orElseThrow().properties();
	}

	/** Returns the application with properties set, whatever the page shows. */
	public DocumentedApplication with(String... properties) {
		return new DocumentedApplication(this.micros, this.runner.withPropertyValues(properties));
	}

	private DocumentedApplication(AtomicLong micros, WebApplicationContextRunner runner) {
		this.micros = micros;
		this.runner = runner;
	}

	/** Starts it, runs a test, and stops it. */
	public void run(Consumer<WebApplicationContext> test) {
		this.runner.run(test::accept);
	}

	/** Lets time pass for all counts. */
	public void advance(Duration time) {
		this.micros.addAndGet(time.toNanos() / NANOS_PER_MICRO);
	}

	/** Returns a client that passes all filters. */
	public static MockMvcTester client(WebApplicationContext context) {
		return MockMvcTester.from(context, (builder) -> {
			new SpringBootMockMvcBuilderCustomizer(context).customize(builder);
			return builder.build();
		});
	}

	/** Returns the credentials that a user sends with a request. */
	public static String credentials(String user) {
		return "Basic " + HttpHeaders.encodeBasicAuth(user, "secret", null);
	}

	/**
	 * The part that all applications have: users with a password, and an API for them
	 * alone.
	 */
	@Profile("docs")
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		SecurityFilterChain security(HttpSecurity http) {
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers("/api/**").authenticated().anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.disable())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(user("alice"), user("bob"), user("ada@acme.example"),
					user("bob@acme.example"), user("cleo@initech.example"), user("carol", "PREMIUM"));
		}

		private static UserDetails user(String name, String... roles) {
			return User.withUsername(name).password("secret").roles(roles).build();
		}

	}

}
