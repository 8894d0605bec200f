package io.github.ratelimit.spring.web;

import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/**
 * Customized responses of Spring MVC.
 */
class ServletCustomResponseTests extends CustomResponseContract<WebApplicationContextRunner> {

	ServletCustomResponseTests() {
		super(MockedServer.SERVLET);
	}

}
