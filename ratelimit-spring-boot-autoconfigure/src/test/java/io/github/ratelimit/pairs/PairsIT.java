package io.github.ratelimit.pairs;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.pairs.Row.Feature;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.redis.TestConnections;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All pairs of features of different kinds, each in a small application.
 */
@Tag("long")
class PairsIT {

	private static final LettuceConnectionFactory CONNECTIONS = TestConnections.lettuce();

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@AfterAll
	static void disconnect() {
		CONNECTIONS.destroy();
	}

	@BeforeEach
	void listen() {
		this.log.start();
		SLF4JBridgeHandler.install();
		logger().addAppender(this.log);
	}

	@AfterEach
	void stop() {
		logger().detachAppender(this.log);
		SLF4JBridgeHandler.uninstall();
	}

	static Stream<Row> rows() {
		String row = System.getProperty("test.row");
		return (row != null) ? Stream.of(row.split(",", -1)).map(Row::parse)
				: Rows.covering(Integer.getInteger("test.tuples", 2)).stream();
	}

	@ParameterizedTest
	@MethodSource("rows")
	void doesWhatIsDocumented(Row row) {
		Model model = new Model(row);
		RowApplication.run(row, RowStore.of(row, CONNECTIONS), (application) -> {
			assertThat(model.isRefused()).as("refused").isFalse();
			new Scenario(row, model, application).play();
			assertThat(this.log.list.stream()
				.filter((line) -> line.getLoggerName().startsWith("io.github.ratelimit"))
				.filter((line) -> line.getLevel().isGreaterOrEqual(Level.WARN))
				.map(ILoggingEvent::getFormattedMessage)).as("warnings").hasSize(model.warnings());
		}, (failure) -> assertThat(model.isRefused()).as("refused: %s", failure).isTrue());
	}

	private static Logger logger() {
		return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
	}

	/** A play of a row: calls, and an event between them. */
	private record Scenario(Row row, Model model, RowApplication application) {

		void play() {
			if (this.row.feature() == Feature.GRANT) {
				this.application.set(new Grant("row", this.row.varied().key(), 4));
			}
			send(Request.FINE);
			send(Request.FINE);
			List<Reservation> held = happen();
			send(Request.FINE);
			this.application.release(held);
			this.application.liftAll();
			this.model.ban(false);
			this.model.release();
			awaitEnd();
			assertThat(this.application.requests()).isEqualTo(this.model.requests());
			Awaitility.await()
				.pollDelay(Duration.ZERO)
				.untilAsserted(() -> assertThat(this.application.consumed()).as("%s: consumed", this.row)
					.isEqualTo(this.model.consumed()));
			assertThat(this.application.denied()).containsExactlyInAnyOrderElementsOf(this.model.denied());
		}

		private List<Reservation> happen() {
			switch (this.row.event()) {
				case ADMITTED -> send(Request.FINE);
				case THROWS -> send(Request.FAILING);
				case UNBINDABLE -> send(Request.UNBINDABLE);
				case BLOCKED -> send(Request.OF_BLOCKED_CALLER);
				case STORE_FAILS_ALLOW, STORE_FAILS_DENY, STORE_FAILS_LOCAL -> failStore();
				case BANNED -> ban();
				case DENIED -> {
					return deny();
				}
				case WAITS -> {
					return waitForPermit();
				}
			}
			return List.of();
		}

		private void failStore() {
			this.application.fail(true);
			this.model.fail(true);
			send(Request.FINE);
			this.application.fail(false);
			this.model.fail(false);
		}

		private void ban() {
			String ban = this.application.set(new Ban("row", this.row.varied().key()));
			this.model.ban(true);
			send(Request.FINE);
			this.application.lift(ban);
			this.model.ban(false);
		}

		private List<Reservation> deny() {
			List<Reservation> held = this.application.spend(this.row.varied(), this.model.spendAll());
			send(Request.FINE);
			if (this.row.feature() == Feature.PENALTY) {
				Awaitility.await().until(() -> this.application.isControlled("ban"));
				this.model.ban(true);
			}
			return held;
		}

		/** Releases one of all permits when a call waits for it. */
		private List<Reservation> waitForPermit() {
			List<Reservation> held = this.application.spend(this.row.varied(), this.model.spendAll());
			this.application.afterDenial(() -> this.application.release(held.subList(0, 1)));
			this.model.releaseOne();
			send(Request.FINE);
			return held.subList(1, held.size());
		}

		private void send(Request request) {
			Expected expected = this.model.send(request);
			Response response = this.application.send(request);
			assertThat(response).as("%s: response to %s", this.row, request).isEqualTo(expected.response());
			List<Decision> decisions = this.application.decisions();
			assertThat(decisions).as("%s: decision on %s", this.row, request)
				.allSatisfy((decision) -> assertThat(Response.remaining(RateLimitFields.rateLimit(decision)))
					.isEqualTo(response.remaining()));
			assertThat(decisions.stream().map(Scenario::inShadow)).as("%s: shadows of %s", this.row, request)
				.isEqualTo(expected.inShadow());
			assertThat(this.application.seen()).as("%s: seen by %s", this.row, request).isEqualTo(expected.seen());
			if (!this.model.isFailing() && this.row.feature() != Feature.PENALTY) {
				awaitEnd();
			}
		}

		private static List<Long> inShadow(Decision decision) {
			return decision.shadows().stream().map(LimitDecision::remaining).sorted().toList();
		}

		/** Awaits the adjustments after a call. */
		private void awaitEnd() {
			for (Part part : this.row.door().parts()) {
				Awaitility.await()
					.pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(5))
					.atMost(Duration.ofSeconds(5))
					.untilAsserted(
							() -> assertThat(this.application.remaining(part)).as("%s: left of %s", this.row, part)
								.isEqualTo(this.model.remaining(part)));
			}
		}

	}

}
