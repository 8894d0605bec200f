package io.github.ratelimit.spring.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.DoubleStream;

import org.jspecify.annotations.Nullable;

/** Answers when it is told to, in the order in which it was asked. */
final class ToldRedis implements ScriptRunner {

	private final List<ScriptCall> asked = new ArrayList<>();

	private final List<Run<?>> runs = new ArrayList<>();

	private final boolean clustered;

	private @Nullable RuntimeException refusal;

	private long now;

	ToldRedis(boolean clustered) {
		this.clustered = clustered;
	}

	@Override
	public <T> T run(ScriptCall call, ReplyReader<T> reader) {
		throw new UnsupportedOperationException();
	}

	@Override
	public <T> CompletableFuture<T> runAsync(ScriptCall call, ReplyReader<T> reader) {
		if (this.refusal != null) {
			throw this.refusal;
		}
		this.asked.add(call);
		Run<T> run = new Run<>(call, reader, new CompletableFuture<>());
		this.runs.add(run);
		return run.answer;
	}

	@Override
	public long now() {
		return this.now;
	}

	@Override
	public void connect() {
	}

	@Override
	public boolean isClustered() {
		return this.clustered;
	}

	/** What it throws instead of being asked, if anything. */
	void refuse(@Nullable RuntimeException refusal) {
		this.refusal = refusal;
	}

	/** Sets the time. */
	void at(long now) {
		this.now = now;
	}

	/** How many calls each run was to decide on. */
	List<Integer> asked() {
		return this.asked.stream().map(ScriptCall::calls).toList();
	}

	/** The same of the runs that are still to be answered. */
	List<Integer> open() {
		return this.runs.stream().map((run) -> run.call.calls()).toList();
	}

	/** What it was asked last. */
	ScriptCall last() {
		return this.asked.get(this.asked.size() - 1);
	}

	void answer(double... numbers) {
		ByteBuffer reply = ByteBuffer.allocate(numbers.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		DoubleStream.of(numbers).forEach(reply::putDouble);
		this.runs.remove(0).answer(reply.array());
	}

	void fail(RuntimeException failure) {
		this.runs.remove(0).fail(failure);
	}

	void failLast(RuntimeException failure) {
		this.runs.remove(this.runs.size() - 1).fail(failure);
	}

	private record Run<T>(ScriptCall call, ReplyReader<T> reader, CompletableFuture<T> answer) {

		void answer(byte[] reply) {
			try {
				this.answer.complete(this.reader.read(reply));
			}
			catch (RuntimeException ex) {
				this.answer.completeExceptionally(ex);
			}
		}

		void fail(RuntimeException failure) {
			this.answer.completeExceptionally(this.reader.failed(failure));
		}

	}

}
