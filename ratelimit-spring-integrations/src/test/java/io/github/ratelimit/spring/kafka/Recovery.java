package io.github.ratelimit.spring.kafka;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.apache.kafka.clients.consumer.ConsumerRecord;

import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/**
 * The application's own error handler, which recovers a record after its second failure.
 */
final class Recovery extends DefaultErrorHandler {

	private final List<Object> values;

	Recovery() {
		this(new CopyOnWriteArrayList<>());
	}

	private Recovery(List<Object> values) {
		super((record, failure) -> values.add(value(record)), new FixedBackOff(0, 1));
		this.values = values;
	}

	private static Object value(ConsumerRecord<?, ?> record) {
		return record.value();
	}

	List<Object> values() {
		return this.values;
	}

}
