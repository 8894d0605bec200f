package io.github.ratelimit.spring.kafka;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.key.Caller;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The sender of a record, known by its headers.
 *
 * @param recordHeaders the headers of the record
 */
record RecordCaller(Headers recordHeaders) implements Caller {

	@Override
	public List<String> headers(String name) {
		List<String> values = new ArrayList<>();
		for (Header header : this.recordHeaders) {
			if (header.key().equalsIgnoreCase(name) && header.value() != null) {
				values.add(new String(header.value(), StandardCharsets.UTF_8));
			}
		}
		return values;
	}

}
