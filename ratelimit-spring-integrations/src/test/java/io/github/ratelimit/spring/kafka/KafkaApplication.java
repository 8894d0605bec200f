package io.github.ratelimit.spring.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import io.github.ratelimit.spring.listener.Admissions;
import io.github.ratelimit.spring.listener.Processed;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;

import org.springframework.context.ApplicationContext;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * A started application.
 *
 * @param context its beans
 * @param topic the topic of its listener
 */
record KafkaApplication(ApplicationContext context, String topic) {

	/** Returns numbers as text. */
	static List<String> numbers(int from, int to) {
		return IntStream.range(from, to).mapToObj(String::valueOf).toList();
	}

	/** Sends numbers to a partition. */
	void send(int partition, int from, int to) {
		numbers(from, to).forEach((number) -> send(new ProducerRecord<>(this.topic, partition, null, number)));
	}

	/** Sends a value with the header {@code tenant}. */
	void send(int partition, String tenant, String value) {
		ProducerRecord<Object, Object> record = new ProducerRecord<>(this.topic, partition, null, value);
		record.headers().add("tenant", tenant.getBytes(StandardCharsets.UTF_8));
		send(record);
	}

	@SuppressWarnings("unchecked")
	private void send(ProducerRecord<Object, Object> record) {
		KafkaTemplate<Object, Object> template = this.context.getBean(KafkaTemplate.class);
		if (template.isTransactional()) {
			template.executeInTransaction((transaction) -> transaction.send(record).join());
		}
		else {
			template.send(record).join();
		}
	}

	List<String> processed() {
		return this.context.getBean(Processed.class).values();
	}

	List<Object> recovered() {
		return this.context.getBean(Recovery.class).values();
	}

	Admissions admissions() {
		return this.context.getBean(Admissions.class);
	}

	KafkaListenerEndpointRegistry registry() {
		return this.context.getBean(KafkaListenerEndpointRegistry.class);
	}

	MessageListenerContainer container() {
		return registry().getListenerContainers().iterator().next();
	}

	MessageListenerContainer container(String id) {
		return Objects.requireNonNull(registry().getListenerContainer(id));
	}

	boolean isPaused(int partition) {
		return container().isPartitionPaused(new TopicPartition(this.topic, partition));
	}

	void await(Callable<Boolean> condition) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(10))
			.until(condition);
	}

	void awaitProcessed(int count) {
		await(() -> processed().size() >= count);
	}

}
