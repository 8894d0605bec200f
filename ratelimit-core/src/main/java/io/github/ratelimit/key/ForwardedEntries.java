package io.github.ratelimit.key;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

import org.jspecify.annotations.Nullable;

/**
 * The entries in the lines of a header, from last to first, as each proxy appends the
 * peer that it saw. Empty ones are left out (RFC 9110, section 5.6.1). Quotes are
 * ignored: a quoted comma splits an entry into unreadable parts, and reading from the end
 * stops there.
 */
final class ForwardedEntries implements Iterator<String> {

	/** The characters of a header that are read, from its end. */
	static final int MOST_CHARACTERS = 8192;

	private static final String UNREADABLE = "";

	private final String text;

	private int end;

	private @Nullable String next;

	ForwardedEntries(List<String> lines) {
		this.text = String.join(",", lines);
		this.end = this.text.length();
		this.next = read();
	}

	@Override
	public boolean hasNext() {
		return this.next != null;
	}

	@Override
	public String next() {
		String entry = this.next;
		if (entry == null) {
			throw new NoSuchElementException();
		}
		this.next = read();
		return entry;
	}

	private @Nullable String read() {
		while (this.end >= 0) {
			int comma = this.text.lastIndexOf(',', this.end - 1);
			if (this.text.length() - comma > MOST_CHARACTERS + 1) {
				return UNREADABLE;
			}
			String entry = this.text.substring(comma + 1, this.end).strip();
			this.end = comma;
			if (!entry.isEmpty()) {
				return entry;
			}
		}
		return null;
	}

}
