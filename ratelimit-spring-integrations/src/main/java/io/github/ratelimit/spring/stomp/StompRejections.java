package io.github.ratelimit.spring.stomp;

import java.util.Objects;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.concurrency.CancelledWaitException;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.MessageExceptionHandler;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.resilience.InvocationRejectedException;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * The answer to rejected calls of {@code @MessageMapping} methods: a message to the
 * session that sent the rejected one. An application's own
 * {@code @MessageExceptionHandler} comes first.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public final class StompRejections {

	/** The destination of rejections, for a user's subscription. */
	static final String DESTINATION = "/queue/rate-limits";

	@MessageExceptionHandler({ RateLimitExceededException.class, RateLimitStoreException.class,
			InvalidCostException.class, RefusedCallerException.class, CancelledWaitException.class,
			InvocationRejectedException.class })
	@SendToUser(destinations = DESTINATION, broadcast = false)
	StompRejection rejected(RuntimeException rejection, Message<?> message) {
		return Objects.requireNonNull(StompRejection.of(rejection, destination(message)));
	}

	private static @Nullable String destination(Message<?> message) {
		return SimpMessageHeaderAccessor.getDestination(message.getHeaders());
	}

}
