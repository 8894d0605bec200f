package io.github.ratelimit.spring.web.ended;

import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limited calls that end in every way that Spring MVC has.
 */
abstract class ServletEndedCallsContract extends EndedCallsContract {

	private static final Ending[] LATER = { Ending.COMPLETES, Ending.THROWS, Ending.FAILS, Ending.TIMES_OUT,
			Ending.CLIENT_LEAVES };

	ServletEndedCallsContract() {
		super(WebApplicationType.SERVLET, ServletEndingController.class, ServletEndingController.EndingService.class);
	}

	@Test
	void releasesThePermitOfAnErrorPage() {
		assertThat(status("/refused")).isEqualTo(410);
		Awaitility.await().untilAsserted(() -> assertThat(remaining("pages", "global")).isEqualTo(9));
	}

	@Override
	Stream<Arguments> ways() {
		Stream<Arguments> values = ways("value", Ending.COMPLETES, Ending.THROWS, Ending.CLIENT_LEAVES);
		Stream<Arguments> later = Stream.of("stage", "mono", "callable", "task", "deferred", "service", "forward")
			.flatMap((kind) -> ways(kind, LATER));
		Stream<Arguments> streams = Stream.of("flux", "emitter", "events", "events-entity", "stream", "stream-entity")
			.flatMap((kind) -> ways(kind, Ending.values()));
		return Stream.of(values, later, streams).flatMap((ways) -> ways);
	}

}
