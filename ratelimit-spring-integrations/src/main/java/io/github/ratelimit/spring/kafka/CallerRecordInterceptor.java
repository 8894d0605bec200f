package io.github.ratelimit.spring.kafka;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

import org.springframework.kafka.listener.RecordInterceptor;

/**
 * An interceptor that makes the headers of a record known while the listener processes
 * it.
 *
 * @param callers the callers of records
 * @param <K> the type of keys
 * @param <V> the type of values
 */
record CallerRecordInterceptor<K, V>(RecordCallers callers) implements RecordInterceptor<K, V> {

	@Override
	public ConsumerRecord<K, V> intercept(ConsumerRecord<K, V> record, Consumer<K, V> consumer) {
		this.callers.begin(record.headers());
		return record;
	}

	@Override
	public void failure(ConsumerRecord<K, V> record, Exception failure, Consumer<K, V> consumer) {
		this.callers.end();
	}

	@Override
	public void afterRecord(ConsumerRecord<K, V> record, Consumer<K, V> consumer) {
		this.callers.end();
	}

	@Override
	public void clearThreadState(Consumer<?, ?> consumer) {
		this.callers.end();
	}

}
