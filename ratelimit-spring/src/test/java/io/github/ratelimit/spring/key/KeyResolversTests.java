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
			new CallerBeans((name) -> Objects.requireNonNull(BEANS.get(name)), TestResolvers.NO_BEANS.plans()),
			List.of("header:X-Tenant", "claim:tenant"), () -> new CompositeListener(List.of()),
			new Findings(List.of()));

	@ParameterizedTest
	@CsvSource({ "global, global", "client-ip, client-ip:192.0.2.1", "principal, principal:alice",
			"header:X-Api-Key, header:x-api-key:4711", "bean:tenant, bean:tenant:acme", "#user.id, expression:42",
			"#user.name.toUpperCase(), expression:ALICE", "'#user.id + 1', expression:43" })
	void beginsAKeyWithItsKind(String word, String key) {
		assertThat(resolve(List.of(word), new KnownCaller())).isEqualTo(key);
	}

	@Test
	void takesTheFirstKeyThatIsThere() {
		List<String> words = List.of("bean:nobody", "header:X-Other", "principal", "client-ip");
		assertThat(resolve(words, new KnownCaller())).isEqualTo("principal:alice");
	}

	@ParameterizedTest
	@ValueSource(strings = { "client-ip", "principal", "header:X-Api-Key", "bean:nobody", "#user.nothing" })
	void isNullWhereNoKeyIsThere(String word) {
		assertThat(resolve(List.of(word), Caller.NONE)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "ip", "header", "header:", "bean:", "Client-IP", "user.id" })
	void refusesOtherWords(String word) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.resolvers.check(List.of(word)))
			.withMessageStartingWith(
					"a key is client-ip, principal, tenant, session, host, header:NAME, claim:NAME, cookie:NAME, query:NAME, ");
	}

	@ParameterizedTest
	@CsvSource({ "client-ip, client-ip:2001:DB8::1, client-ip:2001:db8:0:0:0:0:0:0/64",
			"host, host:SHOP.example.:8080, host:shop.example", "principal, principal:SHOP., principal:SHOP." })
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
		CallContext context = new CallContext(caller, Map.of("user", new User(42, "alice")));
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
