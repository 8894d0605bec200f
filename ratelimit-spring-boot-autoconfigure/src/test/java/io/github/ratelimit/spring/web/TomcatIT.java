package io.github.ratelimit.spring.web;

import java.util.Map;

import io.github.ratelimit.store.TestStore;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * Spring MVC on the Tomcat that the application brings.
 */
@SpringBootTest(classes = ContractApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=contract", "spring.main.web-application-type=servlet" })
class TomcatIT extends HttpContract {

	@LocalServerPort
	int port;

	@Autowired
	TestStore store;

	@Override
	TestStore store() {
		return this.store;
	}

	@Override
	Response send(String method, String path, Map<String, String> headers, String body) {
		return new RealClient(this.port).send(method, path, headers, body);
	}

}
