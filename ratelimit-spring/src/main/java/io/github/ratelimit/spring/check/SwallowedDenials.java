package io.github.ratelimit.spring.check;

import java.util.ArrayList;
import java.util.List;
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
		return swallowed(type, RateLimitExceptionHandler.rejectionsHandledBy(type).toList(),
				"Add an @ExceptionHandler for them to the controller, or move its handler of all exceptions to advice.");
	}

	/**
	 * Asks the advice in its order. That of all controllers leaves nothing of what it
	 * handles to later advice.
	 */
	private Stream<Finding> ofAdvice() {
		List<Class<? extends RuntimeException>> left = new ArrayList<>(
				RateLimitExceptionHandler.rejectionsHandledBy(RateLimitExceptionHandler.class).toList());
		Stream<Finding> found = Stream.empty();
		for (ControllerAdviceBean each : this.advice.get()) {
			Class<?> type = each.getBeanType();
			if (type != null && !left.isEmpty()) {
				Class<?> declared = ClassUtils.getUserClass(type);
				List<Class<? extends RuntimeException>> handled = new ArrayList<>(left);
				handled.retainAll(RateLimitExceptionHandler.rejectionsHandledBy(declared).toList());
				found = Stream.concat(found, swallowed(declared, handled, "Give this advice a later @Order than the "
						+ "advice that handles them, or than Ordered.HIGHEST_PRECEDENCE if there is none."));
				if (each.isApplicableToBeanType(null)) {
					left.removeAll(handled);
				}
			}
		}
		return found;
	}

	private static Stream<Finding> swallowed(Class<?> type, List<Class<? extends RuntimeException>> handled,
			String remedy) {
		List<Class<? extends RuntimeException>> swallowed = handled.stream()
			.filter((rejection) -> !RateLimitExceptionHandler.isMeantFor(rejection, type))
			.toList();
		return swallowed.isEmpty() ? Stream.empty() : Stream.of(finding(type, swallowed, remedy));
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
