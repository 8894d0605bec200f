package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Control.Reset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ControlTextTests {

	private static final Instant SINCE = Instant.parse("2026-11-22T10:00:00.123456Z");

	static Stream<Control> controls() {
		return Stream.of(new Ban("api", "principal:a&b=c d\u00e9\n%"), new Block("ip:192.0.2.0/24"),
				new Limits("api", "principal:a", List.of("10/1s", "100/1d fixed-window align day zone Asia/Tokyo")),
				new Grant("api", "principal:a", Long.MAX_VALUE), new Reset("api", "global"),
				new Pause("api", "partner.example"), new Change("api", List.of(), EnforcementMode.SHADOW, null),
				new Change("api", List.of("1/1m"), null, OnStoreFailure.DENY),
				new Change("api", List.of(), null, new EnforcedShare(10), null));
	}

	@ParameterizedTest
	@MethodSource("controls")
	void readsWhatItWrites(Control control) {
		ActiveControl forGood = new ActiveControl(control, SINCE, null);
		ActiveControl forAnHour = new ActiveControl(control, SINCE, SINCE.plusSeconds(3600));
		assertThat(ControlText.read(ControlText.write(forGood))).isEqualTo(forGood);
		assertThat(ControlText.read(ControlText.write(forAnHour))).isEqualTo(forAnHour);
	}

	@ParameterizedTest
	@MethodSource
	void readsWhoSetAControl(Origin origin) {
		ActiveControl active = new ActiveControl(new Block("principal:a"), origin, SINCE, null, null);
		assertThat(ControlText.read(ControlText.write(active))).isEqualTo(active);
	}

	static Stream<Origin> readsWhoSetAControl() {
		return Stream.of(Origin.operator(null, null), Origin.operator("ada & bob=", "a=b & c"), Origin.PENALTY,
				Origin.UPSTREAM, Origin.APPLICATION);
	}

	@ParameterizedTest
	@ValueSource(strings = { "v=2&kind=block&since=2026-11-22T10:00:00Z&origin=penalty&caller=principal%3Aa",
			"v=1&kind=throttle&since=2026-11-22T10:00:00Z&origin=penalty&policy=api&key=global",
			"v=1&kind=block&since=2026-11-22T10:00:00Z&origin=penalty&caller=principal%3Aa&only=reads",
			"v=1&kind=block&since=2026-11-22T10:00:00Z&origin=penalty&caller=principal%3Aa&duration=1h",
			"v=1&kind=block&since=2026-11-22T10:00:00Z",
			"v=1&kind=block&since=2026-11-22T10:00:00Z&caller=principal%3Aa",
			"v=1&kind=block&since=2026-11-22T10:00:00Z&origin=chance&caller=principal%3Aa",
			"v=1&kind=change&since=2026-11-22T10:00:00Z&origin=operator&policy=api&enforce=10",
			"v=1&kind=grant&since=2026-11-22T10:00:00Z&permits=many", "garbage", "\u0000" })
	void doesNotReadWhatAnotherVersionWrites(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> ControlText.read(text));
	}

	@ParameterizedTest
	@MethodSource("controls")
	void namesAControlWithoutItsKey(Control control) {
		assertThat(new ActiveControl(control, SINCE, null).id()).matches(control.kind() + "-(api|(api-)?[0-9a-f]{16})");
	}

	@Test
	void namesAControlByTheDigestThatReportsAndLogsShow() {
		String digest = KeyDigest.of("principal:eve");
		assertThat(new ActiveControl(new Ban("api", "principal:eve"), SINCE, null).id()).isEqualTo("ban-api-" + digest);
		assertThat(new ActiveControl(new Block("principal:eve"), SINCE, null).id()).isEqualTo("block-" + digest);
		assertThat(new ActiveControl(new Reset("api", "digest:" + digest), SINCE, null).id())
			.isEqualTo("reset-api-" + digest);
		assertThat(new ActiveControl(new Ban("api", "digest:../" + digest), SINCE, null).id())
			.matches("ban-api-[0-9a-f]{16}");
	}

}
