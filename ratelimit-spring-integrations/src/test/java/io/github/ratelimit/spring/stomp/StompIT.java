package io.github.ratelimit.spring.stomp;

import java.lang.reflect.Type;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.LastReload;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.converter.CompositeMessageConverter;
import org.springframework.messaging.converter.JacksonJsonMessageConverter;
import org.springframework.messaging.converter.StringMessageConverter;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.messaging.simp.annotation.SubscribeMapping;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompFrameHandler;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;
import org.springframework.messaging.simp.stomp.StompSessionHandlerAdapter;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.MessageHeaderAccessor;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.WebSocketHttpHeaders;
import org.springframework.web.socket.client.standard.StandardWebSocketClient;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.messaging.WebSocketStompClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Clients that send messages by STOMP, of which some are rejected.
 */
@Tag("long")
class StompIT {

	private static final List<String> PROPERTIES = List.of("server.port=0", "ratelimit.store=memory",
			"ratelimit.reload-interval=100ms", "ratelimit.stomp.policies=messages,addresses,routes",
			"ratelimit.policies.messages.limits=4/1d fixed-window", "ratelimit.policies.messages.key=session",
			"ratelimit.policies.addresses.limits=100/1d fixed-window", "ratelimit.policies.addresses.key=client-ip",
			"ratelimit.policies.routes.limits=100/1d fixed-window",
			"ratelimit.policies.routes.key=header:X-Api-Key + route",
			"ratelimit.policies.orders.limits=1/1d fixed-window",
			"ratelimit.policies.orders.key=principal,header:X-Api-Key", "ratelimit.policies.idle.limits=1/1d");

	private static final ConfigurableApplicationContext CONTEXT = start(PROPERTIES);

	private final WebSocketStompClient client = new WebSocketStompClient(new StandardWebSocketClient());

	private final BlockingQueue<StompRejection> rejections = new LinkedBlockingQueue<>();

	private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

	StompIT() {
		this.client.setMessageConverter(new CompositeMessageConverter(
				List.of(new StringMessageConverter(), new JacksonJsonMessageConverter())));
	}

	@AfterEach
	void stopClient() {
		this.client.stop();
		limiter().reset("addresses", "client-ip:127.0.0.1");
	}

	@AfterAll
	static void stop() {
		CONTEXT.close();
	}

	@Test
	void takesPoliciesThatThePropertyNamesForUsed() {
		assertThat(CONTEXT.getBean(Findings.class).all())
			.filteredOn((finding) -> finding.kind() == Finding.Kind.UNUSED_POLICY)
			.extracting(Finding::subject)
			.containsExactly("idle");
		assertThat(CONTEXT.getBean("io.github.ratelimit.stompPolicies", PolicyUse.class).byPolicy().get("messages"))
			.isEqualTo(List.of("ratelimit.stomp.policies"));
	}

	@Test
	void dropsMessagesAboveTheLimitOfASessionAndTellsTheClient() throws InterruptedException {
		StompSession session = connect("one", null);
		for (int i = 0; i < 4; i++) {
			session.send("/app/echo", "message " + i);
		}
		assertThat(List.of(answer(), answer())).containsExactlyInAnyOrder("message 0", "message 1");
		for (int i = 0; i < 2; i++) {
			StompRejection rejection = rejection();
			assertThat(rejection.title()).isEqualTo("Quota exceeded");
			assertThat(rejection.destination()).isEqualTo("/app/echo");
			assertThat(rejection.violatedPolicies()).containsExactly("messages");
			assertThat(rejection.retryAfter()).isBetween(1L, 86_400L);
		}
		assertThat(session.isConnected()).isTrue();
		assertThat(this.answers).isEmpty();
		connect("one", null).send("/app/echo", "another session");
		assertThat(answer()).isEqualTo("another session");
		assertThat(remaining("addresses", "client-ip:127.0.0.1")).isEqualTo(100 - 4 - 3);
	}

	@Test
	void chargesThePoliciesOfAReload() throws InterruptedException {
		StompSession session = connect("reloaded", null);
		reload("addresses");
		Awaitility.await().untilAsserted(() -> assertThat(charged()).containsExactly("addresses"));
		for (int i = 0; i < 4; i++) {
			session.send("/app/echo", "message");
			assertThat(answer()).isEqualTo("message");
		}
		reload("messages,addresses,routes");
		Awaitility.await().untilAsserted(() -> assertThat(charged()).hasSize(3));
		for (int i = 0; i < 3; i++) {
			session.send("/app/echo", "message");
		}
		assertThat(rejection().violatedPolicies()).containsExactly("messages");
		assertThat(List.of(answer(), answer())).containsExactly("message", "message");
	}

	@Test
	void refusesAReloadThatLimitsConcurrency() {
		TestPropertyValues.of("ratelimit.policies.idle.limits=5 concurrent", "ratelimit.stomp.policies=messages,idle")
			.applyTo(CONTEXT);
		Awaitility.await()
			.untilAsserted(() -> assertThat(CONTEXT.getBean(LastReload.class).get()).extracting("problem")
				.asString()
				.contains("'ratelimit.stomp.policies' has the value '[messages, idle]'"));
		assertThat(charged()).doesNotContain("idle");
		TestPropertyValues.of("ratelimit.policies.idle.limits=1/1d").applyTo(CONTEXT);
		reload("messages,addresses,routes");
	}

	private static void reload(String policies) {
		TestPropertyValues.of("ratelimit.stomp.policies=" + policies).applyTo(CONTEXT);
	}

	private static Set<String> charged() {
		return CONTEXT.getBean("io.github.ratelimit.stompPolicies", PolicyUse.class).byPolicy().keySet();
	}

