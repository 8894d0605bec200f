package io.github.ratelimit.key;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The entries in the lines of a header, from last to first, as each proxy appends the
 * peer that it saw. Quotes are ignored: a quoted comma splits an entry into unreadable
 * parts, and reading from the end stops there.
 */
final class ForwardedEntries implements Iterator<String> {

	/** The characters of a header that are read, from its end. */
	static final int MOST_CHARACTERS = 8192;

	private static final String UNREADABLE = "";

	private final String text;

	private int end;

	ForwardedEntries(List<String> lines) {
		this.text = String.join(",", lines);
		this.end = lines.isEmpty() ? -1 : this.text.length();
	}

	@Override
	public boolean hasNext() {
		return this.end >= 0;
	}

	@Override
	public String next() {
		if (!hasNext()) {
			throw new NoSuchElementException();
		}
		int comma = this.text.lastIndexOf(',', this.end - 1);
		String entry = (this.text.length() - comma > MOST_CHARACTERS + 1) ? UNREADABLE
				: this.text.substring(comma + 1, this.end).strip();
		this.end = comma;
		return entry;
	}

}
