package io.github.ratelimit.benchmarks.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import com.zaxxer.hikari.HikariDataSource;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.jdbc.PrimaryKeyMapper;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import io.github.ratelimit.jdbc.PostgresqlProcess;

/**
 * Bucket4j on PostgreSQL by {@code SELECT … FOR UPDATE}, with a pool of connections whose
 * commits do not wait for the disk.
 */
final class Bucket4jPostgresql implements Contender {

	static final String NAME = "Bucket4j, PostgreSQL";

	static final String TABLE = "bucket";

	private static final int CONNECTIONS = 16;

	private final HikariDataSource connections = new HikariDataSource();

	private final ProxyManager<String> manager;

	private BucketConfiguration limits = limits(Scenario.SPREAD);

	Bucket4jPostgresql(PostgresqlProcess postgresql) {
		this.connections.setJdbcUrl(postgresql.url());
		this.connections.setUsername(PostgresqlProcess.USER);
		this.connections.setMaximumPoolSize(CONNECTIONS);
		this.connections.setConnectionInitSql("set synchronous_commit = off");
		this.manager = Bucket4jPostgreSQL.selectForUpdateBasedBuilder(this.connections)
			.primaryKeyMapper(PrimaryKeyMapper.STRING)
			.table(TABLE)
			.build();
		createTable();
	}

	private void createTable() {
		try (Connection connection = this.connections.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("create table " + TABLE + " (id text primary key, state bytea, expires_at bigint)");
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public void prepare(Scenario scenario) {
		this.limits = limits(scenario);
	}

	private static BucketConfiguration limits(Scenario scenario) {
		return BucketConfiguration.builder()
			.addLimit((limit) -> limit.capacity(scenario.burst()).refillGreedy(1, scenario.refill()))
			.build();
	}

	@Override
	public boolean acquire(String key) {
		return this.manager.getProxy(key, () -> this.limits).tryConsumeAndReturnRemaining(1).isConsumed();
	}

	@Override
	public boolean isAsync() {
		return false;
	}

	@Override
	public void close() {
		this.connections.close();
	}

}
