package io.github.ratelimit.spring.redis.script;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class CountKeysTests {

	private static final String HASH = "[A-Za-z0-9_-]{22}";

	private final ScriptCodec codec = new ScriptCodec("app:1", ServerClock.like(() -> 0));

	@Test
	void putsTheHashOfACallerAloneIntoTheTag() {
		assertThat(key("quotes", "principal:alice")).matches("app:1:1:quotes:\\{" + HASH + "}:1m");
		assertThat(key("1", "principal:alice").replace(":1:1:1:", ":1:1:quotes:"))
			.isEqualTo(key("quotes", "principal:alice"));
	}

	@Test
	void putsThePolicyForEveryoneIntoTheTag() {
		assertThat(key("quotes", "global")).matches("app:1:1:\\{quotes:" + HASH + "}:1m");
	}

	@ParameterizedTest
	@CsvSource({ "quotes,principal:alice", "quotes,global", "1,principal:alice", "1,global",
			"aaaaaaaaaaaaaaaaaaaaaa,global", "aaaaaaaaaaaaaaaaaaaaaa,x" })
	void findsThePolicyOfAKey(String policy, String key) {
		assertThat(CountKeys.policy(key(policy, key).getBytes(StandardCharsets.US_ASCII))).isEqualTo(policy);
	}

	@ParameterizedTest
	@CsvSource({ "a,x,b,x,true", "a,x,a,y,false", "a,global,a,global,true", "a,global,b,global,false",
			"a,x,b,global,false" })
	void knowsWhatIsInOneSlot(String policy, String key, String otherPolicy, String otherKey, boolean isInOneSlot) {
		PermitRequest one = permit(policy, key);
		PermitRequest other = permit(otherPolicy, otherKey);
		assertThat(CountKeys.isInOneSlot(new StoreRequest(StoreOperation.ACQUIRE, List.of(one, other))))
			.isEqualTo(isInOneSlot);
		assertThat(CountKeys.slot(one).equals(CountKeys.slot(other))).isEqualTo(isInOneSlot);
	}

	@ParameterizedTest
	@CsvSource({ "quotes,principal:alice,0", "quotes,global,0", "quotes,principal:alice,2", "quotes,global,101" })
	void makesTheSameKeyOfAHash(String policy, String key, int position) {
		CountKeys keys = new CountKeys("app:1");
		Limit limit = Limit.parse("1/1m", Algorithm.TOKEN_BUCKET);
		PolicyLimit applied = new PolicyLimit("other", policy, position, limit, 0);
		assertThat(keys.keyOfHash(new PermitRequest(applied, keys.hash(key), 1, 0)))
			.isEqualTo(keys.key(new PermitRequest(applied, key, 1, 0)));
	}

	private String key(String policy, String key) {
		StoreRequest request = StoreRequest.of(StoreOperation.PEEK, permit(policy, key));
		return new String(this.codec.encode(request).keys()[0], StandardCharsets.US_ASCII);
	}

	private static PermitRequest permit(String policy, String key) {
		return new PermitRequest(new PolicyLimit(policy, policy, 0, Limit.parse("1/1m", Algorithm.TOKEN_BUCKET), 0),
				key, 1, 0);
	}

}
