package io.github.ratelimit.spring.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.web.RateLimitExceptionHandler;

import org.springframework.util.ClassUtils;
import org.springframework.web.method.ControllerAdviceBean;

/**
 * A check for handlers of all exceptions that receive denials before a handler that is
 * meant for them.
 *
 * @param advice supplies the advice in the order in which it is called
 * @param controllers supplies the classes of controllers with limited methods
 */
public record SwallowedDenials(Supplier<List<ControllerAdviceBean>> advice,
		Supplier<Stream<Class<?>>> controllers) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		return Stream.concat(this.controllers.get().flatMap(SwallowedDenials::ofController), ofAdvice());
	}

	private static Stream<Finding> ofController(Class<?> type) {
		List<Class<? extends RuntimeException>> swallowed = RateLimitExceptionHandler.rejectionsHandledBy(type)
			.filter((rejection) -> !RateLimitExceptionHandler.isMeantFor(rejection, type))
			.toList();
		return swallowed.isEmpty() ? Stream.empty()
				: Stream.of(finding(type, swallowed, "Add an @ExceptionHandler for them to the controller, or move "
						+ "its handler of all exceptions to advice."));
	}

	private Stream<Finding> ofAdvice() {
		Map<Class<?>, List<Class<? extends RuntimeException>>> swallowed = new LinkedHashMap<>();
		RateLimitExceptionHandler.rejectionsHandledBy(RateLimitExceptionHandler.class)
			.forEach((rejection) -> first(rejection)
				.filter((type) -> !RateLimitExceptionHandler.isMeantFor(rejection, type))
				.forEach((type) -> swallowed.computeIfAbsent(type, (unknown) -> new ArrayList<>()).add(rejection)));
		return swallowed.entrySet()
			.stream()
			.map((each) -> finding(each.getKey(), each.getValue(), "Give this advice a later @Order than the advice "
					+ "that handles them, or than Ordered.HIGHEST_PRECEDENCE if there is none."));
	}

	/**
	 * Returns the advice that handles an exception: that of all controllers, and that of
	 * some which is called before it.
	 */
	private Stream<Class<?>> first(Class<? extends RuntimeException> rejection) {
		List<Class<?>> first = new ArrayList<>();
		for (ControllerAdviceBean each : this.advice.get()) {
			Class<?> type = each.getBeanType();
			if (type != null && RateLimitExceptionHandler.rejectionsHandledBy(ClassUtils.getUserClass(type))
				.anyMatch(rejection::equals)) {
				first.add(ClassUtils.getUserClass(type));
				if (each.isApplicableToBeanType(null)) {
					break;
				}
			}
		}
		return first.stream();
	}

	private static Finding finding(Class<?> type, List<Class<? extends RuntimeException>> swallowed, String remedy) {
		String what = swallowed.contains(RateLimitExceededException.class) ? "denials"
				: swallowed.stream().map(Class::getSimpleName).collect(Collectors.joining(", "));
		return new Finding(Kind.SWALLOWED_DENIAL, type.getSimpleName(),
				"A handler of all exceptions in " + type.getSimpleName() + " receives " + what
						+ " before the handler that is meant for them, so that clients get another response. "
						+ remedy);
	}

}
