package io.github.ratelimit.spring.ai;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.client.ChatClientAttributes;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * An estimate of the tokens of a prompt: those of its messages, of the tools that the
 * model may call, and of the format that the response must have. Media are not counted.
 */
final class PromptSize {

	/**
	 * The largest number of tokens of a text: a token has at least one byte of it.
	 */
	static final ToLongFunction<String> BYTES = (text) -> text.getBytes(StandardCharsets.UTF_8).length;

	/** The usual number of tokens of a text in English: one for four letters. */
	static final ToLongFunction<String> QUARTER = (text) -> (BYTES.applyAsLong(text) + 3) / 4;

	/** Tokens with which a model separates a message or tool from others. */
	private static final long SEPARATORS = 16;

	private final ToLongFunction<String> estimator;

	/**
	 * Creates an estimate.
	 * @param estimator returns the tokens of a text
	 */
	PromptSize(ToLongFunction<String> estimator) {
		this.estimator = estimator;
	}

	/** Returns the estimated tokens of a request's prompt. */
	long of(ChatClientRequest request) {
		return of(request.prompt())
				+ of(Stream.of(ChatClientAttributes.OUTPUT_FORMAT, ChatClientAttributes.STRUCTURED_OUTPUT_SCHEMA)
					.map((attribute) -> request.context().get(attribute.getKey()))
					.filter(String.class::isInstance)
					.map(String.class::cast));
	}

	/** Returns the estimated tokens of a prompt. */
	long of(Prompt prompt) {
		long separated = prompt.getInstructions().size() + tools(prompt.getOptions()).count();
		return SEPARATORS * separated + of(Stream.concat(prompt.getInstructions().stream().flatMap(PromptSize::texts),
				tools(prompt.getOptions()).flatMap(PromptSize::texts)));
	}

	/** Returns the estimated tokens of texts. */
	long of(Stream<String> texts) {
		return texts.filter(Objects::nonNull).mapToLong(this.estimator).sum();
	}

	private static Stream<String> texts(Message message) {
		return Stream.concat(Stream.ofNullable(message.getText()), calls(message));
	}

	private static Stream<String> calls(Message message) {
		if (message instanceof AssistantMessage assistant) {
			return assistant.getToolCalls().stream().flatMap((call) -> Stream.of(call.name(), call.arguments()));
		}
		if (message instanceof ToolResponseMessage tool) {
			return tool.getResponses()
				.stream()
				.flatMap((response) -> Stream.of(response.name(), response.responseData()));
		}
		return Stream.empty();
	}

	private static Stream<String> texts(ToolDefinition tool) {
		return Stream.of(tool.name(), tool.description(), tool.inputSchema());
	}

	private static Stream<ToolDefinition> tools(@Nullable ChatOptions options) {
		List<ToolCallback> tools = (options instanceof ToolCallingChatOptions calling) ? calling.getToolCallbacks()
				: null;
		return (tools != null) ? tools.stream().map(ToolCallback::getToolDefinition) : Stream.empty();
	}

}