	@Test
	void countsThePatternsOfHandlers() throws InterruptedException {
		StompSession session = connect("routes", null);
		session.send("/app/items/1", "one");
		session.send("/app/items/2", "two");
		assertThat(List.of(answer(), answer())).containsExactlyInAnyOrder("one", "two");
		subscribe(connect("routes", null), "/app/items/3", String.class, this.answers);
		assertThat(answer()).isEqualTo("item 3");
		String caller = "header:x-api-key:routes + ";
		assertThat(remaining("routes", caller + "route:SEND /items/{id}")).isEqualTo(98);
		assertThat(remaining("routes", caller + "route:SUBSCRIBE /items/{id}")).isEqualTo(99);
	}

	@ParameterizedTest
	@CsvSource({ "two,, header:x-api-key:two", "three, alice, principal:alice" })
	void tellsTheClientWhenAHandlerIsLimited(String apiKey, @Nullable String user, String key)
			throws InterruptedException {
		StompSession session = connect(apiKey, user);
		session.send("/app/orders", "first");
		assertThat(answer()).isEqualTo("ordered first");
		session.send("/app/orders", "second");
		StompRejection rejection = rejection();
		assertThat(rejection.violatedPolicies()).containsExactly("orders");
		assertThat(rejection.destination()).isEqualTo("/app/orders");
		assertThat(remaining("orders", key)).isZero();
		assertThat(session.isConnected()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.stomp.policies=nothing, there is no policy named 'nothing'",
			"ratelimit.policies.messages.limits=5 concurrent, annotate its handler instead",
			"ratelimit.policies.messages.key=form:id, is a key of rules alone",
			"ratelimit.stomp.policy=messages, 'ratelimit.stomp.policy'" })
	void refusesToStart(String property, String message) {
		List<String> properties = new ArrayList<>(PROPERTIES);
		properties.add(property);
		assertThatThrownBy(() -> start(properties))
			.satisfies((failure) -> assertThat(Stream.iterate(failure, Objects::nonNull, Throwable::getCause))
				.anySatisfy((cause) -> assertThat(cause).isInstanceOf(InvalidRateLimitConfigurationException.class)
					.hasMessageContaining(message)));
	}

	private StompSession connect(String apiKey, @Nullable String user) {
		WebSocketHttpHeaders handshake = new WebSocketHttpHeaders();
		handshake.set("X-Api-Key", apiKey);
		StompHeaders connect = new StompHeaders();
		if (user != null) {
			connect.setLogin(user);
		}
		String url = "ws://127.0.0.1:" + CONTEXT.getEnvironment().getProperty("local.server.port") + "/stomp";
		StompSession session = this.client.connectAsync(url, handshake, connect, new StompSessionHandlerAdapter() {
		}).join();
		long before = remaining("addresses", "client-ip:127.0.0.1");
		subscribe(session, "/user/queue/rate-limits", StompRejection.class, this.rejections);
		subscribe(session, "/user/queue/answers", String.class, this.answers);
		Awaitility.await()
			.untilAsserted(() -> assertThat(remaining("addresses", "client-ip:127.0.0.1")).isEqualTo(before - 2));
		return session;
	}

	private static <T> void subscribe(StompSession session, String destination, Class<T> type, BlockingQueue<T> queue) {
		session.subscribe(destination, new StompFrameHandler() {

			@Override
			public Type getPayloadType(StompHeaders headers) {
				return type;
			}

			@Override
			public void handleFrame(StompHeaders headers, @Nullable Object payload) {
				queue.add(type.cast(Objects.requireNonNull(payload)));
			}

		});
	}

	private StompRejection rejection() throws InterruptedException {
		return Objects.requireNonNull(this.rejections.poll(10, TimeUnit.SECONDS));
	}

	private String answer() throws InterruptedException {
		return Objects.requireNonNull(this.answers.poll(10, TimeUnit.SECONDS));
	}

	private static long remaining(String policy, String key) {
		return limiter().peek(List.of(new Charge(policy, key, 0))).limits().get(0).remaining();
	}

	private static RateLimiter limiter() {
		return CONTEXT.getBean(RateLimiter.class);
	}

	private static ConfigurableApplicationContext start(List<String> properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties(properties.toArray(String[]::new))
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocketMessageBroker
	@Import(Orders.class)
	static class Application implements WebSocketMessageBrokerConfigurer {

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/stomp");
		}

		@Override
		public void configureMessageBroker(MessageBrokerRegistry registry) {
			registry.enableSimpleBroker("/queue");
			registry.setApplicationDestinationPrefixes("/app");
		}

		@Override
		public void configureClientInboundChannel(ChannelRegistration registration) {
			registration.interceptors(new Login());
		}

	}

	/** Authenticates the user whom a CONNECT names. */
	static class Login implements ChannelInterceptor {

		@Override
		public Message<?> preSend(Message<?> message, MessageChannel channel) {
			StompHeaderAccessor headers = MessageHeaderAccessor.getAccessor(message, StompHeaderAccessor.class);
			if (headers != null && headers.getCommand() == StompCommand.CONNECT && headers.getLogin() != null) {
				String name = headers.getLogin();
				headers.setUser((Principal) () -> name);
			}
			return message;
		}

	}

	@Controller
	static class Orders {

		@MessageMapping("/echo")
		@SendToUser(destinations = "/queue/answers", broadcast = false)
		String echo(String text) {
			return text;
		}

		@MessageMapping("/items/{id}")
		@SendToUser(destinations = "/queue/answers", broadcast = false)
		String item(String text) {
			return text;
		}

		@SubscribeMapping("/items/{id}")
		String item() {
			return "item 3";
		}

		@MessageMapping("/orders")
		@RateLimited("orders")
		@SendToUser(destinations = "/queue/answers", broadcast = false)
		String order(String order) {
			return "ordered " + order;
		}

	}

}
