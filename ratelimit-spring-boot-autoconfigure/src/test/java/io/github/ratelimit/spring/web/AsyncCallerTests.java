package io.github.ratelimit.spring.web;

import java.util.concurrent.Callable;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who the caller is where a request goes on with another thread.
 */
class AsyncCallerTests {

	private final WebApplicationContextRunner context = new WebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class,
				HttpMessageConvertersAutoConfiguration.class, WebMvcAutoConfiguration.class))
		.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.one.limits=1/1h",
				"ratelimit.policies.one.key=client-ip")
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(Service.class)
		.withBean(Controller.class);

	@Test
	void isKnownWhereSpringGoesOnWithTheRequest() {
		this.context.run((context) -> {
			MockMvcTester mvc = MockMvcTester.from(context);
			assertThat(from(mvc, "192.0.2.1")).hasStatusOk();
			assertThat(from(mvc, "192.0.2.1")).hasStatus(429);
			assertThat(from(mvc, "192.0.2.2")).hasStatusOk();
			assertThat(context.getBean(MeterRegistry.class).find("ratelimit.missing.keys").counters())
				.allMatch((missing) -> missing.count() == 0);
		});
	}

	@Test
	void isCountedWhereNoRequestIsKnown() {
		this.context.run((context) -> {
			assertThat(context.getBean(Service.class).call()).isEqualTo("ok");
			assertThat(context.getBean(MeterRegistry.class)
				.get("ratelimit.missing.keys")
				.tag("policy", "one")
				.counter()
				.count()).isOne();
		});
	}

	private static MvcTestResult from(MockMvcTester mvc, String address) {
		return mvc.get().uri("/later").with((request) -> {
			request.setRemoteAddr(address);
			return request;
		}).exchange();
	}

	@RestController
	static class Controller {

		private final Service service;

		Controller(Service service) {
			this.service = service;
		}

		@GetMapping("/later")
		Callable<String> later() {
			return this.service::call;
		}

	}

	static class Service {

		@RateLimited("one")
		public String call() {
			return "ok";
		}

	}

}
