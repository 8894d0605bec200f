package io.github.ratelimit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.LimitDecision;
import org.jspecify.annotations.Nullable;

/**
 * What one request has been charged so far, and what it is still to be charged: what lets
 * the places that a request passes make one decision together, and none of them charge it
 * twice. Thread-safe.
 */
public sealed class RequestCharges {

	/** Of calls that serve no request: nothing is remembered, and nothing deferred. */
	public static final RequestCharges NONE = new OfNoRequest();

	private final Consumer<Decision> answer;

	private final List<Charge> deferred = new ArrayList<>();

	private final Map<Object, Boolean> admitted = new HashMap<>();

	private @Nullable Decision decision;

	/**
	 * A request that has been charged nothing.
	 * @param answer is told, at every decision, of all there were so far
	 */
	public RequestCharges(Consumer<Decision> answer) {
		this.answer = answer;
	}

	/**
	 * Leaves charges to be part of the request's next decision.
	 * @param charges what is to be charged
	 */
	public synchronized void defer(List<Charge> charges) {
		this.deferred.addAll(charges);
	}

	/**
	 * Takes the charges that were deferred, so that whoever asks charges them.
	 * @param charges what else is to be charged
	 * @return what was deferred, then these
	 */
	public synchronized List<Charge> deferredAnd(List<Charge> charges) {
		if (this.deferred.isEmpty()) {
			return charges;
		}
		List<Charge> all = Stream.concat(this.deferred.stream(), charges.stream()).toList();
		this.deferred.clear();
		return all;
	}

	/**
	 * Records that a step of the request has been decided on, and may be taken.
	 * @param step such as the method that serves the request
	 */
	public synchronized void admit(Object step) {
		this.admitted.put(step, true);
	}

	/**
	 * Whether a step was admitted before. If so it may be taken once more: the container
	 * dispatches the request again, which is no new request.
	 * @param step such as the method that serves the request
	 * @return whether nothing is left to decide
	 */
	public synchronized boolean isAdmittedAgain(Object step) {
		return this.admitted.replace(step, true) != null;
	}

	/**
	 * Takes a step that was admitted.
	 * @param step such as the method that serves the request
	 * @return whether it was admitted and not taken since
	 */
	public synchronized boolean take(Object step) {
		return this.admitted.replace(step, true, false);
	}

	/**
	 * Records a decision. Of a limit that several tell of, the latest counts.
	 * @param latest the decision
	 */
	public synchronized void decided(Decision latest) {
		this.decision = (this.decision != null) ? joined(this.decision, latest) : latest;
		this.answer.accept(this.decision);
	}

	/**
	 * All decisions of the request as one.
	 * @return all limits, those decided on first at the front, or {@code null} if there
	 * was no decision
	 */
	public synchronized @Nullable Decision decision() {
		return this.decision;
	}

	private static Decision joined(Decision earlier, Decision latest) {
		Stream<LimitDecision> before = earlier.limits()
			.stream()
			.filter((limit) -> latest.limits().stream().noneMatch((other) -> isSame(limit, other)));
		return Decision.of(Math.max(earlier.storeTimeMicros(), latest.storeTimeMicros()),
				Stream.concat(before, latest.limits().stream()).toList());
	}

	private static boolean isSame(LimitDecision one, LimitDecision other) {
		return one.policy().equals(other.policy()) && one.limit().equals(other.limit());
	}

	/** There is nothing to guard. */
	@SuppressWarnings("UnsynchronizedOverridesSynchronized")
	private static final class OfNoRequest extends RequestCharges {

		OfNoRequest() {
			super((decision) -> {
			});
		}

		@Override
		public void defer(List<Charge> charges) {
			throw new IllegalStateException("there is no request to charge later");
		}

		@Override
		public List<Charge> deferredAnd(List<Charge> charges) {
			return charges;
		}

		@Override
		public void admit(Object step) {
			throw new IllegalStateException("there is no request to admit");
		}

		@Override
		public boolean isAdmittedAgain(Object step) {
			return false;
		}

		@Override
		public boolean take(Object step) {
			return false;
		}

		@Override
		public void decided(Decision latest) {
		}

		@Override
		public @Nullable Decision decision() {
			return null;
		}

	}

}
