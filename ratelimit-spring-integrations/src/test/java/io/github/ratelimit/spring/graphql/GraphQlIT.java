package io.github.ratelimit.spring.graphql;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.LastReload;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.test.StepVerifier;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.graphql.ResponseError;
import org.springframework.graphql.client.ClientGraphQlResponse;
import org.springframework.graphql.client.GraphQlClient;
import org.springframework.graphql.client.HttpGraphQlClient;
import org.springframework.graphql.client.WebSocketGraphQlClient;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.socket.client.ReactorNettyWebSocketClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Operations and fields of GraphQL that are limited, on Tomcat and Netty, over HTTP and
 * WebSockets.
 */
@Tag("long")
class GraphQlIT {

	private static final List<String> PROPERTIES = List.of("server.port=0", "ratelimit.store=memory",
			"ratelimit.reload-interval=100ms", "spring.graphql.schema.locations=classpath:schema/",
			"spring.graphql.websocket.path=/graphql-ws", "ratelimit.graphql.policies=operations,busy,fields",
			"ratelimit.graphql.cost=#operation.complexity", "ratelimit.policies.operations.limits=20/1d fixed-window",
			"ratelimit.policies.operations.key=client-ip", "ratelimit.policies.fields.limits=1000/1d fixed-window",
			"ratelimit.policies.fields.key=client-ip + route", "ratelimit.policies.fields.on-missing-key=skip",
			"ratelimit.policies.busy.limits=20 concurrent", "ratelimit.policies.search.limits=2/1d fixed-window",
			"ratelimit.policies.search.key=header:X-Api-Key", "ratelimit.policies.later.limits=2/1d fixed-window",
			"ratelimit.policies.later.key=header:X-Api-Key", "ratelimit.policies.idle.limits=1/1d");

	private static final Map<WebApplicationType, ConfigurableApplicationContext> CONTEXTS = Map.of(
			WebApplicationType.SERVLET, start(WebApplicationType.SERVLET, PROPERTIES), WebApplicationType.REACTIVE,
			start(WebApplicationType.REACTIVE, PROPERTIES));

	@BeforeEach
	void reset() {
		CONTEXTS.values().forEach((context) -> {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			limiter.reset("operations", "client-ip:127.0.0.1");
			limiter.reset("fields", "client-ip:127.0.0.1 + route:Query.products");
			limiter.reset("fields", "client-ip:127.0.0.1 + route:Query.__schema");
			limiter.reset("search", "header:x-api-key:alice");
			limiter.reset("later", "header:x-api-key:alice");
		});
	}

