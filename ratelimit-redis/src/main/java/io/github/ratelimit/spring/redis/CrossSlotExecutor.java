package io.github.ratelimit.spring.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.spring.redis.script.CountKeys;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * The executor of requests whose counts are in several slots of a cluster. No script can
 * touch two slots, so each slot has a run of its own, in the same order for all requests.
 * If a slot denies or fails, the slots before it are refunded. A refund, or whatever else
 * no slot can deny, reaches all slots that do not fail.
 */
final class CrossSlotExecutor {

	private final Function<StoreRequest, CompletionStage<Decision>> inOneSlot;

	CrossSlotExecutor(Function<StoreRequest, CompletionStage<Decision>> inOneSlot) {
		this.inOneSlot = inOneSlot;
	}

	CompletionStage<Decision> execute(StoreRequest request) {
		Progress progress = new Progress();
		CompletionStage<Void> done = CompletableFuture.completedFuture(null);
		for (StoreRequest slot : slots(request)) {
			done = done.thenCompose((before) -> next(slot, progress));
		}
		return done.thenCompose((all) -> progress.decision(request));
	}

	private static List<StoreRequest> slots(StoreRequest request) {
		Map<String, List<PermitRequest>> slots = new TreeMap<>();
		for (PermitRequest permit : request.permits()) {
			slots.computeIfAbsent(CountKeys.slot(permit), (missing) -> new ArrayList<>()).add(permit);
		}
		Collection<List<PermitRequest>> permits = slots.values();
		return permits.stream().map((slot) -> new StoreRequest(request.operation(), slot)).toList();
	}

	/** Executes the next slot; after a denial, only peeks. */
	private CompletionStage<Void> next(StoreRequest slot, Progress progress) {
		StoreRequest due = progress.denied ? slot.with(StoreOperation.PEEK) : slot;
		return start(due)
			.handle((decision, failure) -> (failure != null) ? onFailure(slot.operation(), progress, failure)
					: onDecision(due, decision, progress))
			.thenCompose(Function.identity());
	}

	/** Executes a slot. An exception, as of an open circuit breaker, is a failure too. */
	private CompletionStage<Decision> start(StoreRequest slot) {
		try {
			return this.inOneSlot.apply(slot);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private CompletionStage<Void> onDecision(StoreRequest slot, Decision decision, Progress progress) {
		progress.add(slot, decision);
		if (slot.operation() != StoreOperation.ACQUIRE) {
			return CompletableFuture.completedFuture(null);
		}
		if (decision.allowed()) {
			progress.refunds.add(refund(slot, decision));
			return CompletableFuture.completedFuture(null);
		}
		progress.denied = true;
		return refund(progress);
	}

	private CompletionStage<Void> onFailure(StoreOperation operation, Progress progress, Throwable failure) {
		return switch (operation) {
			case ACQUIRE -> refund(progress).thenCompose((refunded) -> CompletableFuture.failedFuture(failure));
			case PEEK -> CompletableFuture.failedFuture(failure);
			default -> progress.goOn(failure);
		};
	}

	/** Refunds the slots so far. A slot that fails keeps its charge. */
	private CompletionStage<Void> refund(Progress progress) {
		CompletionStage<Void> done = CompletableFuture.completedFuture(null);
		for (StoreRequest slot : progress.refunds) {
			done = done.thenCompose((before) -> start(slot)).handle((decision, failure) -> {
				if (failure == null) {
					progress.add(slot, decision);
				}
				return null;
			});
		}
		progress.refunds = List.of();
		return done;
	}

	/**
	 * Returns the refund of a slot. Shadow limits that did not admit were not charged.
	 */
	private static StoreRequest refund(StoreRequest slot, Decision decision) {
		List<LimitDecision> limits = limits(decision);
		List<PermitRequest> refunds = new ArrayList<>();
		for (int i = 0; i < limits.size(); i++) {
			PermitRequest permit = slot.permits().get(i);
			if (limits.get(i).allowed()) {
				refunds.add(permit.refund(permit.cost(), decision.storeTimeMicros(i), decision.turnMicros(i)));
			}
		}
		return new StoreRequest(StoreOperation.REFUND, refunds);
	}

	/** Returns the decisions in the order of the permits, shadow limits last. */
	private static List<LimitDecision> limits(Decision decision) {
		return Stream.concat(decision.limits().stream(), decision.shadows().stream()).toList();
	}

	/** The results of the slots so far. Not thread-safe: slots follow one another. */
	private static final class Progress {

		private final Map<List<Object>, DecidedLimit> limits = new HashMap<>();

		private List<StoreRequest> refunds = new ArrayList<>();

		private boolean denied;

		private long time;

		/** The failure of the first slot that failed, after which others went on. */
		private @Nullable Throwable failure;

		CompletionStage<Void> goOn(Throwable failure) {
			this.failure = (this.failure != null) ? this.failure : failure;
			return CompletableFuture.completedFuture(null);
		}

		void add(StoreRequest slot, Decision decision) {
			this.time = decision.storeTimeMicros();
			List<LimitDecision> decided = CrossSlotExecutor.limits(decision);
			for (int i = 0; i < decided.size(); i++) {
				this.limits.put(count(slot.permits().get(i)),
						new DecidedLimit(decided.get(i), this.time, decision.turnMicros(i)));
			}
		}

		CompletionStage<Decision> decision(StoreRequest request) {
			return (this.failure != null) ? CompletableFuture.failedFuture(this.failure)
					: CompletableFuture.completedFuture(decided(request));
		}

		private Decision decided(StoreRequest request) {
			List<DecidedLimit> decided = request.permits()
				.stream()
				.map((permit) -> Objects.requireNonNull(this.limits.get(count(permit))))
				.toList();
			return request.decide(this.time, decided.stream().map(DecidedLimit::decision).toList())
				.decidedAt(decided.stream().map(DecidedLimit::time).toList(),
						decided.stream().map(DecidedLimit::turn).toList());
		}

		private static List<Object> count(PermitRequest permit) {
			return List.of(permit.policyLimit(), permit.key());
		}

	}

	/** The decision of a limit, when its slot made it, and when it counts the permits. */
	private record DecidedLimit(LimitDecision decision, long time, long turn) {

	}

}
