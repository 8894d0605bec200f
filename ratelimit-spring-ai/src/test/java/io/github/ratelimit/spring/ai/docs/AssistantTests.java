package io.github.ratelimit.spring.ai.docs;

import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.spring.ai.RateLimitedChatClients;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class AssistantTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.better-calls.limits=1/1h",
				"ratelimit.policies.better-tokens.limits=20000/1d", "ratelimit.policies.cheaper-calls.limits=1/1h",
				"ratelimit.policies.cheaper-tokens.limits=500000/1d");

	@Test
	void asksTheCheaperModelOnceTheBudgetIsSpent() {
		this.application.run((context) -> {
			Assistant assistant = assistant(context);
			assertThat(assistant.answer("Who?")).isEqualTo("better");
			assertThat(assistant.answer("Who?")).isEqualTo("cheaper");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> assistant.answer("Who?"))
				.withMessageContaining("'cheaper-calls'");
		});
	}

	@Test
	void streamsFromTheCheaperModelOnceTheBudgetIsSpent() {
		this.application.run((context) -> {
			Assistant assistant = assistant(context);
			StepVerifier.create(assistant.stream("Who?")).expectNext("better").verifyComplete();
			StepVerifier.create(assistant.stream("Who?")).expectNext("cheaper").verifyComplete();
			StepVerifier.create(assistant.stream("Who?")).verifyError(RateLimitExceededException.class);
		});
	}

	private static Assistant assistant(ApplicationContext context) {
		return new Assistant(new NamedModel("better"), new NamedModel("cheaper"),
				context.getBean(RateLimitedChatClients.class));
	}

	/** A model that answers with its name. */
	private record NamedModel(String name) implements ChatModel {

		@Override
		public ChatResponse call(Prompt prompt) {
			return new ChatResponse(List.of(new Generation(new AssistantMessage(this.name))));
		}

		@Override
		public Flux<ChatResponse> stream(Prompt prompt) {
			return Flux.just(call(prompt));
		}

	}

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
