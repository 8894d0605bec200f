package io.github.ratelimit.spring.amqp;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.spring.listener.Admissions;
import io.github.ratelimit.spring.listener.Processed;
import org.awaitility.Awaitility;

import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.ApplicationContext;

/**
 * A started application.
 *
 * @param context its beans
 * @param queue the queue of its listener
 */
record AmqpApplication(ApplicationContext context, String queue) {

	/** Returns numbers as text. */
	static List<String> numbers(int from, int to) {
		return IntStream.range(from, to).mapToObj(String::valueOf).toList();
	}

	void sendNumbers(int from, int to) {
		send(numbers(from, to).toArray(String[]::new));
	}

	void send(String... messages) {
		RabbitTemplate template = this.context.getBean(RabbitTemplate.class);
		for (String message : messages) {
			template.convertAndSend(this.queue, message);
		}
	}

	/**
	 * Removes and returns what is left in the queue. Brokers return the messages of a
	 * stopped consumer a moment later.
	 * @param expected how many messages to wait for
	 */
	List<Object> drain(int expected) {
		RabbitTemplate template = this.context.getBean(RabbitTemplate.class);
		Stream<Object> awaited = Stream.generate(() -> template.receiveAndConvert(this.queue, 5000)).limit(expected);
		Stream<Object> more = Stream.generate(() -> template.receiveAndConvert(this.queue));
		return Stream.concat(awaited, more).takeWhile(Objects::nonNull).toList();
	}

	List<String> processed() {
		return this.context.getBean(Processed.class).values();
	}

	Admissions admissions() {
		return this.context.getBean(Admissions.class);
	}

	AbstractMessageListenerContainer container() {
		return (AbstractMessageListenerContainer) this.context.getBean(RabbitListenerEndpointRegistry.class)
			.getListenerContainers()
			.iterator()
			.next();
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
