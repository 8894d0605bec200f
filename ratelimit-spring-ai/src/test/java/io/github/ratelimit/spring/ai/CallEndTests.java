package io.github.ratelimit.spring.ai;

import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.client.ChatClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of models that have ended.
 */
class CallEndTests {

	private final ChatFixture limits = new ChatFixture().with("tokens", "1000/1h").with("busy", "1 concurrent");

	@Test
	void releasesWhatACallHeld() {
		ChatClient client = ChatFixture.client(StubModel.answering(StubModel.part(30, 70)),
				this.limits.clients().advisors("busy", "tokens"));
		for (int call = 0; call < 2; call++) {
			assertThat(client.prompt("Hello").call().content()).isNotNull();
			assertThat(client.prompt("Hello").stream().content().collectList().block()).isNotEmpty();
			assertThat(this.limits.left("busy")).isOne();
		}
	}

	@Test
	void keepsTheResponseIfTheStoreFailsAfterwards() {
		ChatClient client = ofFailingStore();
		assertThat(client.prompt("Hello").call().content()).isNotNull();
		assertThat(this.limits.left("strict")).isEqualTo(600);
	}

	@Test
	void keepsTheStreamIfTheStoreFailsAfterwards() {
		ChatClient client = ofFailingStore();
		assertThat(client.prompt("Hello").stream().content().collectList().block()).isNotEmpty();
		assertThat(this.limits.left("strict")).isEqualTo(600);
	}

	private ChatClient ofFailingStore() {
		this.limits.policies
			.add(new Policy("strict", List.of(Limit.parse("1000/1h", Algorithm.TOKEN_BUCKET)), List.of(Policy.EVERYONE))
				.withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.DENY, 100)));
		this.limits.store = new TestStore(this.limits.store::execute)
			.fail((request) -> request.operation() == StoreOperation.REFUND);
		return ChatFixture.client(StubModel.answering(StubModel.part(30, 70)),
				this.limits.clients().advisors("busy", "strict"));
	}

}
