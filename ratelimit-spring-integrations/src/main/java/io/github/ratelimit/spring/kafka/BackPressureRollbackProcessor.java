package io.github.ratelimit.spring.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.spring.listener.RetryPause;
import org.apache.commons.logging.LogFactory;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.ContainerProperties.EOSMode;
import org.springframework.kafka.listener.DeliveryAttemptAware;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.SeekUtils;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * A processor of rolled back transactions that seeks denied records back and pauses their
 * partitions. All other failures go to the application's processor.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@SuppressWarnings("checkstyle:ParameterNumber") // of the overridden methods
final class BackPressureRollbackProcessor<K, V> implements AfterRollbackProcessor<K, V>, DeliveryAttemptAware {

	private static final LogAccessor LOGGER = new LogAccessor(LogFactory.getLog(BackPressureRollbackProcessor.class));

	private final AfterRollbackProcessor<K, V> delegate;

	private final PartitionPauses pauses;

	@SuppressWarnings("unchecked") // as the container casts it
	BackPressureRollbackProcessor(AfterRollbackProcessor<? super K, ? super V> delegate, PartitionPauses pauses) {
		this.delegate = (AfterRollbackProcessor<K, V>) delegate;
		this.pauses = pauses;
	}

	@Override
	public void process(List<ConsumerRecord<K, V>> records, Consumer<K, V> consumer, MessageListenerContainer container,
			Exception failure, boolean recoverable, EOSMode eosMode) {
		Duration pause = RetryPause.after(failure);
		if (pause == null) {
			this.delegate.process(records, consumer, container, failure, recoverable, eosMode);
			return;
		}
		this.pauses.pause(container, Set.of(FailedBatch.partition(records.get(0))), pause);
		seekBack(records, consumer);
	}

	@Override
	public void processBatch(ConsumerRecords<K, V> records, List<ConsumerRecord<K, V>> list, Consumer<K, V> consumer,
			MessageListenerContainer container, Exception failure, boolean recoverable, EOSMode eosMode) {
		Duration pause = RetryPause.after(failure);
		if (pause == null) {
			this.delegate.processBatch(records, list, consumer, container, failure, recoverable, eosMode);
			return;
		}
		this.pauses.pause(container, records.partitions(), pause);
		seekBack(list, consumer);
	}

	@Override
	public int deliveryAttempt(TopicPartitionOffset record) {
		return (this.delegate instanceof DeliveryAttemptAware aware) ? aware.deliveryAttempt(record) : 1;
	}

	@Override
	public boolean isProcessInTransaction() {
		return this.delegate.isProcessInTransaction();
	}

	@Override
	public void clearThreadState() {
		this.delegate.clearThreadState();
	}

	private static <K, V> void seekBack(List<ConsumerRecord<K, V>> records, Consumer<K, V> consumer) {
		SeekUtils.doSeeksToBegin(new ArrayList<>(records), consumer, LOGGER);
	}

}
