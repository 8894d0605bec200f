package io.github.ratelimit.spring.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The contract of all clients whose calls are under a policy. */
abstract class OutboundContract extends OutboundPairsContract {

	@Test
	void throwsInsteadOfACallWithoutPermits() {
		assertThat(call("strict", PARTNER)).isEqualTo(200);
		assertThat(call("strict", PARTNER)).isEqualTo(200);
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> call("strict", PARTNER))
			.isNotInstanceOf(UpstreamPausedException.class)
			.satisfies((ex) -> assertThat(ex.getDecision().limits()).extracting("policy").containsExactly("strict"));
		assertThat(this.calls).hasSize(2);
	}

	@Test
	void chargesEachHostOnItsOwn() {
		call("strict", PARTNER);
		call("strict", "https://PARTNER.example:8443/others");
		assertThat(call("strict", "https://other.example/things")).isEqualTo(200);
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> call("strict", PARTNER));
	}

	@Test
	void chargesAKeyOfTheApplication() {
		Function<URI, String> key = URI::getPath;
		call("strict", key, "https://a.example/x");
		call("strict", key, "https://b.example/x");
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> call("strict", key, "https://c.example/x"));
		assertThat(call("strict", key, "https://c.example/y")).isEqualTo(200);
	}

	@Test
	void chargesCallsWithABlankKeyTogether() {
		call("strict", (uri) -> " ", PARTNER);
		call("strict", (uri) -> "", PARTNER);
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> call("strict", (uri) -> "global", PARTNER));
	}

	@Test
	void holdsAPermitUntilTheResponseBegins() {
		this.work = () -> assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> call("slots", PARTNER));
		assertThat(call("slots", PARTNER)).isEqualTo(200);
		assertThat(call("slots", PARTNER)).isEqualTo(200);
		this.work = () -> {
			throw new IllegalStateException("The upstream failed");
		};
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> call("slots", PARTNER));
		this.work = () -> {
		};
		assertThat(call("slots", PARTNER)).isEqualTo(200);
	}

	@Test
	void waitsForItsTurnAsLongAsThePolicyAllows() {
		assertThat(call("queue", PARTNER)).isEqualTo(200);
		long start = System.nanoTime();
		assertThat(call("queue", PARTNER)).isEqualTo(200);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(10));
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> call("queue", PARTNER));
	}

	@Test
	void passesOnA429AndPausesTheUpstream() {
		this.responses.add(Response.tooManyRequests("7"));
		assertThat(call("wide", PARTNER)).isEqualTo(429);
		this.clock.pass(Duration.ofSeconds(6));
		assertThatExceptionOfType(UpstreamPausedException.class).isThrownBy(() -> call("wide", PARTNER))
			.withMessage("The upstream of policy 'wide' is paused for another 1 s")
			.satisfies((ex) -> {
				assertThat(ex.getDecision().allowed()).isFalse();
				assertThat(ex.getDecision().retryAfterMicros()).isEqualTo(1_000_000);
				assertThat(ex.getDecision().limits()).extracting("policy").containsExactly("wide");
			});
		assertThat(this.calls).hasSize(1);
		this.clock.pass(Duration.ofSeconds(1));
		assertThat(call("wide", PARTNER)).isEqualTo(200);
	}

	@Test
	void chargesNothingForCallsDuringAPause() {
		this.responses.add(Response.tooManyRequests("7"));
		call("strict", PARTNER);
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(UpstreamPausedException.class).isThrownBy(() -> call("strict", PARTNER));
		}
		this.clock.pass(Duration.ofSeconds(7));
		assertThat(call("strict", PARTNER)).isEqualTo(200);
	}

	@Test
	void pausesNoOtherPolicyAndNoOtherKey() {
		this.responses.add(Response.tooManyRequests("7"));
		call("wide", PARTNER);
		assertThat(call("strict", PARTNER)).isEqualTo(200);
		assertThat(call("wide", "https://other.example/")).isEqualTo(200);
		assertThatExceptionOfType(UpstreamPausedException.class)
			.isThrownBy(() -> call("wide", "https://partner.example/other"));
	}

	@Test
	void waitsForTheUpstreamAsLongAsThePolicyAllows() {
		this.responses.add(Response.tooManyRequests("30"));
		call("patient", PARTNER);
		assertThat(call("patient", PARTNER)).isEqualTo(200);
		assertThat(this.calls.get(1).minus(this.calls.get(0))).isEqualTo(Duration.ofSeconds(30));
		this.responses.add(Response.tooManyRequests("31"));
		call("patient", PARTNER);
		assertThatExceptionOfType(UpstreamPausedException.class).isThrownBy(() -> call("patient", PARTNER));
		assertThat(this.calls).hasSize(3);
	}

	@Test
	void waitsForUpstreamAndPermitsTogetherNoLongerThanThePolicyAllows() {
		this.policies.add(policy("slow", "1/20s", Duration.ofSeconds(12)));
		this.responses.add(Response.tooManyRequests("3"));
		call("slow", PARTNER);
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> call("slow", PARTNER))
			.isNotInstanceOf(UpstreamPausedException.class)
			.satisfies((ex) -> assertThat(ex.getDecision().retryAfterMicros()).isEqualTo(17_000_000 - 9_000_000));
	}

	@Test
	void refundsTheChargeIfTheUpstreamIsPausedMeanwhile() {
		this.meanwhile = () -> this.pauses.pause(new Subject("strict", "one"), Duration.ofSeconds(7));
		assertThatExceptionOfType(UpstreamPausedException.class)
			.isThrownBy(() -> call("strict", (uri) -> "one", PARTNER));
		assertThat(this.calls).isEmpty();
		assertThat(this.limiter.peek(List.of(Charge.of("strict", "one"))).limits().get(0).remaining()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "61", "3600", "99999999999999999999999999", "Sat, 21 Nov 2026 23:00:00 GMT" })
	void pausesForAMinuteAtMost(String retryAfter) {
		this.responses.add(Response.tooManyRequests(retryAfter));
		call("wide", PARTNER);
		this.clock.pass(Duration.ofSeconds(60).minusNanos(1));
		assertThatExceptionOfType(UpstreamPausedException.class).isThrownBy(() -> call("wide", PARTNER));
		this.clock.pass(Duration.ofNanos(1));
		assertThat(call("wide", PARTNER)).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-5", "soon", "", "1.", ".5", "1.5.1", "0.0", "\u0661",
			"Sat, 99 Nov 2026 23:00:00 GMT", "Sat, 21 Nov 2020 23:00:00 GMT" })
	void ignoresARetryAfterThatIsNotInTheFuture(String retryAfter) {
		this.responses.add(Response.tooManyRequests(retryAfter));
		call("wide", PARTNER);
		assertThat(call("wide", PARTNER)).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "2.5 | 3", "0.001 | 1", "4.0 | 4", "7 | 7" })
	void roundsAFractionOfASecondUp(String retryAfter, int seconds) {
		this.responses.add(Response.tooManyRequests(retryAfter));
		call("wide", PARTNER);
		assertThat(paused()).hasSeconds(seconds);
	}

	@Test
	void pausesForTheLongestOfSeveralTimes() {
		this.responses.add(Response.tooManyRequests("5", "soon", "9", "Sat, 21 Nov 2026 12:03:07 GMT"));
		call("wide", PARTNER);
		assertThat(paused()).hasSeconds(9);
		this.responses.add(Response.tooManyRequests("5", "Sat, 21 Nov 2026 12:03:11 GMT"));
		call("strict", PARTNER);
		assertThat(this.pauses.left(new Subject("strict", "partner.example"))).hasSeconds(11);
	}

	@Test
	void pausesAnUpstreamThatIsUnavailable() {
		this.responses.add(Response.of(503, "7"));
		assertThat(call("wide", PARTNER)).isEqualTo(503);
		assertThat(paused()).hasSeconds(7);
	}

	@Test
	void ignoresOtherResponsesAndThoseWithoutATime() {
		this.responses.addAll(List.of(Response.tooManyRequests(), Response.of(503), Response.of(200, "30"),
				Response.of(301, "30"), Response.of(500, "30")));
		List<Integer> statuses = IntStream.range(0, 6).mapToObj((call) -> call("wide", PARTNER)).toList();
		assertThat(statuses).containsExactly(429, 503, 200, 301, 500, 200);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "200 | \"hour\";r=0;t=7 | 7", "429 | \"hour\";r=0;t=7 | 7",
					"200 | \"day\";r=12;t=900, \"minute\";r=0;t=5 | 5", "200 | \"a\";r=0;t=5, \"b\";r=0;t=9 | 9",
					"200 | \"hour\" ; t=7 ; r=0;pk=:cHk=: | 7", "200 | hour;r=0;t=7 | 7",
					"404 | \"a,b;r=9\";r=0;t=3 | 3", "200 | \"a\\\"\";r=0;t=3 | 3", "200 | \"hour\";r=0;t=4000 | 60" })
	void pausesBeforeThe429OnceALimitOfTheUpstreamIsUsedUp(int status, String field, int seconds) {
		HttpHeaders headers = new HttpHeaders();
		headers.add("RateLimit", field);
		this.responses.add(new Response(status, headers));
		assertThat(call("wide", PARTNER)).isEqualTo(status);
		assertThat(paused()).hasSeconds(seconds);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"hour\";r=1;t=7", "\"hour\";r=0", "\"hour\";t=7", "\"hour\";r=00x;t=7",
			"\"hour\";rr=0;t=7", "\"r=0;t=7\"", "\"hour\";x=\";r=0;t=7;\";r=5;t=7", "limit=100, remaining=0, reset=7",
			"\"", ";r=0;t=7", "" })
	void pausesForNothingElseInTheField(String field) {
		HttpHeaders headers = new HttpHeaders();
		headers.add("RateLimit", field);
		this.responses.add(new Response(200, headers));
		call("wide", PARTNER);
		assertThat(paused()).isZero();
	}

	@Test
	void chargesTheCostOfARequest() {
		assertThat(call("strict", 2, PARTNER)).isEqualTo(200);
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> call("strict", 1, PARTNER));
		assertThat(call("strict", 0, "https://other.example/")).isEqualTo(200);
		assertThat(call("strict", 2, "https://other.example/")).isEqualTo(200);
	}

	@Test
	void throwsForAnUnknownPolicy() {
		assertThatExceptionOfType(InvalidRateLimitConfigurationException.class).isThrownBy(() -> call("none", PARTNER))
			.withMessageContaining("there is no policy named 'none'; there are [patient, queue, slots, strict, wide]");
	}

	private Duration paused() {
		return this.pauses.left(new Subject("wide", "partner.example"));
	}

}
