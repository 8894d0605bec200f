package io.github.ratelimit.spring.key;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.HostName;
import io.github.ratelimit.spring.form.PostedForm;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.http.HttpCookie;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ServerWebExchange;

/**
 * A source of the callers of reactive requests. It reads the exchange that Spring's
 * {@link ServerWebExchangeContextFilter} puts into the Reactor context.
 */
public final class ReactiveCallerSource {

	private static final Class<Caller> BOUND = Caller.class;

	/**
	 * Returns a context in which subscribers serve a caller of a protocol over HTTP, who
	 * has more parts than the request.
	 * @param context the context of a subscriber
	 * @param caller the caller
	 * @return the context with the caller
	 */
	public static Context bind(Context context, Caller caller) {
		return context.put(BOUND, caller);
	}

	/**
	 * Emits the caller whom the subscriber serves: one that is bound to its context, or
	 * that of its request.
	 * @return the caller, or empty outside a request
	 */
	public Mono<Caller> current() {
		return Mono.deferContextual((context) -> context.hasKey(BOUND) ? Mono.just(context.get(BOUND))
				: Mono.justOrEmpty(ServerWebExchangeContextFilter.getExchange(context)).flatMap(this::of));
	}

	/**
	 * Emits the caller of an exchange.
	 * @param exchange an exchange
	 * @return its caller
	 */
	@SuppressWarnings("ReferenceEquality") // as it only spares operators
	public Mono<Caller> of(ServerWebExchange exchange) {
		Mono<Principal> principal = exchange.getPrincipal();
		return (principal == Mono.<Principal>empty()) ? Mono.just(new ReactiveCaller(exchange, null))
				: of(exchange, principal);
	}

	private static Mono<Caller> of(ServerWebExchange exchange, Mono<Principal> user) {
		return user.<Caller>map((principal) -> new ReactiveCaller(exchange, principal))
			.defaultIfEmpty(new ReactiveCaller(exchange, null));
	}

	/** A caller, with the request of the exchange. */
	private record ReactiveCaller(ServerWebExchange exchange,
			@Nullable Principal user) implements SecuredCaller, CallRequest {

		/** The attributes of WebFlux, without which this class is used too. */
		private static final String PATH_VARIABLES = "org.springframework.web.reactive.HandlerMapping.uriTemplateVariables";

		private static final String PATTERN = "org.springframework.web.reactive.HandlerMapping.bestMatchingPattern";

		@Override
		public @Nullable String remoteAddress() {
			InetSocketAddress peer = this.exchange.getRequest().getRemoteAddress();
			InetAddress address = (peer != null) ? peer.getAddress() : null;
			return (address != null) ? address.getHostAddress() : null;
		}

		@Override
		public CallRequest request() {
			return this;
		}

		@Override
		public @Nullable String header(String name) {
			return this.exchange.getRequest().getHeaders().getFirst(name);
		}

		@Override
		public List<String> headers(String name) {
			return this.exchange.getRequest().getHeaders().getOrEmpty(name);
		}

		@Override
		public String method() {
			return this.exchange.getRequest().getMethod().name();
		}

		@Override
		public String path() {
			return this.exchange.getRequest().getPath().value();
		}

		@Override
		public @Nullable String host() {
			return HostName.of(this.exchange.getRequest().getURI().getRawAuthority());
		}

		@Override
		public @Nullable String cookie(String name) {
			HttpCookie cookie = this.exchange.getRequest().getCookies().getFirst(name);
			return (cookie != null) ? cookie.getValue() : null;
		}

		@Override
		public @Nullable String query(String name) {
			return this.exchange.getRequest().getQueryParams().getFirst(name);
		}

		@Override
		public @Nullable String form(String name) {
			PostedForm form = this.exchange.getAttribute(PostedForm.ATTRIBUTE);
			return (form != null) ? form.only(name) : null;
		}

		@Override
		public Map<String, String> pathVariables() {
			return this.exchange.getAttributeOrDefault(PATH_VARIABLES, Map.of());
		}

		@Override
		public @Nullable String pattern() {
			Object pattern = this.exchange.getAttribute(PATTERN);
			return (pattern != null) ? pattern.toString() : null;
		}

		@Override
		public long size() {
			return this.exchange.getRequest().getHeaders().getContentLength();
		}

	}

}
