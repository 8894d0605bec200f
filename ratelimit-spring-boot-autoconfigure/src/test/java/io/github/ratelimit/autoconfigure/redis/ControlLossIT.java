package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.ControlEvent;
import io.github.ratelimit.spring.control.ControlledInstance;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.spring.redis.driver.DedicatedConnectionFactory;
import io.lettuce.core.RestoreArgs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Controls of instances whose Redis loses some of what they know. The instances look for
 * changes when a test lets them.
 */
@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
class ControlLossIT {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration HOUR = Duration.ofHours(1);

	private static final String HASH = "controls:1:{controls}";

	private final RedisProcess redis = RedisProcess.start();

	private final List<AutoCloseable> open = new ArrayList<>();

	private RedisControlStore store;

	private ControlledInstance one;

	private ControlledInstance other;

	@BeforeEach
	void create() {
		this.store = new RedisControlStore(connections(), "controls");
		this.open.add(this.store);
		this.one = instance();
		this.other = instance();
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.open) {
			each.close();
		}
		this.redis.close();
	}

	@Test
	void areWrittenBackOnceWithinASecondOfAFlush(CapturedOutput output) {
		List<String> keys = IntStream.range(0, 50).mapToObj((number) -> "principal:caller-" + number).toList();
		keys.forEach((key) -> this.one.controls().set(new Ban("api", key), HOUR));
		Map<String, Instant> before = inEffect(this.one);
		this.one.start();
		this.other.start();
		await().atMost(SECOND).until(() -> inEffect(this.other).equals(before));
		this.redis.commands().flushall();
		await().pollInterval(Duration.ofMillis(5)).atMost(SECOND).until(() -> {
			assertThat(areBanned(this.one, keys) && areBanned(this.other, keys)).isTrue();
			return stored().size() == 50;
		});
		ControlledInstance started = instance();
		look(started, this.one, this.other);
		assertThat(Stream.of(this.one, this.other, started)).allSatisfy((each) -> {
			assertThat(inEffect(each)).isEqualTo(before);
			assertThat(areBanned(each, keys)).isTrue();
		});
		assertThat(this.one.controls().restored() + this.other.controls().restored()).isEqualTo(50);
		assertThat(output).containsOnlyOnce(
				"The store has lost controls: 50 were written back, and 0 that had been lifted were dropped again");
		assertThat(output.getOut()).doesNotContain("caller-7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "allkeys-lru", "allkeys-random", "volatile-ttl" })
	void staySetWhileAFloodOfKeysMakesRedisEvict(String policy) {
		ban("alice");
		this.one.start();
		this.other.start();
		this.redis.commands().configSet("maxmemory", "6mb");
		this.redis.commands().configSet("maxmemory-policy", policy);
		for (int key = 0; key < 60_000; key++) {
			this.redis.commands()
				.psetex("flood:" + key, HOUR.toMillis(), "a count of about as many bytes as others have");
			if (key % 100 == 0) {
				assertThat(areBanned(this.one, List.of("principal:alice"))).isTrue();
			}
		}
		assertThat(this.redis.commands().info("stats")).doesNotContain("evicted_keys:0");
		await().atMost(SECOND).until(() -> stored().size() == 1);
		ControlledInstance started = instance();
		look(started);
		assertThat(areBanned(started, List.of("principal:alice"))).isTrue();
	}

	@Test
	void areWrittenBackToAServerThatRestartsEmpty() {
		ban("alice");
		this.one.start();
		this.other.start();
		this.redis.kill();
		this.redis.restart();
		await().atMost(SECOND.multipliedBy(5)).until(() -> stored().size() == 1);
		assertThat(areBanned(this.one, List.of("principal:alice"))).isTrue();
	}

	@Test
	void areWhatTheyWereOnAServerThatRestartsWithOlderData() {
		ActiveControl lifted = ban("lifted");
		this.redis.commands().save();
		ban("alice");
		assertThat(this.one.controls().lift(lifted.id())).isTrue();
		this.redis.kill();
		this.redis.restart();
		assertThat(stored()).containsOnlyKeys(lifted.id());
		await().atMost(SECOND.multipliedBy(5)).ignoreExceptions().until(() -> {
			look(this.one, this.other);
			return true;
		});
		assertInEffectEverywhere("alice");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ":revisions", ":ends" })
	void areWrittenBackAfterOneOfTheirKeysIsGone(String key) {
		ban("alice");
		look(this.one, this.other);
		this.redis.commands().del(HASH + key);
		look(this.other, this.one);
		assertInEffectEverywhere("alice");
		assertThat(this.redis.commands().zrange(HASH + ":ends", 0, -1)).hasSameElementsAs(stored().keySet());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ":revisions", ":ends" })
	void areWrittenBackAfterAControlWasSetWhereOneOfTheirKeysIsGone(String key) {
		ban("alice");
		look(this.one, this.other);
		this.redis.commands().del(HASH + key);
		put("bob");
		look(this.other, this.one, this.other);
		assertInEffectEverywhere("alice", "bob");
		assertThat(this.redis.commands().zrange(HASH + ":ends", 0, -1)).hasSameElementsAs(stored().keySet());
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void areNotSetAgainAfterTheyWereLifted(boolean liftedKnownFirst) {
		ActiveControl lifted = ban("lifted");
		ban("alice");
		look(this.other);
		this.one.controls().lift(lifted.id());
		this.redis.commands().flushall();
		look(liftedKnownFirst ? this.one : this.other);
		look(this.one, this.other);
		assertInEffectEverywhere("alice");
	}

	@Test
	void areNotSetAgainAfterTheLastOneWasLifted() {
		ActiveControl lifted = ban("lifted");
		look(this.other);
		this.one.controls().lift(lifted.id());
		this.redis.commands().flushall();
		look(this.one, this.other, this.one, this.other, this.one);
		assertInEffectEverywhere();
		assertThat(this.other.controls().restored()).isOne();
	}

	@Test
	void areNotSetAgainByAnInstanceThatWasCutOff() {
		ActiveControl lifted = ban("lifted");
		ban("alice");
		ControlledInstance cutOff = instance();
		look(cutOff);
		this.one.controls().lift(lifted.id());
		for (int loss = 0; loss < 2; loss++) {
			this.redis.commands().flushall();
			look(this.one, this.other);
		}
		look(cutOff, this.one, this.other);
		assertInEffectEverywhere("alice");
		assertThat(inEffect(cutOff)).hasSize(1);
	}

	@Test
	void areSetInTheMomentOfALoss() {
		ban("alice");
		ban("bob");
		look(this.other);
		this.redis.commands().flushall();
		ControlledInstance started = instance();
		started.controls().set(new Ban("api", "principal:carol"), HOUR);
		look(this.one, started, this.other, started, this.one);
		assertInEffectEverywhere("alice", "bob", "carol");
		assertThat(inEffect(started)).isEqualTo(inEffect(this.one));
	}

	@Test
	void areLiftedOrReplacedInTheMomentOfALoss() {
		ActiveControl lifted = ban("lifted");
		ban("alice");
		look(this.one, this.other);
		this.redis.commands().flushall();
		this.store.remove(lifted.id());
		Instant later = Instant.now().plus(HOUR.multipliedBy(2)).truncatedTo(ChronoUnit.MICROS);
		put("alice", later);
		look(this.other, this.one);
		assertInEffectEverywhere("alice");
		assertThat(inEffect(this.one).values()).containsExactly(later);
	}

	@Test
	void takeEffectAtOnceWhereTheyAreSetOrLiftedInTheMomentOfALoss() {
		ActiveControl lifted = ban("lifted");
		ban("alice");
		look(this.other);
		this.redis.commands().flushall();
		assertThat(this.one.controls().lift(lifted.id())).isTrue();
		assertThat(areBanned(this.one, List.of("principal:lifted"))).isFalse();
		this.one.controls().set(new Ban("api", "principal:bob"), HOUR);
		assertThat(areBanned(this.one, List.of("principal:alice", "principal:bob"))).isTrue();
		assertInEffectEverywhere("alice", "bob");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "bob", "alice" })
	void areWhatTheyWereOnAReplicaThatLags(String setMeanwhile) {
		ActiveControl lifted = ban("lifted");
		Map<String, byte[]> replica = new TreeMap<>();
		ControlledInstance behind = instance();
		look(behind);
		List<String> keys = List.of(HASH, HASH + ":revisions", HASH + ":ends");
		keys.forEach((key) -> replica.put(key, this.redis.commands().dump(key)));
		this.one.controls().lift(lifted.id());
		ban("carol");
		ban("alice");
		look(this.other);
		replica.forEach((key, value) -> this.redis.commands().restore(key, value, new RestoreArgs().replace()));
		if (!setMeanwhile.isEmpty()) {
			behind.controls().set(new Ban("api", "principal:" + setMeanwhile), HOUR);
		}
		look(this.other, this.one, behind);
		assertInEffectEverywhere(Stream.of("alice", "carol", setMeanwhile)
			.filter(Predicate.not(String::isEmpty))
			.distinct()
			.toArray(String[]::new));
		assertThat(inEffect(behind)).isEqualTo(inEffect(this.one));
	}

	@Test
	void leaveRedisWhenTheyEnd() {
		ActiveControl ban = this.one.controls().set(new Ban("api", "principal:alice"), Duration.ofMillis(300));
		ActiveControl staying = this.one.controls().set(new Ban("api", "principal:bob"), null);
		assertThat(stored()).containsOnlyKeys(ban.id(), staying.id());
		this.one.start();
		this.other.start();
		await().atMost(SECOND.multipliedBy(2)).until(() -> stored().keySet().equals(Set.of(staying.id())));
		assertThat(this.redis.commands().zrange(HASH + ":ends", 0, -1)).containsExactly(staying.id());
		assertThat(this.redis.commands().zrange(HASH + ":revisions", 0, -1)).containsExactly(staying.id());
		this.one.close();
		this.other.close();
		await().atMost(SECOND)
			.until(() -> Stream.of(this.one, this.other).flatMap((each) -> each.events().stream()).count() == 1);
		assertThat(Stream.of(this.one, this.other).flatMap((each) -> each.events().stream()))
			.containsExactly(new ControlEvent(ControlEvent.Kind.ENDED, ban.id(), ban));
	}

	@Test
	void leaveNothingInRedisWhenTheLastOneEnds() {
		this.one.controls().set(new Ban("api", "principal:alice"), Duration.ofMillis(200));
		await().atMost(SECOND.multipliedBy(2)).until(() -> {
			look(this.one, this.other);
			return this.redis.commands().keys("controls*").isEmpty();
		});
		look(this.one, this.other);
		ban("bob");
		assertInEffectEverywhere("bob");
		assertThat(this.one.controls().restored() + this.other.controls().restored()).isZero();
	}

	@Test
	void areReadAndEndWhileRedisHasNoMemory() {
		this.one.controls().set(new Ban("api", "principal:alice"), Duration.ofMillis(200));
		ban("bob");
		this.redis.commands().configSet("maxmemory", "1mb");
		await().atMost(SECOND.multipliedBy(2)).until(() -> {
			look(this.one, this.other);
			return stored().size() == 1;
		});
		assertInEffectEverywhere("bob");
	}

	private ActiveControl ban(String principal) {
		ActiveControl ban = this.one.controls().set(new Ban("api", "principal:" + principal), HOUR);
		look(this.other);
		return ban;
	}

	/** Sets a ban as an instance does that knows nothing else. */
	private void put(String principal) {
		put(principal, Instant.now().plus(HOUR));
	}

	private void put(String principal, Instant until) {
		RedisControlStore fresh = new RedisControlStore(connections(), "controls");
		this.open.add(fresh);
		String id = new ActiveControl(new Ban("api", "principal:" + principal), Instant.now(), null).id();
		assertThat(fresh.put(id, "v=1&kind=ban&since=2026-11-22T10:00:00Z&until=" + until
				+ "&origin=application&policy=api&key=principal:" + principal, until))
			.isTrue();
	}

	private void assertInEffectEverywhere(String... principals) {
		look(this.one, this.other);
		ControlledInstance started = instance();
		look(started);
		assertThat(Stream.of(this.one, this.other, started))
			.allSatisfy((each) -> assertThat(each.controls().active()).extracting(ActiveControl::control)
				.containsExactlyInAnyOrderElementsOf(
						Stream.of(principals).map((name) -> new Ban("api", "principal:" + name)).toList()));
	}

	private static void look(ControlledInstance... instances) {
		Stream.of(instances).forEach((each) -> each.controls().refresh());
	}

	private static boolean areBanned(ControlledInstance instance, Collection<String> keys) {
		return keys.stream().allMatch((key) -> instance.policies().controls().of("api", key).banned());
	}

	private static Map<String, Instant> inEffect(ControlledInstance instance) {
		Map<String, Instant> ends = new TreeMap<>();
		instance.controls().active().forEach((active) -> ends.put(active.id(), active.until()));
		return ends;
	}

	/** Returns the stored controls, without the state of the store. */
	private Map<String, String> stored() {
		Map<String, String> stored = this.redis.commands().hgetall(HASH);
		stored.keySet().removeIf((field) -> field.startsWith(":"));
		return stored;
	}

	private ControlledInstance instance() {
		RedisRateLimitStore counts = counts();
		RedisControlStore controls = new RedisControlStore(connections(), "controls");
		ControlledInstance instance = new ControlledInstance(counts, controls);
		this.open.addAll(List.of(instance, controls, counts));
		return instance;
	}

	private RedisRateLimitStore counts() {
		return RedisRateLimitStore.dedicated(new LettuceConnectionFactory("127.0.0.1", this.redis.port()), "controls",
				SECOND, SECOND, "ratelimit:counts");
	}

	private DedicatedConnectionFactory connections() {
		return DedicatedConnectionFactory.like(new LettuceConnectionFactory("127.0.0.1", this.redis.port()), SECOND,
				"ratelimit:controls");
	}

}
