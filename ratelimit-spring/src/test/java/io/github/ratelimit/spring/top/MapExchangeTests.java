package io.github.ratelimit.spring.top;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The contract of the simplest exchange, that of instances within a process. */
class MapExchangeTests extends TopExchangeContract {

	private final Map<TopExchange, Map<String, String>> published = new ConcurrentHashMap<>();

	@Override
	protected TopExchange exchange() {
		return new TopExchange() {

			@Override
			public void publish(Map<String, String> reports) {
				MapExchangeTests.this.published.put(this, Map.copyOf(reports));
			}

			@Override
			public Collection<String> others(String policy) {
				return MapExchangeTests.this.published.entrySet()
					.stream()
					.filter((entry) -> entry.getKey() != this)
					.flatMap((entry) -> Stream.ofNullable(entry.getValue().get(policy)))
					.toList();
			}

		};
	}

}
