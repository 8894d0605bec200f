package io.github.ratelimit.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * A script run by a {@link ReactiveStringRedisTemplate}, as Spring's gateway runs its
 * own.
 */
final class ReactiveTemplate implements Contender {

	private final String name;

	private final RedisScript<List<Long>> script;

	private final Function<String, List<String>> keys;

	private final Function<Scenario, List<String>> argumentsOf;

	private final LettuceConnectionFactory connections;

	private final ReactiveStringRedisTemplate template;

	private List<String> arguments = List.of();

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private ReactiveTemplate(String name, String script, Function<String, List<String>> keys,
			Function<Scenario, List<String>> argumentsOf, LettuceConnectionFactory connections) {
		this.name = name;
		this.script = (RedisScript) RedisScript.of(script, List.class);
		this.keys = keys;
		this.argumentsOf = argumentsOf;
		this.connections = connections;
		connections.afterPropertiesSet();
		this.template = new ReactiveStringRedisTemplate(connections);
	}

	/** The minimal GCRA. */
	static ReactiveTemplate gcra(int port) {
		return new ReactiveTemplate("ReactiveStringRedisTemplate, GCRA", Script.GCRA, (key) -> List.of(Gcra.KEY + key),
				(scenario) -> {
					Gcra gcra = Gcra.of(scenario);
					return List.of(gcra.interval(), gcra.most());
				}, new LettuceConnectionFactory("127.0.0.1", port));
	}

	/** The token bucket of a gateway, whose rates are of whole tokens a second. */
	static ReactiveTemplate gateway(int port) {
		return new ReactiveTemplate("as Spring Cloud Gateway", Script.GATEWAY,
				(key) -> List.of("gateway:{" + key + "}:tokens", "gateway:{" + key + "}:timestamp"), (scenario) -> {
					long cost = Math.max(1, scenario.refill().toSeconds());
					long rate = cost * scenario.permits() / scenario.period().toSeconds();
					return List.of(Long.toString(rate), Long.toString(cost * scenario.burst()), Long.toString(cost));
				}, new LettuceConnectionFactory("127.0.0.1", port));
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void prepare(Scenario scenario) {
		this.arguments = this.argumentsOf.apply(scenario);
	}

	@Override
	public boolean acquire(String key) {
		return Boolean.TRUE.equals(allowed(key).block());
	}

	@Override
	public CompletionStage<Boolean> acquireAsync(String key) {
		return allowed(key).toFuture().thenApply(Boolean.TRUE::equals);
	}

	@Override
	public void close() {
		this.connections.destroy();
	}

	private Mono<Boolean> allowed(String key) {
		return this.template.execute(this.script, this.keys.apply(key), this.arguments)
			.reduce(new ArrayList<Long>(), (all, some) -> {
				all.addAll(some);
				return all;
			})
			.map((reply) -> reply.get(0) == 1);
	}

}
