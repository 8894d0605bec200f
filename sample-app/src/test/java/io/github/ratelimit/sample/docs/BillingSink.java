package io.github.ratelimit.sample.docs;

import java.util.List;

import io.github.ratelimit.spring.consumption.ConsumptionRecord;
import io.github.ratelimit.spring.consumption.ConsumptionSink;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * A sink that passes records on to a billing system.
 */
@Profile("docs")
@Component
class BillingSink implements ConsumptionSink {

	private final RestClient billing;

	BillingSink(RestClient.Builder client) {
		this.billing = client.baseUrl("https://billing.example").build();
	}

	@Override
	public void receive(List<ConsumptionRecord> records) {
		this.billing.post().uri("/consumption").body(records).retrieve().toBodilessEntity();
	}

}
