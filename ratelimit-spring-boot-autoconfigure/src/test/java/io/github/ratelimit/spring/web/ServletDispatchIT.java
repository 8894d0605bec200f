package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.util.ContentCachingResponseWrapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dispatches that only servlet containers have.
 */
@SpringBootTest(classes = ContractApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=contract", "spring.main.web-application-type=servlet" })
@Import(ServletDispatchIT.Servlets.class)
class ServletDispatchIT {

	private final String client = UUID.randomUUID().toString();

	@LocalServerPort
	int port;

	@Autowired
	TestStore store;

	@Test
	void chargesARequestOnceThatIsForwarded() {
		assertThat(get("/open/forward").body()).isEqualTo("ok");
		assertThat(decisions()).containsExactly(List.of("rule"));
	}

	@Test
	void chargesARequestOnceThatIsIncluded() {
		assertThat(get("/open/include").body()).isEqualTo("ok");
		assertThat(decisions()).containsExactly(List.of("rule"));
	}

	@Test
	void chargesAMethodEachTimeThatItIsIncluded() {
		assertThat(get("/thrice").body()).contains("quota-exceeded").doesNotContain("ok");
		assertThat(decisions()).containsExactly(List.of("method"), List.of("method"), List.of("method"));
	}

	@Test
	void chargesAMethodThatIsForwardedToItself() {
		assertThat(get("/to-itself").body()).isEqualTo("ok");
		assertThat(decisions()).containsExactly(List.of("method"), List.of("method"));
		assertThat(get("/to-itself").status()).isEqualTo(429);
	}

	@Test
	void chargesARequestForThePathThatItIsForwardedTo() {
		assertThat(Stream.generate(() -> get("/elsewhere").status()).limit(3)).containsExactly(200, 200, 429);
		assertThat(get("/open/1").status()).isEqualTo(429);
	}

	@ParameterizedTest
	@CsvSource({ "X-Forward-First, /open/1", "X-Forward-First, /open/plain/1", "X-Forward-First, /first/1",
			"X-Forward-Between, /open/1", "X-Forward-Between, /open/plain/1", "X-Forward-Between, /first/1" })
	void chargesARequestForThePathThatAFilterForwardsItTo(String filter, String path) {
		Map<String, String> headers = Map.of("X-Client", this.client, filter, path);
		assertThat(Stream.generate(() -> new RealClient(this.port).send("GET", "/any", headers, "").status()).limit(3))
			.containsExactly(200, 200, 429);
		assertThat(get(path).status()).isEqualTo(429);
	}

	@Test
	void chargesADeniedRequestOnceForThePageThatAFilterForwardsItTo() {
		Map<String, String> headers = Map.of("X-Client", this.client, "X-Page", "/open/1");
		assertThat(
				Stream.generate(() -> new RealClient(this.port).send("GET", "/first/1", headers, "").status()).limit(3))
			.containsExactly(200, 200, 200);
		assertThat(this.store.policies(this.client + "-page")).containsExactly(List.of("rule"));
	}

	@Test
	void chargesARequestForThePathThatAnExceptionHandlerForwardsItTo() {
		assertThat(Stream.generate(() -> get("/boom").status()).limit(3)).containsExactly(200, 200, 429);
	}

	@Test
	void chargesARequestOnceThatAFilterForwardsToAnotherPathOfItsRule() {
		Map<String, String> headers = Map.of("X-Client", this.client, "X-Forward-Between", "/first/1");
		assertThat(new RealClient(this.port).send("GET", "/first/2", headers, "").status()).isEqualTo(200);
		assertThat(decisions()).containsExactly(List.of("rule"));
	}

	@Test
	void chargesAMethodOnceThatIsDispatchedAgain() {
		assertThat(get("/again").body()).isEqualTo("ok");
		assertThat(decisions()).containsExactly(List.of("method"));
	}

	@Test
	void chargesARequestThatArrivesByAnAsynchronousDispatch() {
		Map<String, String> headers = Map.of("X-Client", this.client, "X-Async", "yes");
		assertThat(
				Stream.generate(() -> new RealClient(this.port).send("GET", "/open/1", headers, "").status()).limit(3))
			.containsExactly(200, 200, 429);
		assertThat(decisions()).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "//open/plain/1", "/./open/plain/1", "/open/./plain/1", "/open//plain/1",
			"/open;v=1/plain/1", "/op%65n/plain/1", "/%2e/open/plain/1", "/x/../open/plain/1", "/open/plain/1;v=1" })
	void countsEverySpellingOfThePathOfAServletTogether(String spelling) {
		assertThat(get("/open/plain/1").body()).isEqualTo("plain");
		assertThat(get("/open/plain/1").body()).isEqualTo("plain");
		assertThat(get(spelling).status()).isEqualTo(429);
	}

	/** A step up for the container is a path variable for Spring MVC. */
	@Test
	void countsAPathAsSpringMvcReadsItToo() {
		assertThat(get("/open/1/deep").status()).isEqualTo(200);
		assertThat(get("/open/%2e%2e/deep").body()).isEqualTo("deep");
		assertThat(get("/open/%2e%2e/deep").status()).isEqualTo(429);
	}

	private List<List<String>> decisions() {
		return this.store.policies(this.client);
	}

	private Response get(String path) {
		return new RealClient(this.port).send("GET", path, Map.of("X-Client", this.client), "");
	}

	@TestConfiguration(proxyBeanMethods = false)
	@Import(Dispatching.class)
	static class Servlets {

		@Bean
		ServletRegistrationBean<PlainServlet> plain() {
			return new ServletRegistrationBean<>(new PlainServlet(), "/open/plain/*");
		}

		@Bean
		FilterRegistrationBean<Filter> asynchronous() {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
				if (request.getDispatcherType() == DispatcherType.REQUEST
						&& ((HttpServletRequest) request).getHeader("X-Async") != null) {
					request.startAsync().dispatch();
				}
				else {
					chain.doFilter(request, response);
				}
			});
			registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
			registration.setAsyncSupported(true);
			registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
			return registration;
		}

		@Bean
		FilterRegistrationBean<Filter> forwardingFirst() {
			return forwarding("X-Forward-First", Ordered.HIGHEST_PRECEDENCE + 1);
		}

		@Bean
		FilterRegistrationBean<Filter> forwardingDenials() {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
				String page = ((HttpServletRequest) request).getHeader("X-Page");
				ContentCachingResponseWrapper cached = new ContentCachingResponseWrapper(
						(HttpServletResponse) response);
				chain.doFilter(request, (page != null) ? cached : response);
				if (page != null && cached.getStatus() == 429) {
					cached.reset();
					request.getRequestDispatcher(page).forward(new OtherClient((HttpServletRequest) request), response);
				}
				else {
					cached.copyBodyToResponse();
				}
			});
			registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
			return registration;
		}

		@Bean
		FilterRegistrationBean<Filter> forwardingBetween() {
			return forwarding("X-Forward-Between", -95);
		}

		private static FilterRegistrationBean<Filter> forwarding(String header, int order) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
				String path = ((HttpServletRequest) request).getHeader(header);
				if (path != null) {
					request.getRequestDispatcher(path).forward(request, response);
				}
				else {
					chain.doFilter(request, response);
				}
			});
			registration.setOrder(order);
			return registration;
		}

	}

	private static final class OtherClient extends HttpServletRequestWrapper {

		OtherClient(HttpServletRequest request) {
			super(request);
		}

		@Override
		public String getHeader(String name) {
			String value = super.getHeader(name);
			return "X-Client".equals(name) ? value + "-page" : value;
		}

		@Override
		public Enumeration<String> getHeaders(String name) {
			return "X-Client".equals(name) ? Collections.enumeration(List.of(getHeader(name))) : super.getHeaders(name);
		}

	}

	@RestController
	static class Dispatching {

		@GetMapping("/open/forward")
		void forward(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
			request.getRequestDispatcher("/open/1").forward(request, response);
		}

		@GetMapping("/open/include")
		void include(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
			request.getRequestDispatcher("/open/1").include(request, response);
		}

		@GetMapping("/open/{id}/deep")
		String deep() {
			return "deep";
		}

		@GetMapping("/thrice")
		void includeThrice(HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			for (int i = 0; i < 3; i++) {
				request.getRequestDispatcher("/method").include(request, response);
			}
		}

		@GetMapping({ "/to-itself", "/forwarded" })
		@RateLimited("method")
		void forwardToItself(HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			if (request.getDispatcherType() == DispatcherType.REQUEST) {
				request.getRequestDispatcher("/forwarded").forward(request, response);
			}
			else {
				response.getWriter().write("ok");
			}
		}

		@GetMapping("/elsewhere")
		void forwardElsewhere(HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			request.getRequestDispatcher("/open/1").forward(request, response);
		}

		@GetMapping("/boom")
		String fail() {
			throw new UnsupportedOperationException();
		}

		@ExceptionHandler(UnsupportedOperationException.class)
		ModelAndView fallback() {
			return new ModelAndView("forward:/open/1");
		}

		@GetMapping("/again")
		@RateLimited("method")
		void again(HttpServletRequest request, HttpServletResponse response) throws IOException {
			if (request.getDispatcherType() == DispatcherType.REQUEST) {
				request.startAsync().dispatch();
			}
			else {
				response.getWriter().write("ok");
			}
		}

	}

}
