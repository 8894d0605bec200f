package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.json.GsonEncoder;
import org.springframework.http.converter.HttpMessageConverters.ServerBuilder;
import org.springframework.http.converter.json.GsonHttpMessageConverter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The responses of an application that writes JSON by Gson, which knows nothing of
 * problem details.
 */
class GsonIT {

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	/** WebFlux itself writes no single object by Gson, so only the prepared response. */
	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void haveTheMembersOfAProblemNextToEachOther(WebApplicationType type) {
		boolean isReactive = type == WebApplicationType.REACTIVE;
		for (String path : isReactive ? List.of("/denied") : List.of("/denied", "/denied/a&b.c")) {
			Response response = get(type, path, Map.of());
			assertThat(response.status()).isEqualTo(429);
			assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
			assertThat(json(response)).as(path)
				.isEqualTo(JsonParser.parseString("{'instance':'" + path + "','status':429,'title':'Quota exceeded',"
						+ "'type':'https://iana.org/assignments/http-problem-types#quota-exceeded',"
						+ "'violated-policies':['full']}"));
		}
		if (!isReactive) {
			assertThat(json(get(type, "/denied", Map.of("X-Blocked", "yes")))).isEqualTo(JsonParser.parseString(
					"{'instance':'/denied','status':403,'title':'Caller blocked','violated-policies':['full']}"));
		}
	}

	private static JsonObject json(Response response) {
		return JsonParser.parseString(response.body()).getAsJsonObject();
	}

	private static Response get(WebApplicationType type, String path, Map<String, String> headers) {
		int port = APPLICATIONS.get(type, () -> start(type))
			.getEnvironment()
			.getRequiredProperty("local.server.port", Integer.class);
		new RealClient(port).send("GET", path, headers, "");
		return new RealClient(port).send("GET", path, headers, "");
	}

	private static ConfigurableApplicationContext start(WebApplicationType type) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class);
		application.sources((type == WebApplicationType.SERVLET) ? OnServlets.class : Reactive.class);
		return application.web(type)
			.properties("server.port=0", "ratelimit.store=memory", "ratelimit.policies.full.limits=1/1h",
					"ratelimit.policies.full.blocked=header:X-Blocked:yes", "ratelimit.rules[0].paths=/denied/**",
					"ratelimit.rules[0].policies=full")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

	@RestController
	static class Controller {

		@GetMapping("/denied/**")
		String found() {
			return "ok";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OnServlets implements WebMvcConfigurer {

		@Override
		public void configureMessageConverters(ServerBuilder converters) {
			converters.withJsonConverter(new GsonHttpMessageConverter());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(NettyIT.Server.class)
	static class Reactive {

		@Bean
		WebFluxConfigurer gson() {
			return new WebFluxConfigurer() {

				@Override
				public void configureHttpMessageCodecs(ServerCodecConfigurer codecs) {
					codecs.customCodecs().register(new GsonEncoder());
				}

			};
		}

	}

}
