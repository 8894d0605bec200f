package io.github.ratelimit.spring.consumption;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of the end of an application whose sink hangs. */
@Timeout(30)
class ConsumptionEndTests {

	private final CountDownLatch received = new CountDownLatch(1);

	private final CountDownLatch end = new CountDownLatch(1);

	private final ConsumptionDelivery delivery = new ConsumptionDelivery(() -> (records) -> {
		this.received.countDown();
		await(this.end);
	}, 100_000, true);

	@Test
	void countsWhatTheSinkDidNotTakeAsLost() {
		this.delivery.add(totals("alice", "bob"));
		this.delivery.deliverWithin(Duration.ofMillis(50));
		await(this.received);
		this.delivery.add(totals("carol"));
		this.delivery.deliverWithin(Duration.ofMillis(50));
		this.delivery.close();
		assertThat(this.delivery.lost()).isEqualTo(3);
		this.end.countDown();
		this.delivery.deliverWithin(Duration.ofSeconds(30));
		assertThat(this.delivery.lost()).isEqualTo(3);
		assertThat(this.delivery.pending()).isZero();
	}

	private static IntervalTotals totals(String... keys) {
		IntervalTotals totals = new IntervalTotals(0, Duration.ofMinutes(1), 100);
		for (String key : keys) {
			totals.add("api", key, 1, 1);
		}
		return totals;
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
