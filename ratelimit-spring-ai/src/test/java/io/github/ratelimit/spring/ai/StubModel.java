package io.github.ratelimit.spring.ai;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;

/** A model whose answers a test decides. It counts its calls. */
final class StubModel implements ChatModel {

	private final List<Prompt> prompts = Collections.synchronizedList(new ArrayList<>());

	private final Function<Prompt, Flux<ChatResponse>> answers;

	private ChatOptions options = ChatOptions.builder().model("small").build();

	private StubModel(Function<Prompt, Flux<ChatResponse>> answers) {
		this.answers = answers;
	}

	/** Answers every call with the same parts. */
	static StubModel answering(ChatResponse... parts) {
		return answering((prompt) -> Flux.fromIterable(Arrays.asList(parts)));
	}

	static StubModel answering(Function<Prompt, Flux<ChatResponse>> answers) {
		return new StubModel(answers);
	}

	StubModel with(ChatOptions options) {
		this.options = options;
		return this;
	}

	/** A part of an answer that uses tokens. */
	static ChatResponse part(int prompt, int completion) {
		return response(AssistantMessage.builder().content("word ").build(), new DefaultUsage(prompt, completion));
	}

	/** A part of an answer that uses more tokens than its prompt and completion have. */
	static ChatResponse part(int prompt, int completion, int total) {
		return response(AssistantMessage.builder().content("word ").build(),
				new DefaultUsage(prompt, completion, total));
	}

	/** A part of an answer without usage. */
	static ChatResponse part() {
		return response(AssistantMessage.builder().content("word ").build(), null);
	}

	/** An answer that calls a tool and uses tokens. */
	static ChatResponse toolCall(String tool, int prompt, int completion) {
		AssistantMessage call = AssistantMessage.builder()
			.content("")
			.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", tool, "{}")))
			.build();
		return response(call, new DefaultUsage(prompt, completion));
	}

	private static ChatResponse response(AssistantMessage message, @Nullable Usage usage) {
		ChatResponseMetadata.Builder metadata = ChatResponseMetadata.builder();
		if (usage != null) {
			metadata.usage(usage);
		}
		return new ChatResponse(List.of(new Generation(message)), metadata.build());
	}

	int calls() {
		return this.prompts.size();
	}

	@Override
	public ChatOptions getOptions() {
		return this.options;
	}

	@Override
	public ChatResponse call(Prompt prompt) {
		this.prompts.add(prompt);
		ChatResponse last = this.answers.apply(prompt).blockLast();
		if (last == null) {
			throw new IllegalStateException("no answer");
		}
		return last;
	}

	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.defer(() -> {
			this.prompts.add(prompt);
			return this.answers.apply(prompt);
		});
	}

}
