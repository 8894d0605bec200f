package io.github.ratelimit.spring.web;

import org.junit.jupiter.api.Tag;

import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/**
 * Customized responses of Spring MVC.
 */
@Tag("long")
class ServletCustomResponseTests extends CustomResponseContract<WebApplicationContextRunner> {

	ServletCustomResponseTests() {
		super(MockedServer.SERVLET);
	}

}
