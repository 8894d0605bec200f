package io.github.ratelimit.spring.stomp;

import org.springframework.core.Ordered;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketTransportRegistration;

/**
 * A configurer that limits the messages of clients, after the application's interceptors,
 * which may authenticate the user.
 */
public final class RateLimitStompConfigurer implements WebSocketMessageBrokerConfigurer, Ordered {

	private final RateLimitChannelInterceptor interceptor;

	/**
	 * Creates a configurer.
	 * @param interceptor limits the messages
	 */
	public RateLimitStompConfigurer(RateLimitChannelInterceptor interceptor) {
		this.interceptor = interceptor;
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public void configureWebSocketTransport(WebSocketTransportRegistration registration) {
		registration.addDecoratorFactory(CallerRecorder::new);
	}

	@Override
	public void configureClientInboundChannel(ChannelRegistration registration) {
		registration.interceptors(this.interceptor);
	}

}
