package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;

import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.junit.jupiter.api.AfterAll;

import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.mock.web.MockServletContext;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MockMvcTester.MockMvcRequestBuilder;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;

/**
 * Spring MVC, with peers of any address.
 */
class ServletIdentityTests extends IdentityContract {

	private static final AnnotationConfigWebApplicationContext CONTEXT = application();

	private static final MockMvcTester MVC = MockMvcTester.from(CONTEXT);

	@AfterAll
	static void stop() {
		CONTEXT.close();
	}

	@Override
	int status(String path, String peer, Map<String, List<String>> headers) {
		MockMvcRequestBuilder request = MVC.get().uri(path).with((made) -> {
			made.setRemoteAddr(peer);
			return made;
		});
		headers.forEach((name, values) -> request.header(name, values.toArray()));
		return request.exchange().getResponse().getStatus();
	}

	@Override
	String sendable(String value) {
		return value;
	}

	private static AnnotationConfigWebApplicationContext application() {
		AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
		context.setServletContext(new MockServletContext());
		TestPropertyValues.of(IdentityApplication.properties()).applyTo(context);
		context.register(Configurations.getClasses(RateLimitContext.AUTO_CONFIGURATIONS));
		context.register(JacksonAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class,
				WebMvcAutoConfiguration.class, IdentityApplication.Controller.class);
		context.refresh();
		return context;
	}

}
