package io.github.ratelimit.jdbc;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.github.ratelimit.spring.top.TopExchange;

/**
 * An exchange of reports in a database. It writes only what has changed, as there may be
 * many policies.
 */
final class JdbcTopExchange implements TopExchange {

	private final String instance = UUID.randomUUID().toString();

	private final Transactions transactions;

	private final String prefix;

	/** The reports that the database has. */
	private Map<String, String> sent = Map.of();

	JdbcTopExchange(Transactions transactions, String prefix) {
		this.transactions = transactions;
		this.prefix = prefix;
	}

	@Override
	public synchronized void publish(Map<String, String> reports) {
		Map<String, String> before = this.sent;
		this.sent = Map.of();
		this.transactions.run((connection, jdbc) -> {
			jdbc.update(Postgresql.DROP_REPORTS, this.prefix, this.instance,
					connection.createArrayOf("text", reports.keySet().toArray()));
			int kept = jdbc.update(Postgresql.KEEP_REPORTS, this.prefix, this.instance);
			boolean all = kept != before.keySet().stream().filter(reports::containsKey).count();
			List<Object[]> rows = reports.entrySet()
				.stream()
				.filter((report) -> all || !report.getValue().equals(before.get(report.getKey())))
				.map((report) -> new Object[] { this.prefix, report.getKey(), this.instance, report.getValue() })
				.toList();
			return jdbc.batchUpdate(Postgresql.REPORT, rows);
		});
		this.sent = Map.copyOf(reports);
	}

	@Override
	public Collection<String> others(String policy) {
		return this.transactions.run((connection, jdbc) -> jdbc.queryForList(Postgresql.OTHER_REPORTS, String.class,
				this.prefix, policy, this.instance));
	}

}
