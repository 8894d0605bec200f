package io.github.ratelimit.spring.web.ended;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;

import org.springframework.boot.web.server.servlet.ServletWebServerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs in the profile {@code faults} alone, with Jetty on the class path.
 */
class EndedCallsOnJetty extends ServletEndedCallsContract {

	/**
	 * Leaves out streams of a publisher, which have no timeout: if the client leaves at
	 * their very start, Jetty sometimes tells neither Spring MVC nor its listeners.
	 */
	@Override
	Stream<Arguments> ways() {
		return super.ways().filter((way) -> !List.of(way.get()).equals(List.of("flux", Ending.CLIENT_LEAVES)));
	}

	@Test
	void runsOnJetty() {
		assertThat(bean(ServletWebServerFactory.class).getClass().getSimpleName()).startsWith("Jetty");
	}

}