	@AfterAll
	static void stop() {
		CONTEXTS.values().forEach(ConfigurableApplicationContext::close);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "SERVLET | { products { name } } | 2", "SERVLET | { products { name price } } | 3",
					"REACTIVE | { a: products { name } b: products { ...p } } fragment p on Product { name price } | 5",
					"SERVLET | query($x: Boolean = true) { products { name @include(if: $x) price } } | 3",
					"SERVLET | { a: products { ...p } b: products { ...p } } fragment p on Product { name price } | 6",
					"REACTIVE | { __typename } | 1", "SERVLET | { a: __typename b: __typename } | 1",
					"SERVLET | query($x: Boolean = true) { products @skip(if: $x) { name } } | 1",
					"REACTIVE | { __schema { queryType { name } } } | 3", "SERVLET | { nothing } | 1",
					"REACTIVE | { products { | 1" })
	void chargesTheComplexityOfAnOperation(WebApplicationType server, String document, long cost) {
		execute(http(server), document);
		assertThat(remaining(server, "operations", "client-ip:127.0.0.1")).isEqualTo(20 - cost);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void countsEachFieldOfTheRoot(WebApplicationType server) {
		String document = "query named { a: products { name } b: products { name } ...f ... on Query { __typename } } "
				+ "fragment f on Query { __schema { queryType { name } } }";
		execute(http(server), document);
		String caller = "client-ip:127.0.0.1 + ";
		assertThat(remaining(server, "fields", caller + "route:Query.products")).isEqualTo(1000 - 7);
		assertThat(remaining(server, "fields", caller + "route:Query.__schema")).isEqualTo(1000 - 7);
		execute(http(server), "{ __typename }");
		execute(http(server), "{ nothing }");
		execute(http(server), "{ ...nothing }");
		assertThat(remaining(server, "fields", "missing")).isEqualTo(1000);
		execute(http(server), "{ products { name } }");
		assertThat(remaining(server, "fields", caller + "route:Query.products")).isEqualTo(1000 - 9);
		assertThat(remaining(server, "fields", caller + "route:Query.__schema")).isEqualTo(1000 - 7);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void deniesAnOperationWithoutFieldsToACallerWhoHasNothingLeft(WebApplicationType server) {
		limiter(server).acquire(new Charge("operations", "client-ip:127.0.0.1", 20));
		assertThat(execute(http(server), "{ __typename }").getErrors()).singleElement()
			.satisfies((error) -> isDenial(error, "operations"));
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, 8", "REACTIVE, 8", "SERVLET, 24", "REACTIVE, 24" })
	void refusesAnOperationWhoseFragmentsSelectTooManyFields(WebApplicationType server, int levels) {
		StringBuilder document = new StringBuilder("{ products { ...f0 } }");
		for (int level = 0; level < levels; level++) {
			document.append(" fragment f%d on Product { a: similar { ...f%2$d } b: similar { ...f%2$d } }"
				.formatted(level, level + 1));
		}
		document.append(" fragment f%d on Product { name }".formatted(levels));
		assertThat(execute(http(server), document.toString()).getErrors()).singleElement()
			.satisfies((error) -> assertThat(error.getExtensions()).containsEntry("classification", "BAD_REQUEST"));
		assertThat(remaining(server, "operations", "client-ip:127.0.0.1")).isEqualTo(20);
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, 60", "REACTIVE, 60", "SERVLET, 1000", "REACTIVE, 1000" })
	void refusesFragmentsThatDoubleEachOtherAtOnce(WebApplicationType server, int levels) {
		StringBuilder document = new StringBuilder("{ ...f0 }");
		for (int level = 0; level < levels; level++) {
			document.append(" fragment f%d on Query { ...f%2$d ...f%2$d }".formatted(level, level + 1));
		}
		document.append(" fragment f%d on Query { __typename }".formatted(levels));
		Instant start = Instant.now();
		assertThat(execute(http(server), document.toString()).getErrors()).singleElement()
			.satisfies((error) -> assertThat(error.getExtensions()).containsEntry("classification", "BAD_REQUEST")
				.containsEntry("violatedPolicies", List.of("operations")));
		assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(5));
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void chargesAFragmentThatSpreadsItselfAsInvalid(WebApplicationType server) {
		String document = "{ products { name ...f } } fragment f on Product { price similar { ...f } }";
		assertThat(execute(http(server), document).getErrors()).isNotEmpty();
		assertThat(remaining(server, "operations", "client-ip:127.0.0.1")).isEqualTo(20 - 1);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void deniesAThousandNestedFragmentsAtOnce(WebApplicationType server) {
		limiter(server).acquire(new Charge("operations", "client-ip:127.0.0.1", 20));
		StringBuilder document = new StringBuilder("{ ...f0 }");
		for (int level = 0; level < 1000; level++) {
			document.append(" fragment f%d on Query { caller ...f%d }".formatted(level, level + 1));
		}
		document.append(" fragment f1000 on Query { caller }");
		Instant start = Instant.now();
		assertThat(execute(http(server), document.toString()).getErrors()).singleElement()
			.satisfies((error) -> isDenial(error, "operations"));
		assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(5));
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void takesPoliciesThatThePropertyNamesForUsed(WebApplicationType server) {
		assertThat(context(server).getBean(Findings.class).all())
			.filteredOn((finding) -> finding.kind() == Finding.Kind.UNUSED_POLICY)
			.extracting(Finding::subject)
			.containsExactly("idle");
		assertThat(
				context(server).getBean("io.github.ratelimit.graphQlPolicies", PolicyUse.class).byPolicy().get("busy"))
			.isEqualTo(List.of("ratelimit.graphql.policies"));
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void chargesThePoliciesAndTheCostOfAReload(WebApplicationType server) {
		reload(server, "operations", "7");
		Awaitility.await().untilAsserted(() -> assertThat(charged(server)).containsExactly("operations"));
		execute(http(server), "{ products { name } }");
		assertThat(remaining(server, "operations", "client-ip:127.0.0.1")).isEqualTo(20 - 7);
		assertThat(remaining(server, "fields", "client-ip:127.0.0.1 + route:Query.products")).isEqualTo(1000);
		reload(server, "operations,busy,fields", "#operation.");
		Awaitility.await()
			.untilAsserted(() -> assertThat(context(server).getBean(LastReload.class).get()).extracting("problem")
				.asString()
				.contains("'ratelimit.graphql.cost' has the value '#operation.'"));
		assertThat(charged(server)).containsExactly("operations");
		reload(server, "operations,busy,fields", "#operation.complexity");
		Awaitility.await().untilAsserted(() -> assertThat(charged(server)).hasSize(3));
		assertThat(context(server).getBean(LastReload.class).get()).extracting("needRestart").isEqualTo(List.of());
		execute(http(server), "{ products { name } }");
		assertThat(remaining(server, "operations", "client-ip:127.0.0.1")).isEqualTo(20 - 7 - 2);
	}

	private static void reload(WebApplicationType server, String policies, String cost) {
		TestPropertyValues.of("ratelimit.graphql.policies=" + policies, "ratelimit.graphql.cost=" + cost)
			.applyTo(context(server));
	}

	private static Set<String> charged(WebApplicationType server) {
		return context(server).getBean("io.github.ratelimit.graphQlPolicies", PolicyUse.class).byPolicy().keySet();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void answersADeniedOperationWithAnError(WebApplicationType server) {
		limiter(server).acquire(new Charge("operations", "client-ip:127.0.0.1", 19));
		ClientGraphQlResponse response = execute(http(server), "{ products { name } }");
		assertThat(response.isValid()).isFalse();
		assertThat(response.getErrors()).singleElement().satisfies((error) -> isDenial(error, "operations"));
		assertThat(remaining(server, "operations", "client-ip:127.0.0.1")).isOne();
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, search, '{ products { name } search(text: \"x\") { name } }'",
			"REACTIVE, search, '{ products { name } search(text: \"x\") { name } }'", "SERVLET, later, { later }",
			"REACTIVE, later, { later }" })
	void answersADeniedFieldWithAnError(WebApplicationType server, String policy, String document) {
		GraphQlClient client = http(server);
		assertThat(execute(client, document).getErrors()).isEmpty();
		assertThat(execute(client, document).getErrors()).isEmpty();
		ClientGraphQlResponse denied = execute(client, document);
		assertThat(denied.getErrors()).singleElement().satisfies((error) -> {
			isDenial(error, policy);
			assertThat(error.getPath()).isEqualTo(policy);
		});
		assertThat(denied.<Object>getData()).isNotNull();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void findsTheCallerOverHttpAndWebSockets(WebApplicationType server) {
		assertThat(execute(http(server), "{ caller }").field("caller").toEntity(String.class))
			.isEqualTo("127.0.0.1 alice at 127.0.0.1");
		WebSocketGraphQlClient socket = socket(server);
		assertThat(execute(socket, "{ caller }").field("caller").toEntity(String.class))
			.isEqualTo("127.0.0.1 alice at 127.0.0.1");
		execute(socket, "{ search(text: \"x\") { name } later }");
		assertThat(remaining(server, "search", "header:x-api-key:alice")).isOne();
		assertThat(remaining(server, "later", "header:x-api-key:alice")).isOne();
		socket.stop().block();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void holdsAPermitUntilASubscriptionEnds(WebApplicationType server) {
		WebSocketGraphQlClient socket = socket(server);
		StepVerifier
			.create(socket.document("subscription { prices }").retrieveSubscription("prices").toEntity(Integer.class))
			.expectNext(1, 2)
			.then(() -> assertThat(remaining(server, "busy", "global")).isEqualTo(19))
			.thenCancel()
			.verify(Duration.ofSeconds(20));
		Awaitility.await().untilAsserted(() -> assertThat(remaining(server, "busy", "global")).isEqualTo(20));
		execute(socket, "{ products { name } }");
		Awaitility.await().untilAsserted(() -> assertThat(remaining(server, "busy", "global")).isEqualTo(20));
		socket.stop().block();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void holdsNoPermitForASubscriptionThatNobodySubscribesTo(WebApplicationType server) {
		WebClient.create("http://127.0.0.1:" + port(server) + "/graphql")
			.post()
			.contentType(MediaType.APPLICATION_JSON)
			.accept(MediaType.APPLICATION_JSON)
			.bodyValue(Map.of("query", "subscription { prices }"))
			.exchangeToMono(ClientResponse::releaseBody)
			.block(Duration.ofSeconds(20));
		Awaitility.await().untilAsserted(() -> assertThat(remaining(server, "busy", "global")).isEqualTo(20));
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.graphql.policies=nothing, ratelimit.graphql.policies",
			"ratelimit.policies.operations.key=form:id, is a key of rules alone",
			"ratelimit.graphql.cost=#operation., ratelimit.graphql.cost",
			"ratelimit.graphql.cost=#query, ratelimit.graphql.cost",
			"ratelimit.graphql.polices=x, ratelimit.graphql.polices" })
	void refusesToStart(String property, String named) {
		List<String> properties = new ArrayList<>(PROPERTIES);
		properties.add(property);
		assertThatThrownBy(() -> start(WebApplicationType.SERVLET, properties))
			.satisfies((failure) -> assertThat(Stream.iterate(failure, Objects::nonNull, Throwable::getCause))
				.anySatisfy((cause) -> assertThat(cause).isInstanceOf(InvalidRateLimitConfigurationException.class)
					.hasMessageContaining(named)));
	}

	private static void isDenial(ResponseError error, String policy) {
		assertThat(error.getMessage()).isEqualTo("Quota exceeded");
		assertThat(error.getExtensions()).containsEntry("classification", "RATE_LIMITED")
			.containsEntry("violatedPolicies", List.of(policy));
		assertThat(error.getExtensions().get("retryAfter")).isInstanceOfSatisfying(Integer.class,
				(seconds) -> assertThat(seconds).isBetween(1, 86_400));
	}

	private static ClientGraphQlResponse execute(GraphQlClient client, String document) {
		return Objects.requireNonNull(client.document(document).execute().block(Duration.ofSeconds(20)));
	}

	private static HttpGraphQlClient http(WebApplicationType server) {
		return HttpGraphQlClient.builder(WebClient.create("http://127.0.0.1:" + port(server) + "/graphql"))
			.header("X-Api-Key", "alice")
			.build();
	}

	private static WebSocketGraphQlClient socket(WebApplicationType server) {
		return WebSocketGraphQlClient
			.builder(URI.create("ws://127.0.0.1:" + port(server) + "/graphql-ws"), new ReactorNettyWebSocketClient())
			.header("X-Api-Key", "alice")
			.build();
	}

	private static String port(WebApplicationType server) {
		return String.valueOf(context(server).getEnvironment().getProperty("local.server.port"));
	}

	private static long remaining(WebApplicationType server, String policy, String key) {
		return limiter(server).peek(List.of(new Charge(policy, key, 0))).limits().get(0).remaining();
	}

	private static RateLimiter limiter(WebApplicationType server) {
		return context(server).getBean(RateLimiter.class);
	}

	private static ConfigurableApplicationContext context(WebApplicationType server) {
		return Objects.requireNonNull(CONTEXTS.get(server));
	}

	private static ConfigurableApplicationContext start(WebApplicationType server, List<String> properties) {
		return new SpringApplicationBuilder(Application.class).web(server)
			.properties(properties.toArray(String[]::new))
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Shop.class)
	static class Application {

	}

}
