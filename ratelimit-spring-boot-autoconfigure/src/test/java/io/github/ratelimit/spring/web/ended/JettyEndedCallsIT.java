package io.github.ratelimit.spring.web.ended;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.server.servlet.ServletWebServerFactory;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("jetty")
class JettyEndedCallsIT extends ServletEndedCallsContract {

	@Test
	void runsOnJetty() {
		assertThat(bean(ServletWebServerFactory.class).getClass().getSimpleName()).startsWith("Jetty");
	}

}
