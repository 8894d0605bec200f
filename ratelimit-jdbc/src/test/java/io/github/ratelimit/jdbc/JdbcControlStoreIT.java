package io.github.ratelimit.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.ControlStore.Changes;
import io.github.ratelimit.spring.control.ControlStore.Restored;
import io.github.ratelimit.spring.control.ControlStore.Text;
import io.github.ratelimit.spring.control.Revision;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("postgresql")
class JdbcControlStoreIT {

	private final String prefix = "controls-" + UUID.randomUUID();

	private final JdbcRateLimitStore store = store();

	private final JdbcRateLimitStore otherStore = store();

	private final ControlStore controls = this.store.controlStore();

	private final ControlStore others = this.otherStore.controlStore();

	private JdbcRateLimitStore store() {
		PostgresqlProcess server = PostgresqlProcess.shared();
		return JdbcRateLimitStore.on(server.url(), PostgresqlProcess.USER, null, this.prefix,
				JdbcStoreContractsIT.PATIENT);
	}

	@AfterEach
	void disconnect() {
		this.store.close();
		this.otherStore.close();
	}

	@Test
	void isEmptyAtFirst() {
		Changes none = this.controls.since(Revision.NONE, false);
		assertThat(none.revision()).isEqualTo(Revision.NONE);
		assertThat(none.texts()).isEmpty();
		assertThat(none.lacking()).isFalse();
	}

	@Test
	void returnsWhatAnotherInstanceHasChanged() {
		this.controls.put("a", "ban", null);
		Changes first = this.others.since(Revision.NONE, false);
		assertThat(first.texts()).containsExactlyEntriesOf(Map.of("a", "ban"));
		assertThat(first.all()).isTrue();
		this.controls.put("b", "grant", null);
		this.controls.remove("a");
		Changes second = this.others.since(first.revision(), false);
		assertThat(second.all()).isFalse();
		assertThat(second.texts()).containsExactlyInAnyOrderEntriesOf(Map.of("a", "", "b", "grant"));
		assertThat(this.others.since(second.revision(), false).texts()).isEmpty();
		assertThat(this.others.since(second.revision(), true).texts()).containsExactlyEntriesOf(Map.of("b", "grant"));
	}

	@Test
	void reportsAnEndToOneInstance() {
		this.controls.put("a", "ban", Instant.now().minusSeconds(1));
		assertThat(this.others.since(Revision.NONE, false).ended()).containsExactly("a");
		Changes later = this.controls.since(Revision.NONE, false);
		assertThat(later.ended()).isEmpty();
		assertThat(later.texts()).isEmpty();
	}

	@Test
	void refusesMoreThanThereIsRoomFor() {
		Map<String, Text> many = IntStream.range(0, ControlStore.MOST)
			.boxed()
			.collect(Collectors.toMap((number) -> "id-" + number, (number) -> new Text("ban", null)));
		assertThat(this.controls.put(many)).isEmpty();
		assertThat(this.controls.put(Map.of("one more", new Text("ban", null), "id-7", new Text("grant", null))))
			.containsExactly("one more");
		assertThat(this.others.since(Revision.NONE, false).texts()).hasSize(ControlStore.MOST)
			.containsEntry("id-7", "grant");
	}

	@Test
	void isWrittenBackOnceAfterItWasEmptied() throws SQLException {
		this.controls.put("a", "ban", null);
		this.controls.put("lifted", "ban", null);
		this.controls.remove("lifted");
		Revision known = this.controls.since(Revision.NONE, false).revision();
		execute("delete from ratelimit_control where prefix = ?");
		execute("delete from ratelimit_control_head where prefix = ?");
		Changes lacking = this.controls.since(known, false);
		assertThat(lacking.lacking()).isTrue();
		assertThat(lacking.texts()).isEmpty();
		assertThat(this.controls.restore(known, known("a", "ban"))).isEqualTo(new Restored(1, 0));
		assertThat(this.others.restore(known, known("a", "ban"))).isEqualTo(Restored.NOTHING);
		Changes restored = this.others.since(known, true);
		assertThat(restored.lacking()).isFalse();
		assertThat(restored.texts()).containsExactlyEntriesOf(Map.of("a", "ban"));
	}

	@Test
	void keepsWhatWasSetAfterTheLossAndDropsWhatWasLifted() throws SQLException {
		this.controls.put("lifted", "ban", null);
		this.controls.put("kept", "old", null);
		execute("create table if not exists controls_before as select * from ratelimit_control where prefix = ?");
		this.controls.put("kept", "ban", null);
		this.controls.remove("lifted");
		Revision known = this.controls.since(Revision.NONE, false).revision();
		execute("delete from ratelimit_control where prefix = ?");
		execute("insert into ratelimit_control select * from controls_before where prefix = ?");
		execute("drop table controls_before; update ratelimit_control_head set revision = 1 where prefix = ?");
		this.others.put("new", "grant", null);
		assertThat(this.controls.since(known, false).lacking()).isTrue();
		assertThat(this.controls.restore(known, known("kept", "ban"))).isEqualTo(new Restored(1, 1));
		Changes restored = this.others.since(Revision.NONE, false);
		assertThat(restored.texts()).containsExactlyInAnyOrderEntriesOf(Map.of("kept", "ban", "new", "grant"));
		assertThat(this.controls.since(known, false).lacking()).isFalse();
	}

	@Test
	void exchangesReports() {
		var one = this.store.topExchange();
		var other = this.otherStore.topExchange();
		Map<String, String> reports = new HashMap<>(Map.of("api", "alice 3", "login", "bob 1"));
		one.publish(reports);
		other.publish(Map.of("api", "carol 2"));
		assertThat(one.others("api")).containsExactly("carol 2");
		assertThat(other.others("login")).containsExactly("bob 1");
		reports.remove("login");
		reports.put("api", "alice 4");
		one.publish(reports);
		assertThat(other.others("api")).containsExactly("alice 4");
		assertThat(other.others("login")).isEmpty();
	}

	@Test
	void writesReportsAgainThatTheServerHasLost() throws SQLException {
		var one = this.store.topExchange();
		one.publish(Map.of("api", "alice 3"));
		execute("delete from ratelimit_top where prefix = ?");
		one.publish(Map.of("api", "alice 3"));
		assertThat(this.otherStore.topExchange().others("api")).containsExactly("alice 3");
	}

	private static Stream<Map.Entry<String, Text>> known(String id, String text) {
		return Stream.of(Map.entry(id, new Text(text, null)));
	}

	private void execute(String sql) throws SQLException {
		try (Connection connection = PostgresqlProcess.shared().connect();
				var statement = connection.prepareStatement(sql.replace("?", '\'' + this.prefix + '\''))) {
			statement.execute();
		}
	}

}
