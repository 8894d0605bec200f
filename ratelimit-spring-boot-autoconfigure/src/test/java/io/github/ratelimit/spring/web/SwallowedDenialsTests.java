package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.web.BothStacks.Limited;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers of all exceptions next to the handler of denials.
 */
@Tag("long")
class SwallowedDenialsTests {

	private static final String[] TWICE = { "/method", "/method", "/rule", "/rule" };

	@ParameterizedTest
	@MethodSource("contexts")
	<C extends AbstractApplicationContextRunner<C, ?, ?>> void sends429BeforeAFirstHandlerOfAllExceptions(C context) {
		context.withBean(First.class).withBean(Limited.class).run((application) -> {
			assertThat(BothStacks.responses(application, TWICE)).containsExactly("200 null", "429 3600", "200 null",
					"429 3600");
			assertThat(findings(application)).isEmpty();
		});
	}

	@ParameterizedTest
	@MethodSource("contexts")
	<C extends AbstractApplicationContextRunner<C, ?, ?>> void keepsTheOrderOfFirstAdvice(C context) {
		context.withBean("a", First.class)
			.withBean("b", AlsoFirst.class)
			.withBean(Failing.class)
			.run((application) -> assertThat(BothStacks.responses(application, "/failing"))
				.containsExactly("500 null"));
		context.withBean("a", AlsoFirst.class)
			.withBean("b", First.class)
			.withBean(Failing.class)
			.run((application) -> assertThat(BothStacks.responses(application, "/failing"))
				.containsExactly("502 null"));
	}

	@ParameterizedTest
	@MethodSource("contexts")
	<C extends AbstractApplicationContextRunner<C, ?, ?>> void leavesDenialsToAFirstHandlerOfTheApplication(C context) {
		context.withBean(FirstOfDenials.class).withBean(Limited.class).run((application) -> {
			assertThat(BothStacks.responses(application, TWICE)).containsExactly("200 null", "409 null", "200 null",
					"409 null");
			assertThat(findings(application)).isEmpty();
		});
	}

	@ParameterizedTest
	@MethodSource("contexts")
	<C extends AbstractApplicationContextRunner<C, ?, ?>> void handlesWhatAnEarlyHandlerOfDenialsLeaves(C context) {
		context.withBean(EarlyOfDenials.class)
			.withBean(Any.class)
			.withBean(Limited.class)
			.withPropertyValues("ratelimit.policies.one.blocked=ip:127.0.0.1")
			.run((application) -> {
				assertThat(BothStacks.responses(application, "/rule", "/rule")).containsExactly("200 null", "409 null");
				assertThat(findings(application)).isEmpty();
			});
	}

	@ParameterizedTest
	@MethodSource("contexts")
	<C extends AbstractApplicationContextRunner<C, ?, ?>> void findsAdviceThatIsCalledBeforeTheHandlerOfDenials(
			C context) {
		context.withBean("a", Any.class).withBean("b", OfDenials.class).withBean(Limited.class).run((application) -> {
			assertThat(BothStacks.responses(application, "/rule", "/rule")).containsExactly("200 null", "500 null");
			assertThat(findings(application)).singleElement()
				.satisfies((finding) -> assertThat(finding.message())
					.startsWith("A handler of all exceptions in Any receives denials before the handler that is "
							+ "meant for them")
					.contains("Give this advice a later @Order"));
		});
	}

	@ParameterizedTest
	@MethodSource("contexts")
	<C extends AbstractApplicationContextRunner<C, ?, ?>> void findsWhatAHandlerOfDenialsLeavesToLaterAdvice(
			C context) {
		context.withBean("a", OfDenials.class)
			.withBean("b", Any.class)
			.withBean(Limited.class)
			.run((application) -> assertThat(findings(application)).singleElement()
				.satisfies((finding) -> assertThat(finding.message())
					.startsWith("A handler of all exceptions in Any receives RateLimitStoreException, ")));
	}

	@ParameterizedTest
	@MethodSource("contexts")
	<C extends AbstractApplicationContextRunner<C, ?, ?>> void findsAdviceWhoseObjectIsFirst(C context) {
		context.withBean(FirstObject.class)
			.withBean(Limited.class)
			.run((application) -> assertThat(findings(application)).extracting(Finding::subject)
				.containsExactly("FirstObject"));
	}

	@ParameterizedTest
	@MethodSource("contexts")
	<C extends AbstractApplicationContextRunner<C, ?, ?>> void findsControllersThatHandleAllExceptions(C context) {
		context.withBean(Careful.class).run((application) -> {
			assertThat(BothStacks.responses(application, "/careful", "/careful")).containsExactly("200 null",
					"500 null");
			assertThat(findings(application)).singleElement()
				.satisfies((finding) -> assertThat(finding.message()).contains("in Careful receives denials",
						"Add an @ExceptionHandler for them to the controller"));
		});
	}

	@ParameterizedTest
	@MethodSource("contexts")
	<C extends AbstractApplicationContextRunner<C, ?, ?>> void findsNothingWithoutSuchHandlers(C context) {
		context.withBean(Any.class)
			.withBean(Limited.class)
			.run((application) -> assertThat(findings(application)).isEmpty());
	}

	static Stream<AbstractApplicationContextRunner<?, ?, ?>> contexts() {
		return BothStacks.contexts();
	}

	private static List<Finding> findings(ApplicationContext application) {
		return application.getBean(Findings.class)
			.all()
			.stream()
			.filter((finding) -> finding.kind() == Kind.SWALLOWED_DENIAL)
			.toList();
	}

	@RestControllerAdvice
	static class Any {

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String failed() {
			return "failed";
		}

	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class First extends Any {

	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	@RestControllerAdvice
	static class AlsoFirst {

		@ExceptionHandler(IllegalStateException.class)
		@ResponseStatus(HttpStatus.BAD_GATEWAY)
		String failed() {
			return "failed";
		}

	}

	static class FirstObject extends Any implements Ordered {

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

	@RestControllerAdvice
	static class OfDenials {

		@ExceptionHandler(RateLimitExceededException.class)
		@ResponseStatus(HttpStatus.CONFLICT)
		String denied() {
			return "denied";
		}

	}

	@Order(0)
	static class EarlyOfDenials extends OfDenials {

	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class FirstOfDenials extends OfDenials {

	}

	@RestController
	static class Failing {

		@GetMapping("/failing")
		String fail() {
			throw new IllegalStateException();
		}

	}

	@RestController
	static class Careful {

		@GetMapping("/careful")
		@RateLimited("one")
		String call() {
			return "called";
		}

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String failed() {
			return "failed";
		}

	}

}
