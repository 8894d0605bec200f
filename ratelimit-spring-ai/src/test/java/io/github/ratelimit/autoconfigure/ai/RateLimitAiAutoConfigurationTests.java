package io.github.ratelimit.autoconfigure.ai;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.ai.RateLimitedChatClients;
import io.github.ratelimit.spring.ai.RateLimitedModels;
import io.github.ratelimit.spring.ai.TokenReserve;
import io.github.ratelimit.spring.ai.TokenSettings;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.finding.LastReload.Reload;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.image.ImageModel;
import org.springframework.ai.image.ImageResponse;
import org.springframework.ai.tokenizer.JTokkitTokenCountEstimator;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("long")
class RateLimitAiAutoConfigurationTests {

	private static final ChatModel MODEL = (prompt) -> new ChatResponse(
			List.of(new Generation(new AssistantMessage("noon"))),
			ChatResponseMetadata.builder().usage(new DefaultUsage(30, 70)).build());

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withBean(ChatModel.class, () -> MODEL)
		.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.calls.limits=2/1m",
				"ratelimit.policies.tokens.limits=5000/1m", "ratelimit.policies.money.limits=5000/1d");

	@Test
	void limitsTheClientsOfTheApplicationsBuilder() {
		this.context.withPropertyValues("ratelimit.ai.requests=calls", "ratelimit.ai.tokens=tokens").run((context) -> {
			ask(context);
			ask(context);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> ask(context))
				.withMessageContaining("'calls'");
		});
	}

	@Test
	void limitsNothingWhereNothingIsSet() {
		this.context.run((context) -> {
			ask(context);
			ask(context);
			assertThat(ask(context)).isEqualTo("noon");
			assertThat(context).hasSingleBean(RateLimitedChatClients.class);
		});
	}

	@Test
	void limitsNothingWhereTurnedOff() {
		this.context.withPropertyValues("ratelimit.ai.requests=calls", "ratelimit.enabled=false").run((context) -> {
			ask(context);
			ask(context);
			assertThat(ask(context)).isEqualTo("noon");
			assertThat(context).doesNotHaveBean(RateLimitedChatClients.class);
		});
	}

	@Test
	void startsWithoutSpringAi() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("ratelimit.store=memory")
			.withClassLoader(new FilteredClassLoader("org.springframework.ai.chat"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitedChatClients.class));
	}

	@Test
	void startsWithoutWebFlux() {
		this.context.withClassLoader(new FilteredClassLoader("org.springframework.web.reactive"))
			.run((context) -> assertThat(context).hasSingleBean(RateLimitedChatClients.class));
	}

	@Test
	void limitsEachUserOfAServletApplication() {
		new WebApplicationContextRunner().withUserConfiguration(Application.class)
			.withBean(ChatModel.class, () -> MODEL)
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.calls.limits=1/1m",
					"ratelimit.policies.calls.key=principal", "ratelimit.ai.requests=calls")
			.run((context) -> {
				ChatClient client = context.getBean(ChatClient.Builder.class).build();
				as("alice", () -> client.prompt("What time is it?").call().content());
				as("bob", () -> client.prompt("What time is it?").call().content());
				assertThatExceptionOfType(RateLimitExceededException.class)
					.isThrownBy(() -> as("alice", () -> client.prompt("What time is it?").call().content()));
			});
	}

	@Test
	void startsInAReactiveApplication() {
		new ReactiveWebApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.calls.limits=1/1m",
					"ratelimit.ai.requests=calls")
			.run((context) -> assertThat(context).hasSingleBean(RateLimitedChatClients.class));
	}

	@ParameterizedTest
	@CsvSource({ "p95, P95, 1000", "max-tokens, MAX_TOKENS, 1000", "2000, FIXED, 2000" })
	void readsTheReserve(String reserve, TokenReserve.Kind kind, long tokens) {
		this.context.withPropertyValues("ratelimit.ai.reserve=" + reserve)
			.run((context) -> assertThat(context.getBean(TokenSettings.class).reserve())
				.isEqualTo(new TokenReserve(kind, tokens)));
	}

	@Test
	void readsPrices() {
		this.context
			.withPropertyValues("ratelimit.ai.cost=money", "ratelimit.ai.prices.[gpt-5.1].input=1.25",
					"ratelimit.ai.prices.[gpt-5.1].output=10", "ratelimit.ai.prices.default.input=2",
					"ratelimit.ai.prices.default.output=30")
			.run((context) -> assertThat(context.getBean(TokenSettings.class).prices().byModel())
				.containsOnlyKeys("gpt-5.1", "default")
				.hasEntrySatisfying("gpt-5.1", (price) -> assertThat(price.input()).isEqualByComparingTo("1.25")));
	}

	@Test
	void readsPricesOfImages() {
		this.context
			.withPropertyValues("ratelimit.ai.image-prices.[gpt-image-1.5]=0.04", "ratelimit.ai.image-prices.default=1")
			.run((context) -> assertThat(context.getBean(TokenSettings.class).prices().ofImages())
				.containsOnlyKeys("gpt-image-1.5", "default")
				.hasEntrySatisfying("gpt-image-1.5", (price) -> assertThat(price).isEqualByComparingTo("0.04")));
	}

	@Test
	void takesAllPoliciesForUsedWhereABeanLimitsModels() {
		this.context.withBean(Drawing.class).run((context) -> assertThat(unused(context)).isEmpty());
	}

	@Test
	void estimatesPromptsWithTheApplicationsEstimator() {
		this.context.withBean(JTokkitTokenCountEstimator.class)
			.run((context) -> assertThat(context.getBean(TokenSettings.class).estimator())
				.isInstanceOf(JTokkitTokenCountEstimator.class));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"ratelimit.ai.reserve=much | 'ratelimit.ai.reserve' has the value 'much', but it is a number of tokens, max-tokens or p95",
			"ratelimit.ai.reserve=0 | 'ratelimit.ai.reserve' has the value '0', but the tokens to reserve must be at least 1, were 0",
			"ratelimit.ai.initial-reserve=0 | 'ratelimit.ai.initial-reserve' has the value '0'",
			"ratelimit.ai.initial-reserve=5001 | cannot be limited by 'tokens': 'cost' must be at most 5000",
			"ratelimit.ai.requests=call | cannot be limited by 'call': there is no policy named 'call'",
			"ratelimit.ai.requests=tokens | 'ratelimit.ai' has the value '[tokens, tokens]', but the policy 'tokens' is named twice",
			"ratelimit.ai.cost=money | no model has a price",
			"ratelimit.ai.prices.gpt.input=1 | 'ratelimit.ai.prices.gpt' has the value",
			"ratelimit.ai.image-prices.gpt=-1 | 'ratelimit.ai.image-prices' has the value '{gpt=-1}', but the price of an image of 'gpt' must not be negative",
			"ratelimit.ai.token=tokens | The property 'ratelimit.ai.token' does not exist" })
	void stopsTheStartUpByAMistake(String property, String message) {
		this.context.withPropertyValues("ratelimit.ai.tokens=tokens", property)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(InvalidRateLimitConfigurationException.class.getName())
				.hasStackTraceContaining(message));
	}

	@Test
	void takesPoliciesThatPropertiesNameForUsed() {
		this.context.withPropertyValues("ratelimit.ai.requests=calls", "ratelimit.ai.tokens=tokens")
			.run((context) -> assertThat(unused(context)).containsExactly("money"));
	}

	@Test
	void takesAllPoliciesForUsedWhereABeanMakesAdvisors() {
		this.context.withBean(Chat.class).run((context) -> assertThat(unused(context)).isEmpty());
	}

	@Test
	void chargesThePoliciesOfAReloadForClientsThatExist() {
		this.context
			.withPropertyValues("ratelimit.ai.requests=calls", "ratelimit.ai.reserve=10",
					"ratelimit.policies.tokens.limits=5000/1d fixed-window", "ratelimit.reload-interval=50ms")
			.run((context) -> {
				ChatClient client = context.getBean(ChatClient.Builder.class).build();
				ask(client);
				ask(client);
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> ask(client));
				reload(context, "ratelimit.ai.requests=", "ratelimit.ai.tokens=tokens", "ratelimit.ai.reserve=5001");
				Awaitility.await().until(() -> context.getBean(LastReload.class).get() != null);
				assertThat(lastReload(context).problem())
					.contains("cannot be limited by 'tokens': 'cost' must be at most 5000");
				reload(context, "ratelimit.ai.reserve=20");
				Awaitility.await().untilAsserted(() -> assertThat(charged(context)).containsExactly("tokens"));
				assertThat(lastReload(context).needRestart()).isEmpty();
				ask(client);
				assertThat(remainingTokens(context)).isEqualTo(5000 - 100);
				reload(context, "ratelimit.ai.tokens=");
				Awaitility.await().untilAsserted(() -> assertThat(charged(context)).isEmpty());
				ask(client);
			});
	}

	@Test
	void namesPropertiesThatNeedARestartAsNoCallIsLimited() {
		this.context.withPropertyValues("ratelimit.reload-interval=50ms").run((context) -> {
			reload(context, "ratelimit.ai.requests=calls");
			Awaitility.await().until(() -> context.getBean(LastReload.class).get() != null);
			assertThat(lastReload(context).needRestart()).containsExactly("ratelimit.ai.requests");
		});
	}

	private static void reload(AssertableApplicationContext context, String... properties) {
		TestPropertyValues.of(properties).applyTo(context);
	}

	private static Reload lastReload(AssertableApplicationContext context) {
		return Objects.requireNonNull(context.getBean(LastReload.class).get());
	}

	private static long remainingTokens(AssertableApplicationContext context) {
		RateLimiter limiter = context.getBean(RateLimiter.class);
		return limiter.peek(List.of(new Charge("tokens", "global", 0))).limits().get(0).remaining();
	}

	private static Set<String> charged(AssertableApplicationContext context) {
		return context.getBean("io.github.ratelimit.chatPolicies", PolicyUse.class).byPolicy().keySet();
	}

	private static String ask(ChatClient client) {
		return String.valueOf(client.prompt("What time is it?").call().content());
	}

	private static List<String> unused(AssertableApplicationContext context) {
		return context.getBean(Findings.class)
			.all()
			.stream()
			.filter((finding) -> finding.kind() == Finding.Kind.UNUSED_POLICY)
			.map(Finding::subject)
			.toList();
	}

	private static String ask(AssertableApplicationContext context) {
		return String
			.valueOf(context.getBean(ChatClient.Builder.class).build().prompt("What time is it?").call().content());
	}

	private static void as(String user, Runnable action) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setUserPrincipal(() -> user);
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
		try {
			action.run();
		}
		finally {
			RequestContextHolder.resetRequestAttributes();
		}
	}

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	/** A bean with a client of its own. */
	static final class Chat {

		final ChatClient client;

		Chat(RateLimitedChatClients clients) {
			this.client = ChatClient.builder(MODEL).defaultAdvisors(clients.advisors("calls", "tokens")).build();
		}

	}

	/** A bean that limits a model. */
	static final class Drawing {

		final ImageModel model;

		Drawing(RateLimitedModels models) {
			this.model = models.limit((ImageModel) (prompt) -> new ImageResponse(List.of()), List.of("calls"),
					List.of());
		}

	}

}
