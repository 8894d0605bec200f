package io.github.ratelimit.spring.top;

import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * The top keys of a policy in a window of time. Immutable.
 *
 * @param seconds the length of the window
 * @param denied the keys that were denied most, with the numbers of denials
 * @param shadowDenied the keys that limits in shadow would have denied most, with the
 * numbers of such calls
 * @param spent the keys that spent most, with the numbers of permits
 * @param complete whether it has what all instances have counted; otherwise the other
 * instances' reports could not be read, and it is of this one alone
 */
public record TopReport(long seconds, TopList denied, TopList shadowDenied, TopList spent, boolean complete) {

	/** The report of no keys. */
	static final TopReport EMPTY = new TopReport(0, TopList.EMPTY, TopList.EMPTY, TopList.EMPTY);

	/** Creates a complete report. */
	TopReport(long seconds, TopList denied, TopList shadowDenied, TopList spent) {
		this(seconds, denied, shadowDenied, spent, true);
	}

	/** Returns whether nothing was counted. */
	boolean isEmpty() {
		return this.denied.total() == 0 && this.shadowDenied.total() == 0 && this.spent.total() == 0;
	}

	/**
	 * Returns an earlier report of the last minute if nothing was counted since, as other
	 * instances then know it already.
	 */
	TopReport unlessLike(@Nullable TopReport before) {
		boolean isLike = before != null && this.seconds >= before.seconds && this.seconds - before.seconds < 60
				&& this.denied.equals(before.denied) && this.shadowDenied.equals(before.shadowDenied)
				&& this.spent.equals(before.spent);
		return isLike ? Objects.requireNonNull(before) : this;
	}

	/** Returns the report of several instances together. */
	static TopReport merge(List<TopReport> reports, int most) {
		return new TopReport(reports.stream().mapToLong(TopReport::seconds).max().orElse(0),
				TopList.merge(reports.stream().map(TopReport::denied).toList(), most),
				TopList.merge(reports.stream().map(TopReport::shadowDenied).toList(), most),
				TopList.merge(reports.stream().map(TopReport::spent).toList(), most));
	}

	/** Returns this report without those of other instances. */
	TopReport incomplete() {
		return new TopReport(this.seconds, this.denied, this.shadowDenied, this.spent, false);
	}

	/** Returns this report with other names of the keys. */
	TopReport named(UnaryOperator<String> name) {
		return new TopReport(this.seconds, this.denied.named(name), this.shadowDenied.named(name),
				this.spent.named(name));
	}

}
