package io.github.ratelimit.spring.web;

import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.util.Map;

import io.github.ratelimit.store.TestStore;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MockMvcTester.MockMvcRequestBuilder;

/**
 * Spring MVC without a server.
 */
@SpringBootTest(classes = ContractApplication.class,
		properties = { "spring.config.name=contract", "spring.main.web-application-type=servlet" })
@AutoConfigureMockMvc
class MockMvcTests extends HttpContract {

	@Autowired
	MockMvcTester mvc;

	@Autowired
	TestStore store;

	@Override
	TestStore store() {
		return this.store;
	}

	@Override
	Response send(String method, String path, Map<String, String> headers, String body) {
		MockMvcRequestBuilder request = this.mvc.method(HttpMethod.valueOf(method))
			.uri(URI.create("http://localhost" + path))
			.content(body);
		headers.forEach(request::header);
		MockHttpServletResponse response = request.exchange().getResponse();
		try {
			HttpHeaders received = new HttpHeaders();
			response.getHeaderNames().forEach((name) -> received.addAll(name, response.getHeaders(name)));
			return new Response(response.getStatus(), response.getContentAsString(), received);
		}
		catch (UnsupportedEncodingException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
