package io.github.ratelimit.pairs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.github.ratelimit.decision.Decision;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * A source of what controllers serve: an answer that looks at the counts while it is
 * written, so after the method has returned and before the call has ended.
 */
public final class Served {

	private final Supplier<List<Long>> counts;

	private final Supplier<@Nullable Decision> current;

	private final List<List<Long>> seen = new CopyOnWriteArrayList<>();

	private final List<Decision> decisions = new CopyOnWriteArrayList<>();

	/**
	 * Creates a source.
	 * @param counts returns what is left now
	 * @param current returns the decision on the request that the thread serves;
	 * {@code null} where no thread does
	 */
	Served(Supplier<List<Long>> counts, Supplier<@Nullable Decision> current) {
		this.counts = counts;
		this.current = current;
	}

	/** Checks that other code of the thread receives the same decision. */
	public void requireCurrent(Decision decision) {
		Decision current = this.current.get();
		if (current != null && !current.equals(decision)) {
			throw new IllegalStateException("the current decision is " + current + ", not " + decision);
		}
	}

	/** Returns an answer to a request on which there was a decision, or fails. */
	public Answer answer(Decision decision, boolean fails) {
		this.decisions.add(decision);
		if (fails) {
			throw new Failure();
		}
		return new Answer(this);
	}

	/** Returns what the answers so far have seen, and forgets it. */
	List<List<Long>> seen() {
		List<List<Long>> seen = List.copyOf(this.seen);
		this.seen.clear();
		return seen;
	}

	/** Returns the decisions that controllers have received, and forgets them. */
	List<Decision> decisions() {
		List<Decision> decisions = List.copyOf(this.decisions);
		this.decisions.clear();
		return decisions;
	}

	/** An answer that is written as JSON. */
	public static final class Answer {

		private final Served served;

		Answer(Served served) {
			this.served = served;
		}

		/** Returns the text of the answer. */
		public String getText() {
			this.served.seen.add(this.served.counts.get());
			return "served";
		}

	}

	/** The failure of a controller. */
	@ResponseStatus(HttpStatus.CONFLICT)
	public static final class Failure extends RuntimeException {

		private static final long serialVersionUID = 1;

	}

}
