package io.github.ratelimit.spring.kafka;

import org.jspecify.annotations.Nullable;

import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.CompositeRecordInterceptor;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.RecordInterceptor;

/**
 * The back-pressure of listener containers. It wraps what a container has for failures
 * and for records, so that the application's own handlers see everything but denials.
 */
public final class KafkaBackPressure {

	private final PartitionPauses pauses;

	private final RecordCallers callers;

	/**
	 * Creates the back-pressure.
	 * @param pauses pauses partitions
	 * @param callers the callers of records
	 */
	public KafkaBackPressure(PartitionPauses pauses, RecordCallers callers) {
		this.pauses = pauses;
		this.callers = callers;
	}

	/**
	 * Adds back-pressure to a container that has not started.
	 * @param container a container with all that the application configured
	 */
	void addTo(MessageListenerContainer container) {
		if (container instanceof AbstractMessageListenerContainer<?, ?> configurable) {
			addToHandlers(configurable);
		}
	}

	private <K, V> void addToHandlers(AbstractMessageListenerContainer<K, V> container) {
		CommonErrorHandler errors = errorHandler(container);
		if (errors != null) {
			container.setCommonErrorHandler(new BackPressureErrorHandler(errors, this.pauses));
		}
		container.setAfterRollbackProcessor(
				new BackPressureRollbackProcessor<>(container.getAfterRollbackProcessor(), this.pauses));
		RecordInterceptor<K, V> own = container.getRecordInterceptor();
		RecordInterceptor<K, V> callers = new CallerRecordInterceptor<>(this.callers);
		container.setRecordInterceptor((own != null) ? new CompositeRecordInterceptor<>(own, callers) : callers);
	}

	/** Returns the handler, or what the container would create for want of one. */
	private static @Nullable CommonErrorHandler errorHandler(AbstractMessageListenerContainer<?, ?> container) {
		CommonErrorHandler configured = container.getCommonErrorHandler();
		boolean transactional = container.getContainerProperties().getKafkaAwareTransactionManager() != null;
		return (configured == null && !transactional) ? new DefaultErrorHandler() : configured;
	}

}
