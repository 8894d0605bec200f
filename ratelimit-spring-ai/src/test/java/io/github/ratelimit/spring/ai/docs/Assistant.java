package io.github.ratelimit.spring.ai.docs;

import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.spring.ai.RateLimitedChatClients;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.model.ChatModel;

/**
 * An assistant that asks a cheaper model once the budget of the better one is spent.
 */
class Assistant {

	private final ChatClient better;

	private final ChatClient cheaper;

	Assistant(ChatModel better, ChatModel cheaper, RateLimitedChatClients clients) {
		this.better = client(better, clients.advisors("better-calls", "better-tokens"));
		this.cheaper = client(cheaper, clients.advisors("cheaper-calls", "cheaper-tokens"));
	}

	@Nullable String answer(String question) {
		try {
			return this.better.prompt(question).call().content();
		}
		catch (RateLimitExceededException ex) {
			return this.cheaper.prompt(question).call().content();
		}
	}

	Flux<String> stream(String question) {
		return this.better.prompt(question)
			.stream()
			.content()
			.onErrorResume(RateLimitExceededException.class, (ex) -> this.cheaper.prompt(question).stream().content());
	}

	private static ChatClient client(ChatModel model, List<Advisor> advisors) {
		return ChatClient.builder(model).defaultAdvisors(advisors).build();
	}

}
