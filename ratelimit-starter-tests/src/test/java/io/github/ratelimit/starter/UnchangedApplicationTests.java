package io.github.ratelimit.starter;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.starter.Application.Started;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
class UnchangedApplicationTests {

	private static final String STARTER = "ratelimit-spring-boot-starter";

	private static final Application UNDONE = Kind.REDIS.application()
		.withProperties("spring.cache.type=caffeine", "spring.data.redis.repositories.enabled=false",
				"management.health.redis.enabled=false");

	private static final Application SESSION_WITH_REDIS = Kind.SESSION.application()
		.with("spring-boot-starter-data-redis");

	/** All applications, of which as many start at a time as there are processors. */
	private static final Map<Application, CompletableFuture<Started>> STARTED = start();

	@ParameterizedTest
	@EnumSource
	void addsOnlyItsOwnBeansAndOneLine(Kind kind) {
		Started without = started(kind.application());
		Started with = started(kind.application().with(STARTER));
		assertThat(without.beans()).containsEntry(kind.beanName(), kind.beanType());
		assertThat(without.others()).isEqualTo(without);
		assertThat(with.beans()).containsKey("io.github.ratelimit.limiter");
		assertThat(with.others().beans()).isEqualTo(without.beans());
		assertThat(with.others().lines()).isEqualTo(without.lines());
		assertThat(with.ourLines()).singleElement()
			.asString()
			.startsWith("INFO ")
			.contains("Rate limits are counted in memory");
	}

	@Test
	void redisTakesTheCachesUnlessTheirTypeIsSet() {
		assertThat(started(Kind.REDIS.application()).type("cacheManager")).endsWith(".RedisCacheManager");
		assertThat(started(UNDONE).type("cacheManager")).endsWith(".CaffeineCacheManager");
	}

	@Test
	void redisLooksForRepositoriesUnlessItsOwnAreOff() {
		String line = "Spring Data Redis - Could not safely identify store assignment for repository candidate "
				+ "interface com.example.ItemRepository";
		assertThat(started(Kind.REDIS.application()).logs(line)).isTrue();
		assertThat(started(UNDONE).logs(line)).isFalse();
	}

	@Test
	void redisMakesOtherRepositoriesStrict() {
		String line = "Multiple Spring Data modules found, entering strict repository configuration mode";
		assertThat(started(Kind.CAFFEINE.application()).logs(line)).isFalse();
		assertThat(started(Kind.REDIS.application()).logs(line)).isTrue();
		assertThat(started(UNDONE).logs(line)).isTrue();
	}

	@Test
	void redisIsPartOfTheHealthUnlessThatIsOff() {
		assertThat(started(Kind.REDIS.application()).beans()).containsKey("redisHealthContributor");
		assertThat(started(UNDONE).beans()).doesNotContainKey("redisHealthContributor");
	}

	@Test
	void redisAddsTemplatesAndListenersAndReplacesNothingOnceItsChangesAreUndone() {
		assertThat(started(UNDONE).beans()).containsAllEntriesOf(started(Kind.CAFFEINE.application()).beans())
			.containsKeys("redisConnectionFactory", "stringRedisTemplate", "reactiveStringRedisTemplate",
					"redisMessageListenerContainer");
	}

	@Test
	void redisLeavesSessionsInTheStoreOfTheirStarter() {
		assertThat(started(SESSION_WITH_REDIS).beans())
			.containsAllEntriesOf(started(Kind.SESSION.application()).beans());
	}

	private static Map<Application, CompletableFuture<Started>> start() {
		ExecutorService threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
		Stream<Application> ofAllKinds = Stream.of(Kind.values())
			.map(Kind::application)
			.flatMap((application) -> Stream.of(application, application.with(STARTER)));
		Map<Application, CompletableFuture<Started>> started = Stream
			.concat(ofAllKinds, Stream.of(UNDONE, SESSION_WITH_REDIS))
			.collect(Collectors.toMap((application) -> application,
					(application) -> CompletableFuture.supplyAsync(application::start, threads)));
		threads.shutdown();
		return started;
	}

	private static Started started(Application application) {
		return Objects.requireNonNull(STARTED.get(application)).join();
	}

}
