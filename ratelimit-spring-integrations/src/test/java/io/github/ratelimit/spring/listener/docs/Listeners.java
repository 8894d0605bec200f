package io.github.ratelimit.spring.listener.docs;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.RateLimited;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.messaging.handler.annotation.Header;

/**
 * The listeners that the page shows.
 */
class Listeners {

	private final List<Object> received = new ArrayList<>();

	@KafkaListener(topics = "invoices")
	@RateLimited("invoices")
	void send(Invoice invoice) {
		this.received.add(invoice);
	}

	@RabbitListener(queues = "mails")
	@RateLimited(policy = "mails", key = "#tenant")
	void send(Mail mail, @Header("tenant") String tenant) {
		this.received.add(mail);
	}

	@KafkaListener(topics = "views", batch = "true")
	@RateLimited(policy = "views", cost = "#views.size()")
	void store(List<View> views) {
		this.received.addAll(views);
	}

	/** An invoice to send. */
	record Invoice(String number) {

	}

	/** A mail to send. */
	record Mail(String address) {

	}

	/** A view of a page to store. */
	record View(String page) {

	}

}
