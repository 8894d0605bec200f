package io.github.ratelimit.spring.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;

/**
 * Carries out an operation whose counts are in several slots of a cluster, which no
 * script can touch together: one slot after the other, in an order that is the same for
 * all callers. Where one denies or fails, what the slots before were charged is given
 * back.
 */
final class SlotBySlot {

	private final BiFunction<Operation, List<Debit>, CompletionStage<Decision>> inOneSlot;

	SlotBySlot(BiFunction<Operation, List<Debit>, CompletionStage<Decision>> inOneSlot) {
		this.inOneSlot = inOneSlot;
	}

	/** Whether the counts are those of one bucket and key, as such share a slot. */
	static boolean shareASlot(List<Debit> debits) {
		Debit first = debits.get(0);
		return debits.stream()
			.allMatch((debit) -> debit.key().equals(first.key())
					&& debit.clause().bucket().equals(first.clause().bucket()));
	}

	private static String slot(Debit debit) {
		return debit.clause().bucket() + ':' + debit.key();
	}

	private static Collection<List<Debit>> slots(List<Debit> debits) {
		Map<String, List<Debit>> slots = new TreeMap<>();
		debits.forEach((debit) -> slots.computeIfAbsent(slot(debit), (slot) -> new ArrayList<>()).add(debit));
		return slots.values();
	}

	CompletionStage<Decision> execute(Operation operation, List<Debit> debits) {
		Progress progress = new Progress();
		CompletionStage<Void> done = CompletableFuture.completedFuture(null);
		for (List<Debit> slot : slots(debits)) {
			done = done.thenCompose((before) -> next(operation, slot, progress));
		}
		return done.thenApply((all) -> progress.decision(debits));
	}

	/** After a denial nothing more is charged, but told. */
	private CompletionStage<Void> next(Operation operation, List<Debit> slot, Progress progress) {
		Operation due = (operation == Operation.ACQUIRE && progress.denied) ? Operation.PEEK : operation;
		return started(due, slot)
			.handle((decision, failure) -> (failure != null) ? failed(operation, progress, failure)
					: decided(due, slot, decision, progress))
			.thenCompose(Function.identity());
	}

	/** A breaker that is open throws at once: that is a failure like any other. */
	private CompletionStage<Decision> started(Operation operation, List<Debit> slot) {
		try {
			return this.inOneSlot.apply(operation, slot);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private CompletionStage<Void> decided(Operation operation, List<Debit> slot, Decision decision, Progress progress) {
		progress.add(slot, decision);
		if (operation != Operation.ACQUIRE) {
			return CompletableFuture.completedFuture(null);
		}
		if (decision.allowed()) {
			progress.charged.add(placed(slot, decision));
			return CompletableFuture.completedFuture(null);
		}
		progress.denied = true;
		return giveBack(progress);
	}

	private CompletionStage<Void> failed(Operation operation, Progress progress, Throwable failure) {
		CompletionStage<Void> undone = (operation == Operation.ACQUIRE) ? giveBack(progress)
				: CompletableFuture.completedFuture(null);
		return undone.handle((nothing, ignored) -> null)
			.thenCompose((nothing) -> CompletableFuture.failedFuture(failure));
	}

	private CompletionStage<Void> giveBack(Progress progress) {
		CompletionStage<Void> done = CompletableFuture.completedFuture(null);
		for (List<Debit> slot : progress.charged) {
			done = done.thenCompose((before) -> started(Operation.GIVE_BACK, slot))
				.thenAccept((decision) -> progress.add(slot, decision));
		}
		progress.charged = List.of();
		return done;
	}

	/** What a slot was charged, with the times; what did not fit in shadow was not. */
	private static List<Debit> placed(List<Debit> slot, Decision decision) {
		List<LimitDecision> limits = limits(decision);
		List<Debit> placed = new ArrayList<>();
		for (int i = 0; i < limits.size(); i++) {
			Debit debit = slot.get(i);
			if (limits.get(i).allowed()) {
				placed.add(new Debit(debit.clause(), debit.key(), debit.cost(),
						decision.storeTimeMicros() + limits.get(i).waitMicros()));
			}
		}
		return placed;
	}

	/** In the order of the debits, of which those in shadow come last. */
	private static List<LimitDecision> limits(Decision decision) {
		return Stream.concat(decision.limits().stream(), decision.shadows().stream()).toList();
	}

	/** What came of the slots so far. One operation's slots follow one another. */
	private static final class Progress {

		private final Map<List<Object>, LimitDecision> limits = new HashMap<>();

		private List<List<Debit>> charged = new ArrayList<>();

		private boolean denied;

		private long time;

		void add(List<Debit> slot, Decision decision) {
			this.time = decision.storeTimeMicros();
			List<LimitDecision> told = SlotBySlot.limits(decision);
			for (int i = 0; i < slot.size(); i++) {
				this.limits.put(count(slot.get(i)), told.get(i));
			}
		}

		Decision decision(List<Debit> debits) {
			return Debit.decision(this.time, debits,
					debits.stream().map((debit) -> this.limits.get(count(debit))).toList());
		}

		private static List<Object> count(Debit debit) {
			return List.of(debit.clause(), debit.key());
		}

	}

}
