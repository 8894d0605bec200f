package io.github.ratelimit.spring.amqp;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * The first advice of listener containers, which returns deliveries to their queue. A
 * listener that threw the exception itself would have it counted by the application's
 * retries, the last of which drops a message. Thread-safe.
 */
public final class ReturnAdvice implements MethodInterceptor {

	private static final ThreadLocal<@Nullable Call> CURRENT = new ThreadLocal<>();

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Call call = new Call();
		CURRENT.set(call);
		try {
			Object result = invocation.proceed();
			if (call.reason != null) {
				throw call.reason;
			}
			return result;
		}
		finally {
			CURRENT.remove();
		}
	}

	/**
	 * Has the delivery of this thread returned to its queue once the listener returns.
	 * Throws the reason at once if the container lacks this advice.
	 */
	void giveBack(AmqpException reason) {
		Call call = CURRENT.get();
		if (call == null) {
			throw reason;
		}
		call.reason = reason;
	}

	/** A call of a listener. */
	private static final class Call {

		private @Nullable AmqpException reason;

	}

}
