package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.spring.web.BothStacks.Limited;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications whose beans have the names that beans of rate limits would have by their
 * methods.
 */
class BeanNamesTests {

	private static final String OURS = "io.github.ratelimit.";

	@ParameterizedTest
	@MethodSource("contexts")
	<C extends AbstractApplicationContextRunner<C, ?, ?>> void limitsAsWithoutThem(C context) {
		List<String> names = new ArrayList<>();
		context.withBean(Limited.class)
			.run((application) -> Stream.of(application.getBeanDefinitionNames())
				.filter((name) -> name.startsWith(OURS) && name.indexOf('.', OURS.length()) < 0)
				.forEach((name) -> names.add(StringUtils.capitalize(name.substring(OURS.length())))));
		assertThat(names).contains("ExceptionHandler", "Policies", "Rules", "Limiter", "KeyResolvers", "Advisor");
		C own = context.withBean(Limited.class).withBean("rateLimitExceptionHandler", RateLimitAdvice.class);
		for (String name : names) {
			own = name.equals("ExceptionHandler") ? own : own.withBean("rateLimit" + name, String.class, () -> name);
		}
		own.run((application) -> {
			assertThat(application).hasNotFailed();
			assertThat(BothStacks.responses(application, "/method", "/method", "/rule", "/rule"))
				.containsExactly("200 null", "429 3600", "200 null", "429 3600");
		});
	}

	static Stream<Arguments> contexts() {
		return BothStacks.contexts()
			.flatMap((context) -> Stream.of(context, context.withAllowBeanDefinitionOverriding(true)))
			.map((context) -> Arguments.of(Named.of(context.getClass().getSimpleName(), context)));
	}

	@RestControllerAdvice
	static class RateLimitAdvice {

		@ExceptionHandler
		String failed(IllegalStateException ex) {
			return "failed";
		}

	}

}
