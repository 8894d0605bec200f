package io.github.ratelimit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A rate limit of a bean's method: {@code @RateLimited("quotes")} charges the policy of
 * that name, {@code @RateLimited(limit = "5/1m")} a limit defined inline.
 *
 * <p>
 * On a class it applies to every method of the class that is not private, and all of them
 * share the policy's count. Repeated, or on both class and method, all are charged in one
 * decision: the call proceeds only if each has room, and otherwise none is charged. It
 * may be a meta-annotation.
 *
 * <p>
 * A denied call ends in a {@link RateLimitExceededException}. It is thrown or, if the
 * method returns a {@code CompletionStage}, {@code Mono} or {@code Flux}, fails the
 * returned value. A {@code Mono} or {@code Flux} is charged each time it is subscribed
 * to.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Repeatable(RateLimited.List.class)
public @interface RateLimited {

	/**
	 * The name of a policy, as an alias for {@link #policy}.
	 * @return a name, or empty
	 */
	String value() default "";

	/**
	 * The name of the policy to charge. With {@link #limit} it names the inline limit,
	 * whose default name consists of the bean's class and the method.
	 * @return a name of letters, digits, dots, underscores and hyphens, up to 64
	 */
	String policy() default "";

	/**
	 * An inline limit, instead of a configured policy.
	 * @return {@code permits/period}, such as {@code 5/1m}; optionally followed by an
	 * algorithm other than the token bucket and by a burst:
	 * {@code 5/1m sliding-window-log}, {@code 5/1m burst 10}. Or calls at a time:
	 * {@code 5 concurrent}, {@code 5 concurrent lease 10s}
	 */
	String limit() default "";

	/**
	 * The key to limit by: {@code client-ip}, {@code principal}, {@code tenant},
	 * {@code session}, {@code host}, {@code route}, {@code header:NAME},
	 * {@code claim:NAME}, {@code cookie:NAME}, {@code query:NAME}, {@code path:NAME},
	 * {@code global}, {@code bean:NAME} or an expression over the method's arguments and
	 * the request, such as {@code #user.id}. A plus between spaces joins several, as in
	 * <code>principal + route</code>.
	 * @return a key; the policy's by default
	 */
	String key() default "";

	/**
	 * The permits that a call costs: a number, or an expression over the method's
	 * arguments such as {@code #file.size / 1024}. A fraction is rounded up; 0 is free.
	 * With {@link #actual} it is what a call reserves until it has ended.
	 * @return a cost
	 */
	String cost() default "1";

	/**
	 * The permits that a call turned out to cost, such as
	 * {@code #result.usage.totalTokens} or {@code #response.size / 1024}: an expression
	 * that may also use {@code #result}, {@code #error} and {@code #response}. The
	 * difference to {@link #cost} is refunded, or charged even if it does not fit. If the
	 * expression has no value, the call costs what it reserved.
	 * @return a cost, or empty for what was reserved
	 */
	String actual() default "";

	/**
	 * The calls that are limited, such as {@code #request.method != 'GET'}. A call is
	 * limited unless the condition is {@code false}.
	 * @return a condition, or empty for all calls
	 */
	String when() default "";

	/**
	 * The maximum time a call waits for its permits, instead of the policy's:
	 * {@code 500ms}, {@code 2s}. On threads that must not block, only methods that return
	 * a {@code CompletionStage} or a reactive type wait, and suspend functions of Kotlin.
	 * @return a duration; the policy's by default
	 */
	String maxWait() default "";

	/**
	 * The exceptions of the method that refund its permits, as far as these still count
	 * as spent.
	 * @return types of exceptions, subtypes included
	 */
	Class<? extends Throwable>[] refundOn() default {};

	/**
	 * The outcomes that refund the permits of a call, such as
	 * {@code #response.status >= 500}. The condition may use {@code #result},
	 * {@code #error} and {@code #response}; unless it is {@code true}, nothing is
	 * refunded.
	 * @return a condition, or empty for none
	 */
	String refundWhen() default "";

	/**
	 * The exceptions of the method that a call pays for. Calls that end otherwise are
	 * refunded, unless {@link #chargeWhen} says that they pay.
	 * @return types of exceptions, subtypes included; none for all calls
	 */
	Class<? extends Throwable>[] chargeOn() default {};

	/**
	 * The outcomes that a call pays for, such as {@code #response.status == 401}. Calls
	 * for which the condition is {@code false} are refunded. A call that has not ended
	 * counts as spent.
	 * @return a condition, or empty for all calls
	 */
	String chargeWhen() default "";

	/**
	 * The method of the same class that is called instead when a call is denied. It has
	 * the same arguments and result, and optionally a {@link RateLimitExceededException}
	 * as its last argument.
	 * @return the method's name, or empty for the exception
	 */
	String fallback() default "";

	/**
	 * Whether the annotation limits. With {@code false}, it leaves its method out of the
	 * limits that the class states, and nothing else of the annotation applies. Rules
	 * still apply to the requests that lead to the method.
	 * @return whether calls are limited
	 */
	boolean enabled() default true;

	/** The container of repeated limits on one element. */
	@Documented
	@Retention(RetentionPolicy.RUNTIME)
	@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
	@interface List {

		/**
		 * The limits, all of which apply.
		 * @return the limits
		 */
		RateLimited[] value();

	}

}
