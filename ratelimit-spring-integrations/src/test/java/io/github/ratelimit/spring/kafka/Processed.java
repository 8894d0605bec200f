package io.github.ratelimit.spring.kafka;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A listener that remembers the records that it processed.
 */
abstract class Processed {

	private final List<String> values = new CopyOnWriteArrayList<>();

	void add(String value) {
		this.values.add(value);
	}

	List<String> values() {
		return this.values;
	}

}
