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
		long separated = request.prompt().getInstructions().size() + tools(request.prompt().getOptions()).count();
		return SEPARATORS * separated + texts(request).filter(Objects::nonNull).mapToLong(this.estimator).sum();
	}

	private static Stream<String> texts(ChatClientRequest request) {
		return Stream.of(request.prompt().getInstructions().stream().flatMap(PromptSize::texts),
				tools(request.prompt().getOptions()).flatMap(PromptSize::texts),
				Stream.of(ChatClientAttributes.OUTPUT_FORMAT, ChatClientAttributes.STRUCTURED_OUTPUT_SCHEMA)
					.map((attribute) -> request.context().get(attribute.getKey()))
					.filter(String.class::isInstance)
					.map(String.class::cast))
			.flatMap((texts) -> texts);
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
