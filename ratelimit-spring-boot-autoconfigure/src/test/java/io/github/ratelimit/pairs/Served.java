package io.github.ratelimit.pairs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * A source of what controllers serve: an answer that looks at the counts while it is
 * written, so after the method has returned and before the call has ended.
 */
public final class Served {

	private final Supplier<List<Long>> counts;

	private final List<List<Long>> seen = new CopyOnWriteArrayList<>();

	Served(Supplier<List<Long>> counts) {
		this.counts = counts;
	}

	/** Returns an answer, or fails. */
	public Answer answer(boolean fails) {
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
