package io.github.ratelimit.spring.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ListenerUtils;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * A batch that a listener did not finish. Nothing of it counts as processed, unless the
 * listener names the record that failed.
 *
 * @param processed the records before the one that failed
 * @param remaining the others
 */
record FailedBatch(List<ConsumerRecord<?, ?>> processed, List<ConsumerRecord<?, ?>> remaining) {

	/** The depth at which a named record is looked for: the container adds one cause. */
	private static final int MOST_CAUSES = 5;

	static FailedBatch of(ConsumerRecords<?, ?> batch, Throwable failure) {
		List<ConsumerRecord<?, ?>> records = unprocessed(batch).remaining();
		int failed = failedIndex(records, failure);
		return new FailedBatch(records.subList(0, failed), records.subList(failed, records.size()));
	}

	static FailedBatch unprocessed(ConsumerRecords<?, ?> batch) {
		List<ConsumerRecord<?, ?>> records = new ArrayList<>();
		batch.forEach(records::add);
		return new FailedBatch(List.of(), records);
	}

	static TopicPartition partition(ConsumerRecord<?, ?> record) {
		return new TopicPartition(record.topic(), record.partition());
	}

	Set<TopicPartition> partitions() {
		return this.remaining.stream().map(FailedBatch::partition).collect(Collectors.toUnmodifiableSet());
	}

	/** Returns the remaining records as the container takes them. */
	@SuppressWarnings("unchecked")
	<K, V> ConsumerRecords<K, V> remainingRecords() {
		Map<TopicPartition, List<ConsumerRecord<K, V>>> byPartition = new LinkedHashMap<>();
		this.remaining.forEach((record) -> byPartition.computeIfAbsent(partition(record), (key) -> new ArrayList<>())
			.add((ConsumerRecord<K, V>) record));
		return new ConsumerRecords<>(byPartition, Map.of());
	}

	/** Commits what was processed, as far as no transaction does. */
	void commitProcessed(Consumer<?, ?> consumer, MessageListenerContainer container) {
		ContainerProperties properties = container.getContainerProperties();
		if (this.processed.isEmpty() || properties.getKafkaAwareTransactionManager() != null) {
			return;
		}
		Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
		this.processed.forEach((record) -> offsets.put(partition(record),
				ListenerUtils.createOffsetAndMetadata(container, record.offset() + 1)));
		consumer.commitSync(offsets, properties.getSyncCommitTimeout());
	}

	private static int failedIndex(List<ConsumerRecord<?, ?>> records, Throwable failure) {
		Throwable cause = failure;
		for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
			if (cause instanceof BatchListenerFailedException named) {
				return Math.max(0, index(records, named));
			}
			cause = cause.getCause();
		}
		return 0;
	}

	/** Returns the index of the named record; negative if it is not in the batch. */
	private static int index(List<ConsumerRecord<?, ?>> records, BatchListenerFailedException failure) {
		ConsumerRecord<?, ?> named = failure.getRecord();
		if (named == null) {
			return (failure.getIndex() < records.size()) ? failure.getIndex() : -1;
		}
		for (int i = 0; i < records.size(); i++) {
			ConsumerRecord<?, ?> record = records.get(i);
			if (record.offset() == named.offset() && partition(record).equals(partition(named))) {
				return i;
			}
		}
		return -1;
	}

}
