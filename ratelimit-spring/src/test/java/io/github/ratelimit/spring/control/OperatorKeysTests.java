package io.github.ratelimit.spring.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.KnownKeys;
import io.github.ratelimit.spring.key.TestResolvers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OperatorKeysTests {

	private static final Policy POLICY = new Policy("api", List.of(Limit.parse("5/1m")), List.of("client-ip"));

	private static final String ALICE = "principal:alice";

	private final List<KnownKeys> known = new ArrayList<>();

	private final OperatorKeys keys = new OperatorKeys(TestResolvers.create(), this.known::stream);

	@Test
	void areOfTheKindsByWhichRulesAndAnnotationsChargeThePolicy() {
		this.known.add(charging("client-ip"));
		this.known.add(charging("header:X-Api-Key"));
		assertThat(this.keys.of(POLICY, "client-ip:192.0.2.1")).isEqualTo("client-ip:192.0.2.1");
		assertThat(this.keys.of(POLICY, "header:x-api-key:4711")).isEqualTo("header:x-api-key:4711");
		assertThatIllegalArgumentException().isThrownBy(() -> this.keys.of(POLICY, ALICE))
			.withMessage("a key of policy 'api' is written as client-ip:... or header:x-api-key:...");
	}

	@ParameterizedTest
	@ValueSource(strings = { "expression:42", "bean:tenant:acme", "missing" })
	void mayBeOfAKindThatWordsDoNotTell(String key) {
		this.known.add(charging("client-ip"));
		assertThat(this.keys.of(POLICY, key)).isEqualTo(key);
	}

	@Test
	void mayBeOfAnyKindIfCodeAloneChargesThePolicy() {
		assertThat(this.keys.of(POLICY, ALICE)).isEqualTo(ALICE);
		assertThatIllegalArgumentException().isThrownBy(() -> this.keys.of(POLICY, "alice"));
	}

	@Test
	void mayBeOfAnyKindIfACallHadTheKey() {
		this.known.add(charging("client-ip"));
		this.known.add(seeing(ALICE));
		assertThat(this.keys.of(POLICY, ALICE)).isEqualTo(ALICE);
	}

	@Test
	void mayBeDigestsOfKeysThatCallsHad() {
		this.known.add(charging("client-ip"));
		this.known.add(seeing("a key of code"));
		assertThat(this.keys.of(POLICY, KeyDigest.inPlaceOf("a key of code"))).isEqualTo("a key of code");
		assertThatIllegalArgumentException().isThrownBy(() -> this.keys.of(POLICY, KeyDigest.inPlaceOf(ALICE)))
			.withMessageContaining("knows no key of this digest");
	}

	private static KnownKeys charging(String word) {
		return new KnownKeys() {

			@Override
			public Stream<String> words(String policy) {
				return policy.equals(POLICY.name()) ? Stream.of(word) : Stream.empty();
			}

		};
	}

	private static KnownKeys seeing(String key) {
		return new KnownKeys() {

			@Override
			public Optional<String> find(String policy, String text) {
				return KeyDigest.inPlaceOf(key).equals(KeyDigest.inPlaceOf(text)) ? Optional.of(key) : Optional.empty();
			}

		};
	}

}
