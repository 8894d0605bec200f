package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * One run of a script, which ends with its answer: sent again only where Redis has said
 * that it did not run, and only while someone waits for it.
 */
final class LettuceScriptRun {

	/**
	 * While a slot moves, its keys are apart for about as long as it takes to move one.
	 */
	private static final Executor SOON = CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);

	private final RedisClusterAsyncCommands<byte[], byte[]> commands;

	private final ScriptCall call;

	private final CompletableFuture<List<Object>> answer;

	LettuceScriptRun(RedisClusterAsyncCommands<byte[], byte[]> commands, ScriptCall call,
			CompletableFuture<List<Object>> answer) {
		this.commands = commands;
		this.call = call;
		this.answer = answer;
	}

	void start() {
		send(this::evalSha);
	}

	private void send(Supplier<CompletionStage<List<Object>>> command) {
		if (this.answer.isDone()) {
			return;
		}
		try {
			command.get().whenComplete(this::received);
		}
		catch (RuntimeException ex) {
			this.answer.completeExceptionally(ex);
		}
	}

	private void received(@Nullable List<Object> reply, @Nullable Throwable failure) {
		if (failure == null) {
			this.answer.complete(reply);
		}
		else if (Failures.isReply(failure, "NOSCRIPT")) {
			send(this::eval);
		}
		else if (Failures.isReply(failure, "TRYAGAIN")) {
			SOON.execute(this::start);
		}
		else {
			this.answer.completeExceptionally(failure);
		}
	}

	private CompletionStage<List<Object>> evalSha() {
		return this.commands.evalsha(this.call.script().sha1(), ScriptOutputType.MULTI, this.call.keyBytes(),
				this.call.argumentBytes());
	}

	private CompletionStage<List<Object>> eval() {
		return this.commands.eval(this.call.script().bytes(), ScriptOutputType.MULTI, this.call.keyBytes(),
				this.call.argumentBytes());
	}

}
