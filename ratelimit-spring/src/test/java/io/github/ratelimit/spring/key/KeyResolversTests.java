package io.github.ratelimit.spring.key;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.CompositeListener;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.Route;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.finding.Findings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyResolversTests {

	private static final Map<String, KeyResolver> BEANS = Map.of("tenant", (context) -> "acme", "nobody",
			(context) -> null);

	private final KeyResolvers resolvers = new KeyResolvers(() -> new ClientIp(List.of(), 64),
			new CallerBeans((name) -> Objects.requireNonNull(BEANS.get(name)), TestResolvers.NO_BEANS.plans(),
					TestResolvers.NO_BEANS.permits()),
			List.of("header:X-Tenant", "claim:tenant"), () -> new CompositeListener(List.of()),
			new Findings(List.of()));

	@ParameterizedTest
	@CsvSource({ "global, global", "client-ip, client-ip:192.0.2.1", "principal, principal:alice",
			"header:X-Api-Key, header:x-api-key:4711", "bean:tenant, bean:tenant:acme", "#user.id, expression:42",
			"#user.name.toUpperCase(), expression:ALICE", "'#user.id + 1', expression:43",
			"route, route:GET /quotes/{id}", "principal + route, principal:alice + route:GET /quotes/{id}",
			"header:X-Api-Key + client-ip, header:x-api-key:4711 + client-ip:192.0.2.1",
			"client-ip + #user.id + '-' + #user.name, client-ip:192.0.2.1 + expression:42-alice" })
	void beginsAKeyWithItsKind(String word, String key) {
		assertThat(resolve(List.of(word), new KnownCaller())).isEqualTo(key);
	}

	@Test
	void countsSeveralValuesOfAClaimAsOneText() {
		Caller caller = new Caller() {

			@Override
			public Object claim(String name) {
				return name.equals("roles") ? List.of("a", "b") : " A ";
			}

		};
		assertThat(resolve(List.of("claim:roles"), caller)).isEqualTo("claim:roles:[a, b]");
		assertThat(resolve(List.of("claim:org"), caller)).isEqualTo("claim:org: A ");
	}

	@Test
	void takesTheFirstKeyThatIsThere() {
		List<String> words = List.of("bean:nobody", "header:X-Other", "principal", "client-ip");
		assertThat(resolve(words, new KnownCaller())).isEqualTo("principal:alice");
	}

	@ParameterizedTest
	@ValueSource(strings = { "client-ip", "principal", "header:X-Api-Key", "bean:nobody", "#user.nothing", "host",
			"route + principal", "client-ip + route" })
	void isNullWhereNoKeyIsThere(String word) {
		assertThat(resolve(List.of(word), Caller.NONE)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "ip", "header", "header:", "bean:", "Client-IP", "user.id" })
	void refusesOtherWords(String word) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.resolvers.check(List.of(word)))
			.withMessageStartingWith(
					"a key is client-ip, principal, tenant, session, host, route, header:NAME, claim:NAME, cookie:NAME, query:NAME, ");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "principal + rout | its part 'rout' is wrong: a key is client-ip",
			"principal + principal | is joined twice; remove one",
			"header:X-A + header:x-a | is joined twice; remove one",
			"principal + | a plus joins two keys, as in principal + route",
			"+ principal | a plus joins two keys, as in principal + route",
			"+ | a plus joins two keys, as in principal + route",
			"principal + + route | a plus joins two keys, as in principal + route",
			"principal + global | is the same for all calls; remove it",
			"principal+route | to join keys, write spaces on both sides of the plus",
			"query:shop+route | to join keys, write spaces on both sides of the plus",
			"header:X-A+header:X-B | to join keys, write spaces on both sides of the plus",
			"principal + bean: | its part 'bean:' is wrong", "principal + #request. | its part '#request.' is wrong" })
	void refusesKeysThatCannotBeJoined(String word, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.resolvers.check(List.of(word)))
			.withMessageContaining(message);
		assertThatIllegalArgumentException().isThrownBy(() -> this.resolvers.firstOf(List.of(word)))
			.withMessageContaining(message);
	}

	@Test
	void refusesToJoinPlans() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.resolvers.checkPlan("claim:org + route"))
			.withMessage("only the key of a policy or an annotation joins others with a plus");
	}

	@ParameterizedTest
	@ValueSource(strings = { "form:email", "client-ip + form:email" })
	void refusesAFieldOfAFormOutsideRules(String word) {
		Policy policy = new Policy("mails", List.of(Limit.parse("5/1m")), List.of(word));
		String message = "'" + word + "' is a key of rules alone; charge a policy with this key in 'ratelimit.rules', "
				+ "and write another key here";
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> new PolicyKeys(new Policies(List.of(policy)), this.resolvers, scope(), "a call").get("mails"))
			.withMessage(message);
		assertThatIllegalArgumentException().isThrownBy(() -> this.resolvers.firstOf(List.of(word)))
			.withMessage(message);
		assertThat(this.resolvers.ofRule(policy, scope(), "a rule").readsForm()).isTrue();
		assertThat(this.resolvers.isOfCaller(policy)).isFalse();
	}

	@Test
	void knowsTheKindsOfJoinedKeys() {
		Policy policy = new Policy("api", List.of(Limit.parse("5/1m")), List.of("principal + route"));
		this.resolvers.requireKind(policy, policy.keys(), "principal:alice + route:GET /");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.resolvers.requireKind(policy, policy.keys(), "principal:alice"))
			.withMessage("a key of policy 'api' is written as principal:... + route:...");
		assertThat(this.resolvers.isListed(List.of("principal:alice"), "principal:alice + route:GET /")).isTrue();
		assertThat(this.resolvers.isListed(List.of("principal:bob"), "principal:alice + route:GET /")).isFalse();
		assertThat(this.resolvers.isOfCaller(policy)).isFalse();
		assertThat(KeyResolvers.needsUser("route + principal")).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "client-ip, client-ip:2001:DB8::1, client-ip:2001:db8:0:0:0:0:0:0/64",
			"host, host:SHOP.example.:8080, host:shop.example", "principal, principal:SHOP., principal:SHOP.",
			"principal, principal:a +b, principal:a +b",
			"host + client-ip, host:SHOP.:80 + client-ip:2001:DB8::1, host:shop + client-ip:2001:db8:0:0:0:0:0:0/64",
			"principal + host, principal:a ++ b + host:SHOP, principal:a ++ b + host:shop",
			"client-ip, principal:a + client-ip:::1, principal:a + client-ip:0:0:0:0:0:0:0:0/64" })
	void isFoundInEverySpelling(String word, String key, String canonical) {
		Policy policy = new Policy("api", List.of(Limit.parse("5/1m")), List.of(word));
		assertThat(this.resolvers.canonical(policy, key)).isEqualTo(canonical);
	}

	@Test
	void refusesAnArgumentThatThereIsNot() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.resolvers.firstOf(List.of("#usr"), scope()))
			.withMessage(
					"there is no argument '#usr' (did you mean '#user'?); there are [#user, #request, #principal]");
	}

	private @Nullable String resolve(List<String> words, Caller caller) {
		CallContext context = new CallContext(caller, Map.of("user", new User(42, "alice")),
				caller.equals(Caller.NONE) ? Route.NONE : (request) -> "GET /quotes/{id}");
		return this.resolvers.firstOf(words, scope()).resolve(context);
	}

	private ExpressionScope scope() {
		return this.resolvers.scope().withArguments(Map.of("user", Object.class));
	}

	record User(int id, String name) {

		public @Nullable String getNothing() {
			return null;
		}

	}

	private static final class KnownCaller implements Caller {

		@Override
		public String remoteAddress() {
			return "192.0.2.1";
		}

		@Override
		public String principal() {
			return "alice";
		}

		@Override
		public List<String> headers(String name) {
			return name.equals("X-Api-Key") ? List.of("4711") : List.of();
		}

	}

}
