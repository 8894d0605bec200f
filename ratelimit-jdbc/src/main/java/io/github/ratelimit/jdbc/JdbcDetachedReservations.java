package io.github.ratelimit.jdbc;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.DetachedText;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The detached reservations in a database. One transaction takes a charge and corrects
 * its counts. The place of a charge is its random identifier and its end. Thread-safe.
 */
final class JdbcDetachedReservations implements DetachedReservations {

	private static final int PLACE_BYTES = 3 * Long.BYTES;

	/** The most charges that one transaction refunds. */
	private static final int PAGE = 64;

	private final Transactions transactions;

	private final CountTable table;

	private final CountKeys keys;

	private final StoreClock clock;

	JdbcDetachedReservations(Transactions transactions, CountTable table, CountKeys keys, StoreClock clock) {
		this.transactions = transactions;
		this.table = table;
		this.keys = keys;
		this.clock = clock;
	}

	@Override
	public CompletionStage<byte[]> keep(DetachedCharge charge, long lifeMicros, boolean refundUnsettled) {
		UUID id = UUID.randomUUID();
		return this.transactions.start((connection, jdbc) -> {
			Long end = jdbc.queryForObject(Postgresql.KEEP, Long.class, id, this.keys.prefix(), this.clock.replaced(),
					lifeMicros, refundUnsettled, this.keys.hash(charge.key()), DetachedText.write(charge));
			return place(id, (end != null) ? end : 0);
		});
	}

	private static byte[] place(UUID id, long end) {
		return ByteBuffer.allocate(PLACE_BYTES)
			.putLong(id.getMostSignificantBits())
			.putLong(id.getLeastSignificantBits())
			.putLong(end)
			.array();
	}

	@Override
	public CompletionStage<Settlement> settle(byte[] place, Function<DetachedCharge, StoreRequest> correction) {
		if (place.length != PLACE_BYTES) {
			throw new IllegalArgumentException("a place has " + PLACE_BYTES + " bytes, had " + place.length);
		}
		ByteBuffer bytes = ByteBuffer.wrap(place);
		UUID id = new UUID(bytes.getLong(), bytes.getLong());
		long end = bytes.getLong();
		return this.transactions.start((connection, jdbc) -> {
			Kept kept = jdbc.query(Postgresql.FIND, (row) -> row.next() ? Kept.of(row) : null, this.clock.replaced(),
					id);
			if (kept == null) {
				return (time(jdbc) >= end) ? Settlement.EXPIRED : Settlement.UNKNOWN;
			}
			if (kept.text() == null) {
				return Settlement.ALREADY_SETTLED;
			}
			if (kept.now() >= kept.end()) {
				return Settlement.EXPIRED;
			}
			StoreRequest corrected = correction.apply(kept.charge());
			jdbc.update(Postgresql.SETTLE, id);
			correct(connection, List.of(corrected));
			return Settlement.SETTLED;
		});
	}

	/** Corrects counts as the last step of a transaction, which may end it. */
	private void correct(Connection connection, List<StoreRequest> corrections) throws SQLException {
		List<String> all = corrections.stream()
			.flatMap((correction) -> this.keys.ofHashed(correction).stream())
			.sorted()
			.distinct()
			.toList();
		if (all.isEmpty()) {
			return;
		}
		ReadCounts counts = this.table.lock(connection, all, true);
		for (StoreRequest correction : corrections) {
			if (!correction.permits().isEmpty()) {
				counts.decide(correction, this.keys.ofHashed(correction));
			}
		}
		if (!this.table.tryWriteLocked(connection, counts)) {
			throw Transactions.conflict();
		}
	}

	@Override
	public CompletionStage<OptionalLong> refundDue(Consumer<DetachedCharge> refunded) {
		return refundDue(Page.FIRST, refunded);
	}

	/** Refunds one page after another until none is left. */
	private CompletionStage<OptionalLong> refundDue(Page before, Consumer<DetachedCharge> refunded) {
		return this.transactions.start((connection, jdbc) -> refund(connection, jdbc, before)).thenCompose((page) -> {
			page.refunded().forEach(refunded);
			OptionalLong next = page.next();
			return (next != null) ? CompletableFuture.completedFuture(next) : refundDue(page, refunded);
		});
	}

	private Page refund(Connection connection, JdbcTemplate jdbc, Page before) throws SQLException {
		long now = time(jdbc);
		List<Kept> due = jdbc.query(Postgresql.DUE, (row, number) -> Kept.due(row, now), this.keys.prefix(), now,
				before.lastEnd(), before.last(), PAGE);
		if (due.isEmpty()) {
			Long next = jdbc.queryForObject(Postgresql.NEXT_DUE, Long.class, this.keys.prefix(), now);
			return before.end((next != null) ? OptionalLong.of(next - now) : OptionalLong.empty());
		}
		List<DetachedCharge> charges = new ArrayList<>();
		List<Object[]> ids = new ArrayList<>();
		for (Kept kept : due) {
			DetachedCharge charge = kept.tryRead();
			if (charge != null) {
				charges.add(charge);
				ids.add(new Object[] { kept.id() });
			}
		}
		jdbc.batchUpdate(Postgresql.DELETE, ids);
		correct(connection, charges.stream().map((charge) -> charge.correctedTo(0)).toList());
		Kept last = due.get(due.size() - 1);
		return new Page(charges, last.end(), last.id(), null);
	}

	private long time(JdbcTemplate jdbc) {
		Long time = jdbc.queryForObject(Postgresql.CLOCK, Long.class, this.clock.replaced());
		return (time != null) ? time : 0;
	}

	/** A charge as it is kept. */
	private record Kept(UUID id, long end, String hash, @Nullable String text, long now) {

		private static final UUID KNOWN = new UUID(0, 0);

		static Kept of(ResultSet row) throws SQLException {
			return new Kept(KNOWN, row.getLong(1), row.getString(2), row.getString(3), row.getLong(4));
		}

		static Kept due(ResultSet row, long now) throws SQLException {
			return new Kept(row.getObject(4, UUID.class), row.getLong(1), row.getString(2), row.getString(3), now);
		}

		DetachedCharge charge() {
			return DetachedText.read(String.valueOf(this.text), this.hash);
		}

		/** Returns null if another version of this class has written the charge. */
		@Nullable DetachedCharge tryRead() {
			try {
				return charge();
			}
			catch (RuntimeException ex) {
				return null;
			}
		}

	}

	/**
	 * The charges that one transaction has refunded.
	 *
	 * @param refunded the charges
	 * @param lastEnd the end of the last one that was due
	 * @param last its identifier
	 * @param next the time until the next one is due; {@code null} if there may be more
	 */
	private record Page(List<DetachedCharge> refunded, long lastEnd, UUID last, @Nullable OptionalLong next) {

		private static final Page FIRST = new Page(List.of(), Long.MIN_VALUE, new UUID(0, 0), null);

		Page end(OptionalLong next) {
			return new Page(List.of(), this.lastEnd, this.last, next);
		}

	}

}
