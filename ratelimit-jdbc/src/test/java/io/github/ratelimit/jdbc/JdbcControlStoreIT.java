package io.github.ratelimit.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.ControlStore.Changes;
import io.github.ratelimit.spring.control.ControlStore.Restored;
import io.github.ratelimit.spring.control.ControlStore.Text;
import io.github.ratelimit.spring.control.ControlStoreContract;
import io.github.ratelimit.spring.control.Revision;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("postgresql")
class JdbcControlStoreIT extends ControlStoreContract {

	private final String prefix = "controls-" + UUID.randomUUID();

	private final JdbcRateLimitStore store = PostgresqlProcess.shared()
		.store(this.prefix, JdbcStoreContractsIT.PATIENT);

	private final ControlStore controls = store();

	private final ControlStore others = store();

	@AfterEach
	void disconnect() {
		this.store.close();
	}

	@Override
	protected ControlStore store() {
		return this.store.controlStore();
	}

	@Override
	protected boolean tryLose() {
		execute("delete from ratelimit_control where prefix = ?");
		execute("delete from ratelimit_control_head where prefix = ?");
		return true;
	}

	@Test
	void keepsWhatWasSetAfterTheLossAndDropsWhatWasLifted() {
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

	private static Stream<Map.Entry<String, Text>> known(String id, String text) {
		return Stream.of(Map.entry(id, new Text(text, null)));
	}

	private void execute(String sql) {
		try (Connection connection = PostgresqlProcess.shared().connect();
				Statement statement = connection.createStatement()) {
			statement.execute(sql.replace("?", '\'' + this.prefix + '\''));
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
