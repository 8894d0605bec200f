package io.github.ratelimit.spring.consumption;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.ratelimit.key.KeyDigest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of records to a sink, at least once. Records that the sink does not take
 * wait for the next delivery, and the oldest are lost if there are too many. Thread-safe.
 */
public final class ConsumptionDelivery {

	private static final Log logger = LogFactory.getLog(ConsumptionDelivery.class);

	/** The most records that are delivered at once. */
	static final int BATCH = 500;

	private final Supplier<ConsumptionSink> sink;

	private final int maxPending;

	private final UnaryOperator<String> name;

	private final String instance = UUID.randomUUID().toString();

	private final Queue<IntervalTotals> ended = new ConcurrentLinkedQueue<>();

	/** The number of records of intervals that have ended. */
	private final AtomicInteger added = new AtomicInteger();

	/** Guards the records, while they are delivered too. */
	private final ReentrantLock delivering = new ReentrantLock();

	private final Deque<ConsumptionRecord> records = new ArrayDeque<>();

	private final AtomicLong lost = new AtomicLong();

	private long number;

	private boolean failing;

	private volatile int pending;

	/**
	 * Creates a delivery.
	 * @param sink supplies the sink when there is something to deliver
	 * @param maxPending the most records that wait for a delivery, at least 1
	 * @param showKeys whether records have keys, rather than digests of keys
	 */
	public ConsumptionDelivery(Supplier<ConsumptionSink> sink, int maxPending, boolean showKeys) {
		this.sink = sink;
		this.maxPending = maxPending;
		this.name = showKeys ? UnaryOperator.identity() : KeyDigest::inPlaceOf;
	}

	/**
	 * Adds the sums of an interval, to which nothing is added any more. It does not wait
	 * for a delivery; while one takes very long, the oldest intervals are lost.
	 */
	void add(IntervalTotals totals) {
		if (totals.size() == 0) {
			return;
		}
		this.ended.add(totals);
		this.added.addAndGet(totals.size());
		while (this.added.get() > this.maxPending && this.ended.size() > 1) {
			IntervalTotals oldest = pollEnded();
			countLost((oldest != null) ? oldest.size() : 0, "a delivery takes too long");
		}
	}

	private @Nullable IntervalTotals pollEnded() {
		IntervalTotals totals = this.ended.poll();
		if (totals != null) {
			this.added.addAndGet(-totals.size());
		}
		return totals;
	}

	/** Delivers what has been added, as far as the sink takes it. */
	void deliver() {
		this.delivering.lock();
		try {
			boolean delivers = tryDeliver();
			while (addNext()) {
				this.pending = this.records.size();
				delivers = delivers && tryDeliver();
				dropOldest();
			}
		}
		finally {
			this.delivering.unlock();
		}
	}

	/**
	 * Delivers what has been added, and waits for that no longer than a time, as a sink
	 * that hangs must not keep the application from stopping.
	 */
	void deliverWithin(Duration longest) {
		Thread thread = new Thread(this::deliver, "ratelimit-consumption-end");
		thread.setDaemon(true);
		thread.start();
		try {
			thread.join(longest.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Reports what could not be delivered before the end. */
	void close() {
		boolean isIdle = this.delivering.tryLock();
		int waiting = this.pending;
		for (IntervalTotals totals = pollEnded(); totals != null; totals = pollEnded()) {
			waiting += totals.size();
		}
		countLost(waiting, isIdle ? "they were not delivered before the end of the application"
				: "their delivery still runs at the end of the application");
		if (isIdle) {
			this.records.clear();
			this.pending = 0;
			this.delivering.unlock();
		}
	}

	/** Adds the records of the next interval that has ended, if there is one. */
	private boolean addNext() {
		IntervalTotals totals = pollEnded();
		if (totals != null) {
			this.records.addAll(totals.records(this::nextId, this.name));
		}
		return totals != null;
	}

	/**
	 * Returns the number of records that were lost, as the sink did not take them.
	 * @return records since the start
	 */
	public long lost() {
		return this.lost.get();
	}

	/**
	 * Returns the number of records that wait for a delivery.
	 * @return records of intervals that have ended
	 */
	public int pending() {
		return this.pending + this.added.get();
	}

	private boolean tryDeliver() {
		try {
			while (!this.records.isEmpty()) {
				List<ConsumptionRecord> batch = this.records.stream().limit(BATCH).toList();
				this.sink.get().receive(batch);
				batch.forEach((delivered) -> this.records.remove());
			}
			this.failing = false;
			return true;
		}
		catch (RuntimeException | Error ex) {
			if (!this.failing) {
				logger.warn("Records of consumption could not be delivered, and are delivered again", ex);
			}
			this.failing = true;
			return false;
		}
		finally {
			this.pending = this.records.size();
		}
	}

	private void dropOldest() {
		lose(Math.max(0, this.records.size() - this.maxPending),
				"more than " + this.maxPending + " would wait for a delivery");
	}

	private void lose(int oldest, String reason) {
		for (int i = 0; i < oldest; i++) {
			this.records.remove();
		}
		this.pending = this.records.size();
		countLost(oldest, reason);
	}

	private void countLost(int records, String reason) {
		if (records > 0) {
			this.lost.addAndGet(records);
			logger.warn(records + " records of consumption are lost, as " + reason);
		}
	}

	private String nextId() {
		return this.instance + '-' + this.number++;
	}

}
