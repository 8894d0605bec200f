package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Warnings for an operator if callers could choose their own address.
 */
@ExtendWith(OutputCaptureExtension.class)
class ForwardedHeadersTests {

	private static final String CLIENT_IP = "ratelimit.policies.x.key=client-ip";

	private static final String WARNING = "Calls are limited by 'client-ip', but ";

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
		.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.x.limits=1/1h");

	private final WebApplicationContextRunner tomcat = this.servlet.withBean(TomcatServletWebServerFactory.class);

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.x.limits=1/1h");

	@ParameterizedTest
	@ValueSource(strings = { "framework", "FRAMEWORK" })
	void warnsOfAStrategyThatBelievesEveryone(String strategy, CapturedOutput output) {
		this.servlet.withPropertyValues(CLIENT_IP, "server.forward-headers-strategy=" + strategy)
			.run((context) -> assertThat(output)
				.containsOnlyOnce(WARNING + "'server.forward-headers-strategy=" + strategy + "'"));
	}

	@Test
	void warnsOfAHeaderThatNoTrustedProxySends(CapturedOutput output) {
		this.servlet.withPropertyValues(CLIENT_IP, "ratelimit.http.client-address-header=CF-Connecting-IP")
			.run((context) -> assertThat(output).containsOnlyOnce(
					"'ratelimit.http.client-address-header' is 'CF-Connecting-IP', but is read from trusted proxies alone"));
		this.servlet
			.withPropertyValues(CLIENT_IP, "ratelimit.http.client-address-header=CF-Connecting-IP",
					"ratelimit.http.trusted-proxies=10.0.0.1")
			.run((context) -> assertThat(output).containsOnlyOnce("'ratelimit.http.client-address-header'"));
	}

	@Test
	void warnsOfAnAnnotationWhoseKeyIsTheAddress(CapturedOutput output) {
		this.servlet.withBean(ByAddress.class)
			.withPropertyValues("server.forward-headers-strategy=framework")
			.run((context) -> assertThat(output).containsOnlyOnce(WARNING));
	}

	@Test
	void warnsOfAFilterOrTransformer(CapturedOutput output) {
		this.servlet.withPropertyValues(CLIENT_IP)
			.withBean(ForwardedHeaderFilter.class)
			.run((context) -> assertThat(output)
				.containsOnlyOnce("a bean of " + ForwardedHeaderFilter.class.getName()));
		this.reactive.withPropertyValues(CLIENT_IP)
			.withBean(ForwardedHeaderTransformer.class)
			.run((context) -> assertThat(output)
				.containsOnlyOnce("a bean of " + ForwardedHeaderTransformer.class.getName()));
	}

	@Test
	void warnsOfAFilterThatIsRegistered(CapturedOutput output) {
		this.servlet.withPropertyValues(CLIENT_IP)
			.withUserConfiguration(Registration.class)
			.run((context) -> assertThat(output)
				.containsOnlyOnce("a bean of " + ForwardedHeaderFilter.class.getName()));
	}

	@Test
	void warnsOfNettyWhichBelievesEveryone(CapturedOutput output) {
		this.reactive.withPropertyValues(CLIENT_IP, "server.forward-headers-strategy=native")
			.withBean(NettyReactiveWebServerFactory.class)
			.run((context) -> assertThat(output)
				.containsOnlyOnce(WARNING + "'server.forward-headers-strategy=native'"));
		this.reactive.withPropertyValues(CLIENT_IP, "spring.main.cloud-platform=kubernetes")
			.withBean(NettyReactiveWebServerFactory.class)
			.run((context) -> assertThat(output.getOut().split(WARNING, -1)).hasSize(3));
	}

	@Test
	void warnsOfTomcatWhichBelievesPrivateNetworks(CapturedOutput output) {
		this.tomcat.withPropertyValues(CLIENT_IP, "server.forward-headers-strategy=native")
			.run((context) -> assertThat(output)
				.containsOnlyOnce(WARNING + "'server.forward-headers-strategy=native' has Tomcat")
				.contains("Set 'server.tomcat.remoteip.internal-proxies'"));
		this.tomcat.withPropertyValues(CLIENT_IP, "spring.main.cloud-platform=kubernetes")
			.run((context) -> assertThat(output.getOut().split(WARNING, -1)).hasSize(3));
	}

	@Test
	void warnsNotOfTomcatThatKnowsItsProxies(CapturedOutput output) {
		this.tomcat
			.withPropertyValues(CLIENT_IP, "server.forward-headers-strategy=native",
					"server.tomcat.remoteip.internal-proxies=192\\.0\\.2\\.1")
			.run((context) -> assertThat(context).hasNotFailed());
		this.tomcat.withPropertyValues(CLIENT_IP).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void warnsOfNothingElse(CapturedOutput output) {
		this.servlet.withPropertyValues(CLIENT_IP).run((context) -> assertThat(context).hasNotFailed());
		this.servlet.withPropertyValues(CLIENT_IP, "server.forward-headers-strategy=native")
			.run((context) -> assertThat(context).hasNotFailed());
		this.servlet.withPropertyValues("server.forward-headers-strategy=framework")
			.run((context) -> assertThat(context).hasNotFailed());
		this.reactive.withPropertyValues(CLIENT_IP)
			.withClassLoader(new FilteredClassLoader("jakarta.servlet"))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(WARNING);
	}

	static class ByAddress {

		@RateLimited(policy = "x", key = "client-ip")
		void call() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Registration {

		@Bean
		FilterRegistrationBean<ForwardedHeaderFilter> forwardedHeaders() {
			return new FilterRegistrationBean<>(new ForwardedHeaderFilter());
		}

	}

}
