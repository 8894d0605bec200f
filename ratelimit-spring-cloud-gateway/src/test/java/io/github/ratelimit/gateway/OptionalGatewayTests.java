package io.github.ratelimit.gateway;

import io.github.ratelimit.gateway.autoconfigure.RateLimitGatewayWebFluxAutoConfiguration;
import io.github.ratelimit.gateway.autoconfigure.RateLimitGatewayWebMvcAutoConfiguration;
import io.github.ratelimit.gateway.webmvc.PropertyRoutesPostProcessor;
import io.github.ratelimit.spring.web.reactive.GatewayRoutes;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class OptionalGatewayTests {

	private static final AutoConfigurations WIRING = AutoConfigurations
		.of(RateLimitGatewayWebFluxAutoConfiguration.class, RateLimitGatewayWebMvcAutoConfiguration.class);

	private static final FilteredClassLoader WITHOUT = new FilteredClassLoader("org.springframework.cloud.gateway");

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(WIRING);

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner().withConfiguration(WIRING);

	@Test
	void wiresNothingWithoutAGateway() {
		this.reactive.withClassLoader(WITHOUT)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GatewayRoutes.class));
		this.servlet.withClassLoader(WITHOUT)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(PropertyRoutesPostProcessor.class));
	}

	@Test
	void wiresNothingIntoAGatewayThatIsDisabled() {
		this.reactive.withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GatewayRoutes.class));
		this.servlet.withPropertyValues("spring.cloud.gateway.server.webmvc.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(PropertyRoutesPostProcessor.class));
	}

	@Test
	void wiresTheFlavourOfTheApplication() {
		this.servlet.run((context) -> assertThat(context).hasSingleBean(PropertyRoutesPostProcessor.class)
			.doesNotHaveBean(GatewayRoutes.class));
	}

}
