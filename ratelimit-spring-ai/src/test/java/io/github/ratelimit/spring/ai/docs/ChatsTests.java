package io.github.ratelimit.spring.ai.docs;

import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.spring.ai.RateLimitedChatClients;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ChatsTests {

	private static final ChatModel MODEL = (prompt) -> new ChatResponse(
			List.of(new Generation(new AssistantMessage("noon"))));

	@Test
	void limitsTheClientOfTheExample() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.llm-requests.limits=1/1m",
					"ratelimit.policies.llm-tokens.limits=100000/1m")
			.run((context) -> {
				ChatClient chat = new Chats().chat(MODEL, context.getBean(RateLimitedChatClients.class));
				assertThat(chat.prompt("What time is it?").call().content()).isEqualTo("noon");
				assertThatExceptionOfType(RateLimitExceededException.class)
					.isThrownBy(() -> chat.prompt("What time is it?").call().content())
					.withMessageContaining("'llm-requests'");
			});
	}

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
