package io.github.ratelimit.spring.finding;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * A search for the name closest to a misspelt one, by the Levenshtein distance.
 */
public final class NearestName {

	private NearestName() {
	}

	/**
	 * Returns the name that takes the fewest changes, if those are few.
	 * @param name a name that may be misspelt
	 * @param names the names that exist
	 * @return the name that is probably meant
	 */
	public static Optional<String> of(String name, Collection<String> names) {
		return of(name, names, Math.max(Math.min(2, name.length() / 2), name.length() / 3));
	}

	/**
	 * Returns the name that takes the fewest changes, if it is hardly another name.
	 * @param name a name that may be misspelt
	 * @param names the names that exist
	 * @return the name that is almost certainly meant
	 */
	public static Optional<String> typo(String name, Collection<String> names) {
		return of(name, names, Math.min(2, name.length() / 4));
	}

	private static Optional<String> of(String name, Collection<String> names, int changes) {
		return names.stream()
			.min(Comparator.comparingInt((each) -> distance(name, each)))
			.filter((nearest) -> distance(name, nearest) <= changes);
	}

	private static int distance(String from, String to) {
		int[] above = new int[to.length() + 1];
		for (int j = 0; j <= to.length(); j++) {
			above[j] = j;
		}
		for (int i = 1; i <= from.length(); i++) {
			int[] row = new int[to.length() + 1];
			row[0] = i;
			for (int j = 1; j <= to.length(); j++) {
				int change = (from.charAt(i - 1) == to.charAt(j - 1)) ? 0 : 1;
				row[j] = Math.min(Math.min(row[j - 1], above[j]) + 1, above[j - 1] + change);
			}
			above = row;
		}
		return above[to.length()];
	}

}
