package io.github.ratelimit.spring.actuate;

import java.time.Instant;
import java.util.List;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.github.ratelimit.spring.actuate.HttpOneClient.Response;
import io.github.ratelimit.spring.finding.LastReload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverters.ServerBuilder;
import org.springframework.http.converter.json.GsonHttpMessageConverter;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.http.converter.json.JsonbHttpMessageConverter;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoints in applications on Spring MVC that write JSON by each of the libraries.
 * WebFlux writes single objects by Jackson alone.
 */
class EndpointJsonTests {

	private static final String KEY = "client-ip:192.0.2.1";

	@ParameterizedTest
	@EnumSource
	void writesAndReadsControlsAndReports(Library library) {
		try (ConfigurableApplicationContext application = application(library)) {
			DocumentContext set = json(application, "POST /actuator/ratelimitcontrols/grant",
					"{'policy': 'open', 'key': '" + KEY + "', 'permits': 5, 'duration': '1h'}");
			assertThat(Instant.parse(set.read("$.since"))).isBefore(Instant.parse(set.read("$.until")));
			assertThat(set.<Integer>read("$.effect.permits")).isEqualTo(5);
			json(application, "POST /actuator/ratelimitcontrols/change",
					"{'policy': 'open', 'mode': 'shadow', 'for': 'ever'}");
			assertThat(get(application, "ratelimitcontrols").<List<String>>read("$.controls[*].kind"))
				.containsExactlyInAnyOrder("change", "grant");
			DocumentContext look = get(application, "ratelimits/open?key=" + KEY);
			assertThat(look.<Integer>read("$.limits[0].remaining")).isEqualTo(2);
			assertThat(look.<List<String>>read("$.controls[*].kind")).contains("grant");
			assertThat(get(application, "ratelimits/open/top").<Integer>read("$.denied.total")).isZero();
			assertThat(get(application, "ratelimits/*/top").<List<String>>read("$.spent")).isEmpty();
			assertThat(json(application, "POST /actuator/ratelimitcontrols/explain",
					"{'method': 'GET', 'path': '/open', 'address': '192.0.2.1'}")
				.<Integer>read("$.rules[0].charges[0].left.limits[0].remaining")).isEqualTo(2);
			assertPolicies(application);
			assertSeveral(application);
		}
	}

	private static void assertSeveral(ConfigurableApplicationContext application) {
		DocumentContext set = json(application, "POST /actuator/ratelimitcontrols/ban",
				"{'policy': '*', 'keys': '" + KEY + ", client-ip:192.0.2.2', 'duration': '1h'}");
		assertThat(set.<List<String>>read("$.set[*].key")).containsExactly(KEY, "client-ip:192.0.2.2");
		assertThat(get(application, "ratelimits/*?key=" + KEY).<List<String>>read("$.policies.open.controls[*].kind"))
			.containsExactlyInAnyOrder("ban", "grant", "change");
	}

	private static void assertPolicies(ConfigurableApplicationContext application) {
		application.getBean(LastReload.class).refused("wrong");
		DocumentContext report = get(application, "ratelimits");
		assertThat(Instant.parse(report.read("$.reload.at"))).isBefore(Instant.now());
		assertThat(Instant.parse(report.read("$.configuration.since"))).isBefore(Instant.now());
		assertThat(report.<String>read("$.configuration.digest")).hasSize(16);
		assertThat(report.<String>read("$.store")).isEqualTo("memory");
		assertThat(report.<String>read("$.policies.open.limits[0].rate")).isEqualTo("2/1h");
		assertThat(report.<String>read("$.policies.open.change.control.id")).isEqualTo("change-open");
		assertThat(report.<String>read("$.policies.open.plans.pro.limits[0].algorithm")).isEqualTo("token-bucket");
		assertThat(report.<Integer>read("$.policies.open.penalty.factor")).isEqualTo(2);
		assertThat(report.<String>read("$.rules[0].paths[0]")).isEqualTo("/open");
		assertThat(report.<List<String>>read("$.findings[*].id")).isNotNull();
	}

	private static DocumentContext get(ConfigurableApplicationContext application, String path) {
		return json(application, "GET /actuator/" + path, "");
	}

	private static DocumentContext json(ConfigurableApplicationContext application, String request, String body) {
		Response response = HttpOneClient.send(application, request, body.replace('\'', '"'));
		assertThat(response.statusCode()).as(request + " " + response.body()).isEqualTo(200);
		return JsonPath.parse(response.body());
	}

	private static ConfigurableApplicationContext application(Library library) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.initializers((context) -> context.getBeanFactory().registerSingleton("library", library))
			.properties("spring.config.name=json", "server.port=0", "ratelimit.store=memory",
					"management.endpoints.web.exposure.include=*",
					"management.endpoint.ratelimitcontrols.access=unrestricted", "ratelimit.top.enabled=true",
					"ratelimit.reload-interval=1h", "ratelimit.policies.open.limits=2/1h",
					"ratelimit.policies.open.key=client-ip", "ratelimit.policies.open.plans.pro.limits=20/1h",
					"ratelimit.policies.open.plan=header:X-Plan", "ratelimit.policies.open.penalty.after=10/1m",
					"ratelimit.rules[0].paths=/open", "ratelimit.rules[0].policies=open")
			.run();
	}

	enum Library {

		JACKSON {
			@Override
			HttpMessageConverter<?> converter() {
				return new JacksonJsonHttpMessageConverter();
			}
		},
		JSON_B {
			@Override
			HttpMessageConverter<?> converter() {
				return new JsonbHttpMessageConverter();
			}
		},
		GSON {
			@Override
			HttpMessageConverter<?> converter() {
				return new GsonHttpMessageConverter();
			}
		};

		abstract HttpMessageConverter<?> converter();

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		WebMvcConfigurer json(Library library) {
			return new WebMvcConfigurer() {

				@Override
				public void configureMessageConverters(ServerBuilder converters) {
					converters.withJsonConverter(library.converter());
				}

			};
		}

	}

}
