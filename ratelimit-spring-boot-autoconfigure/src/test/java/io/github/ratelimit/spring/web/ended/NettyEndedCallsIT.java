package io.github.ratelimit.spring.web.ended;

import java.util.stream.Stream;

import org.junit.jupiter.params.provider.Arguments;

import org.springframework.boot.WebApplicationType;

class NettyEndedCallsIT extends EndedCallsContract {

	NettyEndedCallsIT() {
		super(WebApplicationType.REACTIVE);
	}

	@Override
	Stream<Arguments> ways() {
		Stream<Arguments> stages = ways("stage", Ending.COMPLETES, Ending.THROWS, Ending.FAILS, Ending.CLIENT_LEAVES);
		Stream<Arguments> monos = ways("mono", Ending.COMPLETES, Ending.THROWS, Ending.FAILS, Ending.TIMES_OUT,
				Ending.CLIENT_LEAVES);
		Stream<Arguments> streams = Stream.of("flux", "entity").flatMap((kind) -> ways(kind, Ending.values()));
		return Stream.of(stages, monos, streams).flatMap((ways) -> ways);
	}

}
