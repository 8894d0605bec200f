package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import jakarta.servlet.Filter;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.login.RateLimitLoginAutoConfiguration;
import io.github.ratelimit.autoconfigure.reload.Reloads;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.finding.LastReload.Reload;
import io.github.ratelimit.spring.login.AccountNames;
import io.github.ratelimit.spring.login.LimitedAuthenticationManager;
import io.github.ratelimit.spring.login.LoginLimiter;
import io.github.ratelimit.spring.web.servlet.RejectionFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the configuration of logins.
 */
class LoginConfigurationTests {

	private static final UserDetails ALICE = User.withUsername("alice").password("{noop}secret").roles("USER").build();

	private static final String WRONG = "Basic " + HttpHeaders.encodeBasicAuth("alice", "guess", null);

	private static final String[] PROPERTIES = { "ratelimit.store=memory", "ratelimit.policies.a.limits=5/15m",
			"ratelimit.policies.b.limits=50/15m" };

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(RateLimitLoginAutoConfiguration.class, WebMvcAutoConfiguration.class,
				DispatcherServletAutoConfiguration.class))
		.withPropertyValues(PROPERTIES);

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(RateLimitLoginAutoConfiguration.class, WebFluxAutoConfiguration.class))
		.withPropertyValues(PROPERTIES);

	@Test
	void addsNothingWithoutProperties() {
		this.servlet.withUserConfiguration(Servlet.class)
			.withBean(InMemoryUserDetailsManager.class, () -> new InMemoryUserDetailsManager(ALICE))
			.run((context) -> {
				assertThat(context).doesNotHaveBean(LoginLimiter.class).doesNotHaveBean("io.github.ratelimit.logins");
				assertThat(context.getBean(SecurityFilterChain.class).getFilters())
					.noneMatch(RejectionFilter.class::isInstance);
			});
	}

	@Test
	void givesPoliciesWithoutAKeyTheirs() {
		this.servlet.withUserConfiguration(Servlet.class)
			.withBean(InMemoryUserDetailsManager.class, () -> new InMemoryUserDetailsManager(ALICE))
			.withPropertyValues("ratelimit.login.account=a", "ratelimit.login.address=b")
			.run((context) -> {
				assertThat(context).hasSingleBean(RateLimiter.class);
				assertThat(context.getBean(Policies.class).get("a").keys()).containsExactly("#account");
				assertThat(context.getBean(Policies.class).get("b").keys()).containsExactly("client-ip");
			});
	}

	@Test
	void keepsTheKeyOfAPolicy() {
		this.servlet.withUserConfiguration(Servlet.class)
			.withBean(InMemoryUserDetailsManager.class, () -> new InMemoryUserDetailsManager(ALICE))
			.withPropertyValues("ratelimit.login.account=a",
					"ratelimit.policies.a.key=#account + ' ' + #request.address")
			.run((context) -> assertThat(context.getBean(Policies.class).get("a").keys())
				.containsExactly("#account + ' ' + #request.address"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			account=x | | The property 'ratelimit.login.account' has the value 'x', but there is no policy named 'x'
			address=x | | The property 'ratelimit.login.address' has the value 'x', but there is no policy named 'x'
			account=a | policies.a.key=principal | but the policy's key 'principal' is known after the login alone
			account=a | policies.a.key=#user.name | '#user' has no value
			account=a | policies.a.key=form:username | but 'form:username' is a key of rules alone
			account=a | policies.a.key=#acount | there is no argument '#acount' (did you mean '#account'?)
			account=a | policies.a.limits=5 concurrent | but the policy's limit '5 concurrent' is for calls at a time
			account=a | login.address=a | but account and address need a policy each
			""")
	void refusesPoliciesThatCannotLimitLogins(String login, String property, String message) {
		WebApplicationContextRunner runner = this.servlet.withUserConfiguration(Servlet.class)
			.withBean(InMemoryUserDetailsManager.class, () -> new InMemoryUserDetailsManager(ALICE))
			.withPropertyValues("ratelimit.login." + login);
		assertThat(description((property != null) ? runner.withPropertyValues("ratelimit." + property) : runner))
			.contains(message);
	}

	@Test
	void refusesAnApplicationWithoutSpringSecurity() {
		assertThat(description(this.servlet.withPropertyValues("ratelimit.login.account=a")
			.withClassLoader(new FilteredClassLoader("org.springframework.security"))))
			.isEqualTo("The property 'ratelimit.login' is set, but Spring Security is not on the class path.");
	}

	@Test
	void refusesAnApplicationWithoutUsers() {
		assertThat(description(
				this.servlet.withUserConfiguration(Servlet.class).withPropertyValues("ratelimit.login.account=a")))
			.isEqualTo(
					"The property 'ratelimit.login' is set, but no filter chain that HttpSecurity builds authenticates users.");
		this.reactive.withUserConfiguration(Reactive.class)
			.withPropertyValues("ratelimit.login.account=a")
			.run((context) -> assertThat(
					InvalidConfigurationTests.analyze(Objects.requireNonNull(context.getStartupFailure()))
						.getDescription())
				.isEqualTo(
						"The property 'ratelimit.login' is set, but no filter chain that ServerHttpSecurity builds authenticates users."));
	}

	@Test
	void limitsAReactiveApplicationWithUsers() {
		this.reactive.withUserConfiguration(Reactive.class)
			.withBean(MapReactiveUserDetailsService.class, () -> new MapReactiveUserDetailsService(ALICE))
			.withPropertyValues("ratelimit.login.address=b")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(LoginLimiter.class));
	}

	@ParameterizedTest
	@CsvSource({ "false, expression:alice", "true, expression:a" })
	void countsAccountsByTheNamesOfABean(boolean hasBean, String key) {
		WebApplicationContextRunner application = this.servlet.withUserConfiguration(Servlet.class)
			.withBean(InMemoryUserDetailsManager.class, () -> new InMemoryUserDetailsManager(ALICE))
			.withPropertyValues("ratelimit.policies.a.limits=1/1h", "ratelimit.login.account=a");
		(hasBean ? application.withBean(AccountNames.class, () -> (typed) -> typed.substring(0, 1)) : application)
			.run((context) -> {
				AuthenticationManager manager = new LimitedAuthenticationManager((login) -> {
					throw new BadCredentialsException("wrong");
				}, () -> context.getBean(LoginLimiter.class), () -> () -> Caller.NONE);
				assertThatExceptionOfType(BadCredentialsException.class).isThrownBy(
						() -> manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated("alice", "")));
				assertThat(context.getBean(RateLimiter.class)
					.peek(List.of(new Charge("a", key, 0)))
					.limits()
					.get(0)
					.remaining()).isZero();
			});
	}

	@Test
	void limitsServletsWhoseChainsAreBuiltLate() {
		this.servlet.withInitializer(LoginConfigurationTests::makeLazy)
			.withUserConfiguration(Servlet.class)
			.withBean(InMemoryUserDetailsManager.class, () -> new InMemoryUserDetailsManager(ALICE))
			.withPropertyValues("ratelimit.login.account=a")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(((ConfigurableApplicationContext) context.getSourceApplicationContext()).getBeanFactory()
					.containsSingleton("chain")).isFalse();
				MockMvcTester client = MockMvcTester.from(context,
						(mvc) -> mvc.addFilters(context.getBean("springSecurityFilterChain", Filter.class)).build());
				assertThat(Stream.generate(() -> client.get().uri("/").header("Authorization", WRONG).exchange())
					.limit(6)
					.map((result) -> result.getResponse().getStatus())).containsExactly(401, 401, 401, 401, 401, 429);
			});
	}

	@Test
	void limitsAReactiveApplicationWhoseChainsAreBuiltLate() {
		this.reactive.withInitializer(LoginConfigurationTests::makeLazy)
			.withUserConfiguration(Reactive.class)
			.withBean(MapReactiveUserDetailsService.class, () -> new MapReactiveUserDetailsService(ALICE))
			.withPropertyValues("ratelimit.login.account=a")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(((ConfigurableApplicationContext) context.getSourceApplicationContext()).getBeanFactory()
					.containsSingleton("chain")).isFalse();
				WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
				assertThat(Stream.generate(
						() -> client.get().uri("/").header("Authorization", WRONG).exchange().returnResult(Void.class))
					.limit(6)
					.map((result) -> result.getStatus().value())).containsExactly(401, 401, 401, 401, 401, 429);
			});
	}

	private static void makeLazy(ConfigurableApplicationContext context) {
		context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
	}

	@Test
	void reloadsTheLoginsOfServlets() {
		this.servlet.withUserConfiguration(Servlet.class)
			.withBean(InMemoryUserDetailsManager.class, () -> new InMemoryUserDetailsManager(ALICE))
			.withPropertyValues("ratelimit.login.account=a", "ratelimit.reload-interval=1h")
			.run(LoginConfigurationTests::reloadsLogins);
	}

	@Test
	void reloadsTheLoginsOfWebFlux() {
		this.reactive.withUserConfiguration(Reactive.class)
			.withBean(MapReactiveUserDetailsService.class, () -> new MapReactiveUserDetailsService(ALICE))
			.withPropertyValues("ratelimit.login.account=a", "ratelimit.reload-interval=1h")
			.run(LoginConfigurationTests::reloadsLogins);
	}

	private static void reloadsLogins(ApplicationContext context) {
		LoginLimiter limiter = context.getBean(LoginLimiter.class);
		assertThat(Reloads.of(context, "ratelimit.login.account=c", "ratelimit.login.address=b").problem())
			.contains("'ratelimit.login.account' has the value 'c', but there is no policy named 'c'");
		assertThat(limiter.policies().names()).containsExactly("a");
		Reload reload = Reloads.of(context, "ratelimit.login.account=b", "ratelimit.login.address=a");
		assertThat(reload.problem()).isNull();
		assertThat(reload.needRestart()).isEmpty();
		assertThat(limiter.policies().names()).containsExactly("b", "a");
		assertThat(context.getBean(Policies.class).get("a").keys()).containsExactly("client-ip");
		assertThat(context.getBean("io.github.ratelimit.loginPolicyUse", PolicyUse.class).byPolicy())
			.containsOnlyKeys("a", "b");
		Reloads.of(context, "ratelimit.policies.b.limits=5 concurrent");
		assertThat(context.getBean(Policies.class).get("b").limits()).hasToString("[50/15m]");
	}

	@Test
	void namesLoginsThatNeedARestartAsNoneAreLimited() {
		this.servlet.withUserConfiguration(Servlet.class)
			.withBean(InMemoryUserDetailsManager.class, () -> new InMemoryUserDetailsManager(ALICE))
			.withPropertyValues("ratelimit.reload-interval=1h")
			.run((context) -> assertThat(Reloads.of(context, "ratelimit.login.account=a").needRestart())
				.containsExactly("ratelimit.login.account"));
	}

	private static String description(WebApplicationContextRunner application) {
		FailureAnalysis[] found = new FailureAnalysis[1];
		application.run((context) -> found[0] = InvalidConfigurationTests
			.analyze(Objects.requireNonNull(context.getStartupFailure(), "it starts")));
		return found[0].getDescription();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Servlet {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.httpBasic(Customizer.withDefaults()).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class Reactive {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.httpBasic(Customizer.withDefaults()).build();
		}

	}

}
