package io.github.ratelimit.spring.ai.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Runs the lines for a language model among which the documentation lets a reader choose.
 */
class ChoiceTests {

	@Test
	void limitsCallsAndTokens() throws IOException {
		PropertySource<?> shown = shown();
		application(100, shown).run((context) -> {
			for (int call = 0; call < 60; call++) {
				assertThat(ask(context.getBean(ChatClient.Builder.class))).isEqualTo("noon");
			}
			assertThatDenies("llm-requests", context.getBean(ChatClient.Builder.class));
		});
		application(50_000, shown).run((context) -> {
			assertThat(ask(context.getBean(ChatClient.Builder.class))).isEqualTo("noon");
			assertThat(ask(context.getBean(ChatClient.Builder.class))).isEqualTo("noon");
			assertThatDenies("llm-tokens", context.getBean(ChatClient.Builder.class));
		});
	}

	private static void assertThatDenies(String policy, ChatClient.Builder client) {
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> ask(client))
			.withMessageContaining("'" + policy + "'");
	}

	private static @Nullable String ask(ChatClient.Builder client) {
		return client.build().prompt("What time is it?").call().content();
	}

	private static ApplicationContextRunner application(int tokens, PropertySource<?> shown) {
		ChatModel model = (prompt) -> new ChatResponse(List.of(new Generation(new AssistantMessage("noon"))),
				ChatResponseMetadata.builder().usage(new DefaultUsage(0, tokens)).build());
		return new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withBean(ChatModel.class, () -> model)
			.withPropertyValues("ratelimit.store=memory")
			.withInitializer((context) -> context.getEnvironment().getPropertySources().addLast(shown));
	}

	private static PropertySource<?> shown() throws IOException {
		String page = Files.readString(
				Path.of(System.getProperty("maven.multiModuleProjectDirectory", "..")).resolve("docs/choose.md"));
		String yaml = page.split("## A language model\n", 2)[1].split("```yaml\n", 2)[1].split("```", 2)[0];
		// No permit comes back while the test runs.
		byte[] slow = yaml.replace("/1m", "/1d").getBytes(StandardCharsets.UTF_8);
		return new YamlPropertySourceLoader().load("page", new ByteArrayResource(slow)).get(0);
	}

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
