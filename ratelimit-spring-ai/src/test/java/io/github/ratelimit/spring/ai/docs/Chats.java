package io.github.ratelimit.spring.ai.docs;

import io.github.ratelimit.spring.ai.RateLimitedChatClients;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;

/**
 * A client of a language model whose calls are limited.
 */
class Chats {

	ChatClient chat(ChatModel model, RateLimitedChatClients clients) {
		return ChatClient.builder(model).defaultAdvisors(clients.advisors("llm-requests", "llm-tokens")).build();
	}

}
