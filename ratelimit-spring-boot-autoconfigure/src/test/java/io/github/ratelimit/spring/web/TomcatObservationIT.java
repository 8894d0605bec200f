package io.github.ratelimit.spring.web;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The observations of Spring MVC on Tomcat.
 */
class TomcatObservationIT extends ObservationContract {

	private static final ConfigurableApplicationContext CONTEXT = new SpringApplicationBuilder(Application.class)
		.web(WebApplicationType.SERVLET)
		.properties(PROPERTIES)
		.run();

	@AfterAll
	static void stop() {
		CONTEXT.close();
	}

	@Override
	ConfigurableApplicationContext context() {
		return CONTEXT;
	}

	@Test
	void nameThePolicyThatRefusesTheCallerOfABlockingMethod() throws InterruptedException {
		assertThatRefusalIsNamed("/listed");
	}

}
