package io.github.ratelimit.spring.stomp;

import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.integration.ApplicationDoor;
import io.github.ratelimit.spring.charge.DoorContract;
import org.junit.jupiter.api.AfterEach;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.http.HttpHeaders;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.handler.annotation.MessageExceptionHandler;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

/** Messages whose thread is interrupted, which the interceptor and a handler limit. */
class StompMessageDoorTests extends ApplicationDoor {

	private static final Duration LONGEST = Duration.ofMillis(1);

	private final Scheduler threads = Schedulers.newBoundedElastic(4, 10_000, "messages");

	/** The handler may deny what the interceptor admits. */
	@Override
	protected boolean worksOnceAdmitted() {
		return false;
	}

	/** Threads block while a store decides. */
	@Override
	protected boolean isKnown(Deciding deciding) {
		return false;
	}

	@Override
	protected int latestMicros() {
		return 1_000;
	}

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.SERVLET)
			.properties("ratelimit.stomp.policies=spent");
		MessageChannel channel = start(application, limiter,
				(beans) -> beans.registerBean(Worker.class, () -> new Worker(work)))
			.getBean("clientInboundChannel", MessageChannel.class);
		return Mono.fromCallable(() -> channel.send(message())).subscribeOn(this.threads);
	}

	private static Message<String> message() {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
		headers.setSessionId("session");
		headers.setSessionAttributes(
				Map.of(StompCaller.ATTRIBUTE, new StompCaller("session", null, HttpHeaders.EMPTY, null)));
		headers.setDestination("/app/work");
		return MessageBuilder.createMessage("", headers.getMessageHeaders());
	}

	@AfterEach
	void stopThreads() {
		this.threads.dispose();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocketMessageBroker
	static class Application implements WebSocketMessageBrokerConfigurer {

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/stomp");
		}

		@Override
		public void configureMessageBroker(MessageBrokerRegistry registry) {
			registry.enableSimpleBroker("/queue");
			registry.setApplicationDestinationPrefixes("/app");
		}

		@Override
		public void configureClientInboundChannel(ChannelRegistration registration) {
			registration.executor(new SyncTaskExecutor());
		}

	}

	@Controller
	static class Worker {

		private final Supplier<Mono<String>> work;

		Worker(Supplier<Mono<String>> work) {
			this.work = work;
		}

		@MessageMapping("/work")
		@RateLimited(DoorContract.HELD)
		@RateLimited(DoorContract.SPENT)
		public void work() {
			this.work.get().timeout(LONGEST, Mono.just("late")).block();
		}

		@MessageExceptionHandler
		void ignore(Exception failure) {
		}

	}

}
