package io.github.ratelimit.jdbc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.ReplyHandler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunsTests {

	private final Deque<Runnable> started = new ArrayDeque<>();

	private final List<List<PendingDecision>> batches = new ArrayList<>();

	/** The counts that another session has locked, until a run waits for them. */
	private final List<String> locked = new ArrayList<>();

	private final Runs runs = new Runs(1, this.started::add, this::run);

	private List<PendingDecision> run(List<PendingDecision> batch) {
		this.batches.add(batch);
		if (batch.get(0).isAwaiting()) {
			return List.of();
		}
		List<PendingDecision> left = new ArrayList<>();
		for (PendingDecision request : batch) {
			List<String> awaited = request.keys().stream().filter(this.locked::contains).toList();
			if (!awaited.isEmpty()) {
				request.await(awaited);
				left.add(request);
			}
		}
		return left;
	}

	private List<PendingDecision> add(int count, String... keys) {
		return IntStream.range(0, count).mapToObj((i) -> {
			PendingDecision request = new PendingDecision(new StoreRequest(StoreOperation.PEEK, List.of()),
					List.of(keys), new AsItIs());
			this.runs.add(request);
			return request;
		}).toList();
	}

	private void runAll() {
		for (Runnable run = this.started.poll(); run != null; run = this.started.poll()) {
			run.run();
		}
	}

	@Test
	void allRequestsForTheSameCountsShareARun() {
		add(1, "a", "b");
		List<PendingDecision> others = add(1_000, "b", "a");
		runAll();
		assertThat(this.batches).hasSize(2).last().isEqualTo(others);
	}

	@Test
	void aRunHasAFewRequestsForDifferentCounts() {
		add(1, "a");
		IntStream.range(0, 100).forEach((i) -> add(1, "count-" + i));
		runAll();
		assertThat(this.batches).extracting(List::size).containsExactly(1, 64, 36);
	}

	@Test
	void requestsThatAwaitTheSameCountShareARunWithNoOthers() {
		this.locked.add("all");
		add(1, "first");
		List<PendingDecision> awaiting = IntStream.range(0, 10)
			.mapToObj((i) -> add(1, "all", "caller-" + i).get(0))
			.toList();
		add(1, "other");
		runAll();
		assertThat(this.batches).extracting(List::size).containsExactly(1, 11, 10);
		assertThat(this.batches).last().isEqualTo(awaiting);
	}

	@Test
	void requestsThatAwaitOtherCountsDoNotWaitForOneAnother() {
		this.locked.addAll(List.of("a", "b"));
		add(1, "first");
		List<PendingDecision> all = List.of(add(1, "a").get(0), add(1, "b").get(0));
		runAll();
		assertThat(this.batches.subList(1, 4)).containsExactly(all, all.subList(0, 1), all.subList(1, 2));
	}

	/** A handler of outcomes, of which these tests have none. */
	private static final class AsItIs implements ReplyHandler<Decision, Decision> {

		@Override
		public Decision onReply(Decision reply) {
			return reply;
		}

		@Override
		public RuntimeException onFailure(Throwable failure) {
			return new IllegalStateException(failure);
		}

	}

}
