package io.github.ratelimit.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Gateways with the configuration that the documentation shows.
 */
@Tag("long")
class GatewayPageIT {

	private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

	@ParameterizedTest
	@CsvSource({ "docs/gateway.md, 0, webflux, /export, 3", "docs/gateway.md, 0, webmvc, /export, 3",
			"docs/gateway.md, 0, webflux, /search, 101", "docs/gateway.md, 1, webflux, /search, 21",
			"docs/choose.md, 8, webflux, /search, 21", "docs/choose.md, 8, webmvc, /search, 21" })
	void limitsAsThePageShows(String page, int block, String flavour, String path, int denied) throws IOException {
		String[] properties = properties(page, block, flavour);
		try (ConfigurableApplicationContext gateway = flavour.equals("webflux")
				? Gateways.webFlux(WebFlux.class, properties) : Gateways.webMvc(WebMvc.class, properties)) {
			List<Integer> statuses = Stream
				.generate(() -> Reply.get(Gateways.port(gateway), path, Map.of("X-Api-Key", "4711")).status())
				.limit(denied)
				.toList();
			assertThat(statuses.subList(0, denied - 1)).containsOnly(200);
			assertThat(statuses).last().isEqualTo(429);
		}
	}

	private static String[] properties(String page, int block, String flavour) throws IOException {
		Path root = Path.of(System.getProperty("maven.multiModuleProjectDirectory", ".."));
		String yaml = YAML.matcher(Files.readString(root.resolve(page)))
			.results()
			.map((found) -> found.group(1))
			.toList()
			.get(block)
			.replace("webflux:", flavour + ':')
			.replaceAll("uri: .*", "uri: " + Upstream.shared().address())
			.replaceAll("(\\d+)/1[sm]", "$1/1h");
		EnumerablePropertySource<?> source = (EnumerablePropertySource<?>) new YamlPropertySourceLoader()
			.load(page, new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
			.get(0);
		return Arrays.stream(source.getPropertyNames())
			.map((name) -> name + '=' + source.getProperty(name))
			.toArray(String[]::new);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WebMvc {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WebFlux {

		@Bean
		KeyResolver clientKeyResolver() {
			return (exchange) -> Mono.just("4711");
		}

	}

}
