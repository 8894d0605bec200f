package io.github.ratelimit.spring.stomp;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.key.PolicyKeys;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.messaging.support.ChannelInterceptor;

/**
 * An interceptor of the messages of clients. It drops a rejected message and tells the
 * client so, rather than to end the session. A decision blocks the thread that reads from
 * the WebSocket, so that a client with calls that wait sends no more meanwhile.
 */
public final class RateLimitChannelInterceptor implements ChannelInterceptor {

	private static final String NAME = "a STOMP message";

	private static final Set<SimpMessageType> CHARGED = Set.of(SimpMessageType.MESSAGE, SimpMessageType.SUBSCRIBE);

	private final Gate gate;

	private final PolicyKeys policies;

	private volatile List<String> names;

	private final StompRoutes routes;

	private final Supplier<SimpMessagingTemplate> messages;

	/**
	 * Creates an interceptor.
	 * @param limiter decides
	 * @param policies the policies that may be charged
	 * @param names the names of the policies that every message charges
	 * @param routes names what messages reach
	 * @param messages supplies the template to answer with
	 * @throws IllegalArgumentException if a policy does not exist, or limits concurrency
	 */
	public RateLimitChannelInterceptor(RateLimiter limiter, PolicyKeys policies, List<String> names, StompRoutes routes,
			Supplier<SimpMessagingTemplate> messages) {
		this.gate = new Gate(limiter);
		this.policies = policies;
		this.names = checked(names, policies);
		this.routes = routes;
		this.messages = messages;
	}

	/**
	 * Checks other policies. Nothing changes before the result runs.
	 * @param names the names of the policies that every message charges
	 * @param policies the policies that may replace those in effect
	 * @return lets messages charge the policies
	 * @throws IllegalArgumentException if a policy does not exist, or limits concurrency
	 */
	public Runnable prepare(List<String> names, Policies policies) {
		List<String> checked = checked(names, this.policies.by(policies));
		return () -> this.names = checked;
	}

	/**
	 * Returns the names of the policies that every message charges.
	 * @return the names
	 */
	public List<String> names() {
		return this.names;
	}

	private static List<String> checked(List<String> names, PolicyKeys policies) {
		names.forEach((name) -> requireRates(name, policies));
		return List.copyOf(names);
	}

	private static void requireRates(String name, PolicyKeys policies) {
		if (policies.get(name).policy().limits().stream().anyMatch((limit) -> limit.isConcurrency())) {
			throw new IllegalArgumentException("policy '" + name
					+ "' limits calls at a time, but a message ends before it is handled; annotate its handler instead");
		}
	}

	@Override
	public @Nullable Message<?> preSend(Message<?> message, MessageChannel channel) {
		StompCaller caller = caller(message);
		if (caller == null || !CHARGED.contains(SimpMessageHeaderAccessor.getMessageType(message.getHeaders()))) {
			return message;
		}
		try {
			charge(caller, message);
			return message;
		}
		catch (RuntimeException ex) {
			StompRejection rejection = StompRejection.of(ex,
					SimpMessageHeaderAccessor.getDestination(message.getHeaders()));
			if (rejection == null) {
				throw ex;
			}
			tell(caller, rejection);
			return null;
		}
	}

	/** Returns the caller as the user of the message, whom a CONNECT may have changed. */
	private static @Nullable StompCaller caller(Message<?> message) {
		Map<String, Object> session = SimpMessageHeaderAccessor.getSessionAttributes(message.getHeaders());
		if (session == null || !(session.get(StompCaller.ATTRIBUTE) instanceof StompCaller known)) {
			return null;
		}
		StompCaller caller = known.as(SimpMessageHeaderAccessor.getUser(message.getHeaders()));
		if (!Objects.equals(caller.user(), known.user())) {
			session.put(StompCaller.ATTRIBUTE, caller);
		}
		return caller;
	}

	private void charge(StompCaller caller, Message<?> message) {
		CallContext call = new CallContext(caller, Map.of(), (request) -> this.routes.of(message));
		List<Charge> charges = this.names.stream()
			.map((name) -> this.policies.get(name).charge(call, (any) -> 1))
			.filter(Objects::nonNull)
			.toList();
		this.gate.enter(CallCharges.of(charges), RequestCharges.NONE, NAME).callEnded(null, null);
	}

	private void tell(StompCaller caller, StompRejection rejection) {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
		headers.setSessionId(caller.session());
		headers.setLeaveMutable(true);
		this.messages.get()
			.convertAndSendToUser(Objects.requireNonNullElse(caller.principal(), caller.session()),
					StompRejections.DESTINATION, rejection, headers.getMessageHeaders());
	}

}
