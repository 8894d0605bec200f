package io.github.ratelimit.spring.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.spring.listener.RetryPause;
import org.apache.commons.logging.LogFactory;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.KafkaException.Level;
import org.springframework.kafka.listener.CommonDelegatingErrorHandler;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.SeekUtils;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * An error handler that seeks denied records back and pauses their partitions. All other
 * failures go to the application's handler, also in the methods that its superclass does
 * not pass on.
 */
final class BackPressureErrorHandler extends CommonDelegatingErrorHandler {

	private static final LogAccessor LOGGER = new LogAccessor(LogFactory.getLog(BackPressureErrorHandler.class));

	private final CommonErrorHandler delegate;

	private final PartitionPauses pauses;

	BackPressureErrorHandler(CommonErrorHandler delegate, PartitionPauses pauses) {
		super(delegate);
		this.delegate = delegate;
		this.pauses = pauses;
	}

	@Override
	public boolean handleOne(Exception failure, ConsumerRecord<?, ?> record, Consumer<?, ?> consumer,
			MessageListenerContainer container) {
		Duration pause = RetryPause.after(failure);
		if (pause == null) {
			return super.handleOne(failure, record, consumer, container);
		}
		this.pauses.pause(container, Set.of(FailedBatch.partition(record)), pause);
		return false;
	}

	@Override
	public void handleRemaining(Exception failure, List<ConsumerRecord<?, ?>> records, Consumer<?, ?> consumer,
			MessageListenerContainer container) {
		Duration pause = RetryPause.after(failure);
		if (pause == null) {
			super.handleRemaining(failure, records, consumer, container);
			return;
		}
		this.pauses.pause(container, Set.of(FailedBatch.partition(records.get(0))), pause);
		seekBack(failure, records, consumer, container);
	}

	@Override
	public void handleBatch(Exception failure, ConsumerRecords<?, ?> records, Consumer<?, ?> consumer,
			MessageListenerContainer container, Runnable listener) {
		Duration pause = RetryPause.after(failure);
		if (pause != null) {
			FailedBatch batch = FailedBatch.of(records, failure);
			batch.commitProcessed(consumer, container);
			this.pauses.pause(container, batch.partitions(), pause);
			seekBack(failure, batch.remaining(), consumer, container);
			return;
		}
		BatchRetry retry = new BatchRetry(listener, consumer, container);
		super.handleBatch(failure, records, consumer, container, retry);
		RuntimeException denial = retry.unprocessed();
		if (denial != null) {
			seekBack(denial, FailedBatch.unprocessed(records).remaining(), consumer, container);
		}
	}

	@Override
	public <K, V> ConsumerRecords<K, V> handleBatchAndReturnRemaining(Exception failure, ConsumerRecords<?, ?> records,
			Consumer<?, ?> consumer, MessageListenerContainer container, Runnable listener) {
		Duration pause = RetryPause.after(failure);
		if (pause != null) {
			FailedBatch batch = FailedBatch.of(records, failure);
			this.pauses.pause(container, batch.partitions(), pause);
			return batch.remainingRecords();
		}
		BatchRetry retry = new BatchRetry(listener, consumer, container);
		ConsumerRecords<K, V> remaining = this.delegate.handleBatchAndReturnRemaining(failure, records, consumer,
				container, retry);
		return (retry.unprocessed() != null) ? FailedBatch.unprocessed(records).remainingRecords() : remaining;
	}

	@Override
	public boolean deliveryAttemptHeader() {
		return this.delegate.deliveryAttemptHeader();
	}

	@Override
	public int deliveryAttempt(TopicPartitionOffset record) {
		return this.delegate.deliveryAttempt(record);
	}

	/**
	 * Seeks all records back and throws, by which the container does not take them for
	 * processed.
	 */
	private static void seekBack(Exception failure, List<ConsumerRecord<?, ?>> records, Consumer<?, ?> consumer,
			MessageListenerContainer container) {
		SeekUtils.seekOrRecover(failure, records, consumer, container, false, (record, cause) -> false, LOGGER,
				Level.DEBUG);
	}

}
