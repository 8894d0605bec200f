package io.github.ratelimit.spring.listener;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A listener that remembers what it processed.
 */
public abstract class Processed {

	private final List<String> values = new CopyOnWriteArrayList<>();

	/**
	 * Adds what was processed.
	 * @param value a value
	 */
	protected void add(String value) {
		this.values.add(value);
	}

	/**
	 * Returns what was processed, in order.
	 * @return the values
	 */
	public List<String> values() {
		return this.values;
	}

}
