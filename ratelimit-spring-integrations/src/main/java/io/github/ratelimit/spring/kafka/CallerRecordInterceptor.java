package io.github.ratelimit.spring.kafka;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.kafka.listener.RecordInterceptor;

/**
 * An interceptor that makes the headers of a record known while the listener processes
 * it. It comes after the application's own interceptor, if there is one.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
final class CallerRecordInterceptor<K, V> implements RecordInterceptor<K, V> {

	private final RecordInterceptor<K, V> delegate;

	private final RecordCallers callers;

	CallerRecordInterceptor(@Nullable RecordInterceptor<K, V> delegate, RecordCallers callers) {
		this.delegate = (delegate != null) ? delegate : (record, consumer) -> record;
		this.callers = callers;
	}

	@Override
	public @Nullable ConsumerRecord<K, V> intercept(ConsumerRecord<K, V> record, Consumer<K, V> consumer) {
		ConsumerRecord<K, V> intercepted = this.delegate.intercept(record, consumer);
		if (intercepted != null) {
			this.callers.begin(intercepted.headers());
		}
		return intercepted;
	}

	@Override
	public void success(ConsumerRecord<K, V> record, Consumer<K, V> consumer) {
		this.callers.end();
		this.delegate.success(record, consumer);
	}

	@Override
	public void failure(ConsumerRecord<K, V> record, Exception failure, Consumer<K, V> consumer) {
		this.callers.end();
		this.delegate.failure(record, failure, consumer);
	}

	@Override
	public void afterRecord(ConsumerRecord<K, V> record, Consumer<K, V> consumer) {
		this.callers.end();
		this.delegate.afterRecord(record, consumer);
	}

	@Override
	public void setupThreadState(Consumer<?, ?> consumer) {
		this.delegate.setupThreadState(consumer);
	}

	@Override
	public void clearThreadState(Consumer<?, ?> consumer) {
		this.callers.end();
		this.delegate.clearThreadState(consumer);
	}

}
