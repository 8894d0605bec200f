package io.github.ratelimit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how often a bean's method is called: {@code @RateLimited("quotes")} charges the
 * policy of that name, {@code @RateLimited(limit = "5/1m")} a limit stated on the spot.
 *
 * <p>
 * On a class it applies to every method of the class that is not private, all of them
 * sharing the policy's count. Repeated, or on class and method both, all are charged in
 * one decision: the call proceeds only where each has room, and otherwise none is
 * charged. It may be put on annotations of one's own.
 *
 * <p>
 * A call without room ends in a {@link RateLimitExceededException}, thrown or, where the
 * method returns a {@code CompletionStage}, {@code Mono} or {@code Flux}, as the failure
 * of what it returns. A {@code Mono} or {@code Flux} is charged each time it is
 * subscribed to.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Repeatable(RateLimited.List.class)
public @interface RateLimited {

	/**
	 * The name of a policy; short for {@link #policy}.
	 * @return a name, or empty
	 */
	String value() default "";

	/**
	 * The name of the policy to charge. With {@link #limit} it names the limit stated
	 * here; left out then, the name is made of the class and the method.
	 * @return a name of letters, digits, dots, underscores and hyphens, up to 64
	 */
	String policy() default "";

	/**
	 * A limit stated on the spot, in place of a configured policy.
	 * @return {@code permits/period}, such as {@code 5/1m}; then if need be an algorithm
	 * in place of the token bucket, and a burst: {@code 5/1m sliding-window-log},
	 * {@code 5/1m burst 10}
	 */
	String limit() default "";

	/**
	 * Who is limited: {@code client-ip}, {@code principal}, {@code header:NAME},
	 * {@code global}, {@code bean:NAME} or an expression over the method's arguments such
	 * as {@code #user.id}.
	 * @return a key; if left out, the policy's
	 */
	String key() default "";

	/**
	 * How many permits a call costs: a number, or an expression over the method's
	 * arguments such as {@code #file.size / 1024}. A fraction is rounded up; 0 is free.
	 * @return a cost
	 */
	String cost() default "1";

	/**
	 * How long a call may wait in line for its permits, in place of what the policy says:
	 * {@code 500ms}, {@code 2s}. Where the thread must not block, only methods that
	 * return a {@code CompletionStage} or a reactive type wait, and suspend functions of
	 * Kotlin.
	 * @return a duration; if left out, the policy's
	 */
	String maxWait() default "";

	/**
	 * Failures of the method after which its permits are given back, as far as they still
	 * count as spent.
	 * @return types of exceptions, of which subtypes count too
	 */
	Class<? extends Throwable>[] refundOn() default {};

	/** Several limits on one element. */
	@Documented
	@Retention(RetentionPolicy.RUNTIME)
	@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
	@interface List {

		/**
		 * The limits.
		 * @return all of which apply
		 */
		RateLimited[] value();

	}

}
