package io.github.ratelimit.spring.top;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of exchanges between instances. Each test begins without reports.
 */
public abstract class TopExchangeContract {

	/**
	 * Creates the exchange of another instance.
	 * @return an exchange with those of the same test
	 */
	protected abstract TopExchange exchange();

	@Test
	void returnsTheLatestReportsOfOtherInstances() {
		TopExchange one = exchange();
		TopExchange two = exchange();
		TopExchange three = exchange();
		assertThat(one.others("api")).isEmpty();
		one.publish(Map.of("api", "of one"));
		two.publish(Map.of("api", "of two"));
		two.publish(Map.of("api", "of two, later"));
		three.publish(Map.of("other", "of three"));
		assertThat(one.others("api")).containsExactly("of two, later");
		assertThat(three.others("api")).containsExactlyInAnyOrder("of one", "of two, later");
	}

	@Test
	void returnsNoReportThatWasNotPublishedAgain() {
		TopExchange one = exchange();
		TopExchange two = exchange();
		one.publish(Map.of("api", "of api", "other", "of other"));
		one.publish(Map.of("other", "of other"));
		assertThat(two.others("api")).isEmpty();
		assertThat(two.others("other")).containsExactly("of other");
		one.publish(Map.of());
		assertThat(two.others("other")).isEmpty();
	}

	@Test
	void keepsAReportThatHasNotChanged() {
		TopExchange one = exchange();
		one.publish(Map.of("api", "of one"));
		one.publish(Map.of("api", "of one"));
		assertThat(exchange().others("api")).containsExactly("of one");
	}

	@Test
	void publishesTheReportsOfManyPolicies() {
		String report = "v=1&key=%C3%A4 'quoted' ä € \uD83D\uDE00 ".repeat(50);
		Map<String, String> reports = IntStream.range(0, 250)
			.boxed()
			.collect(Collectors.toMap((number) -> "policy-" + number, (number) -> report + number));
		exchange().publish(reports);
		TopExchange other = exchange();
		assertThat(reports).allSatisfy((policy, text) -> assertThat(other.others(policy)).containsExactly(text));
	}

}
