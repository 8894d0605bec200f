package io.github.ratelimit.store.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The number of instances, on the memory store, which decides as Redis does.
 */
class InstanceCountTests {

	private static final long PERIOD = TimeUnit.NANOSECONDS.toSeconds(InstanceCount.PERIOD);

	private final AtomicLong micros = new AtomicLong(TimeUnit.DAYS.toMicros(20_000));

	private final List<StoreRequest> requests = new ArrayList<>();

	private TestStore store = new TestStore(this.micros::get);

	private final InstanceCount one = instance();

	private final InstanceCount two = instance();

	private final InstanceCount three = instance();

	@Test
	void knowsOnlyItselfBeforeTheFirstLook() {
		assertThat(this.one.known()).isOne();
	}

	@Test
	void knowsTheInstancesThatHaveLookedBefore() {
		look(this.one, this.two, this.three);
		assertThat(this.one.known()).isOne();
		assertThat(this.two.known()).isEqualTo(2);
		assertThat(this.three.known()).isEqualTo(3);
		after(PERIOD, this.one, this.two, this.three);
		assertThat(List.of(this.one, this.two, this.three)).extracting(InstanceCount::known).containsOnly(3);
	}

	@Test
	void sendsOneRequestInTenSecondsWhileItsPermitIsThere() {
		look(this.one);
		this.requests.clear();
		for (int second = 0; second < 60; second++) {
			after(1, this.one);
		}
		assertThat(this.requests).hasSize(6);
		assertThat(this.one.known()).isOne();
	}

	@Test
	void sendsNothingUnlessTheNumberIsUsed() {
		InstanceCount unused = new InstanceCount(this::execute, this::nanos);
		look(unused);
		unused.release();
		assertThat(this.requests).isEmpty();
	}

	@Test
	void forgetsAnInstanceThatHasDiedAfterItsLeaseAndTheLastLooks() {
		look(this.one, this.two);
		for (int look = 0; look < 3 + InstanceCount.LOOKS - 2; look++) {
			after(PERIOD, this.one);
			assertThat(this.one.known()).isEqualTo(2);
		}
		after(PERIOD, this.one);
		assertThat(this.one.known()).isOne();
	}

	@Test
	void forgetsAnInstanceThatWasShutDownAfterTheLastLooks() {
		look(this.one, this.two);
		after(PERIOD, this.one);
		this.two.release();
		for (int look = 0; look < InstanceCount.LOOKS - 1; look++) {
			after(PERIOD, this.one);
			assertThat(this.one.known()).isEqualTo(2);
		}
		after(PERIOD, this.one);
		assertThat(this.one.known()).isOne();
	}

	@Test
	void keepsTheNumberWhileTheStoreFails() {
		look(this.one, this.two);
		after(PERIOD, this.one, this.two);
		this.store.fail();
		for (int look = 0; look < 10; look++) {
			this.micros.addAndGet(TimeUnit.SECONDS.toMicros(PERIOD));
			assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(this.one::lookIfDue);
		}
		assertThat(this.one.known()).isEqualTo(2);
	}

	@Test
	void keepsTheNumberIfTheStoreComesBackEmptyForAMoment() {
		look(this.one, this.two);
		after(PERIOD, this.one, this.two);
		this.store = new TestStore(this.micros::get);
		after(PERIOD, this.one);
		assertThat(this.one.known()).isEqualTo(2);
		after(0, this.two);
		after(PERIOD, this.one, this.two);
		assertThat(List.of(this.one, this.two)).extracting(InstanceCount::known).containsOnly(2);
	}

	@Test
	void looksAgainAtOnceAfterAFailure() {
		this.store.fail();
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(this.one::lookIfDue);
		this.store.recover();
		look(this.one, this.two);
		assertThat(this.two.known()).isEqualTo(2);
	}

	@Test
	void ignoresAFailureToReportThatItHasGone() {
		look(this.one);
		this.store.fail();
		this.one.release();
		this.store.recover();
		look(this.two);
		assertThat(this.two.known()).isEqualTo(2);
	}

	private void after(long seconds, InstanceCount... instances) {
		this.micros.addAndGet(TimeUnit.SECONDS.toMicros(seconds));
		look(instances);
	}

	private static void look(InstanceCount... instances) {
		for (InstanceCount instance : instances) {
			instance.lookIfDue();
		}
	}

	private InstanceCount instance() {
		InstanceCount instance = new InstanceCount(this::execute, this::nanos);
		instance.countWhile(() -> true);
		return instance;
	}

	private Decision execute(StoreRequest request) {
		this.requests.add(request);
		return this.store.execute(request);
	}

	private long nanos() {
		return TimeUnit.MICROSECONDS.toNanos(this.micros.get());
	}

}
