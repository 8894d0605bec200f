package io.github.ratelimit.spring.key;

import java.util.List;

import io.github.ratelimit.key.Caller;

/**
 * A source of the caller whose request, call or message the current thread serves.
 */
@FunctionalInterface
public interface CallerSource {

	/**
	 * Returns the caller whom the current thread serves.
	 * @return the caller, or {@link Caller#NONE} if this source knows none
	 */
	Caller current();

	/**
	 * Returns a source of the first caller that one of several sources knows.
	 * @param sources the sources in order
	 * @return the source
	 */
	static CallerSource firstOf(List<CallerSource> sources) {
		CallerSource first = () -> Caller.NONE;
		for (int i = sources.size() - 1; i >= 0; i--) {
			CallerSource source = sources.get(i);
			first = (i == sources.size() - 1) ? source : source.or(first);
		}
		return first;
	}

	private CallerSource or(CallerSource next) {
		return () -> {
			Caller caller = current();
			return Caller.NONE.equals(caller) ? next.current() : caller;
		};
	}

}
