package io.github.ratelimit.spring.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.ScheduledFuture;

import org.apache.kafka.common.TopicPartition;

import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/**
 * The pauses of partitions, each of which resumes by itself. The consumer goes on
 * polling, so that it remains a member of its group however long a pause takes.
 * Thread-safe.
 */
public final class PartitionPauses implements AutoCloseable {

	/**
	 * The longest pause, after which a record is tried again, as limits may have been
	 * raised or reset meanwhile.
	 */
	public static final Duration LONGEST = Duration.ofMinutes(1);

	private final Duration longest;

	private final SimpleAsyncTaskScheduler scheduler = new SimpleAsyncTaskScheduler();

	/**
	 * Creates the pauses.
	 * @param longest the longest pause
	 */
	public PartitionPauses(Duration longest) {
		this.longest = longest;
		this.scheduler.setThreadNamePrefix("ratelimit-resume-");
		this.scheduler.setDaemon(true);
	}

	/**
	 * Pauses partitions and resumes them later. A container that is about to stop is left
	 * alone, as its lock may be taken until this thread returns.
	 */
	void pause(MessageListenerContainer container, Collection<TopicPartition> partitions, Duration pause) {
		if (!container.isRunning()) {
			return;
		}
		partitions.forEach(container::pausePartition);
		Duration bounded = (pause.compareTo(this.longest) < 0) ? pause : this.longest;
		ScheduledFuture<?> unused = this.scheduler.schedule(() -> partitions.forEach(container::resumePartition),
				Instant.now().plus(bounded));
	}

	@Override
	public void close() {
		this.scheduler.close();
	}

}
