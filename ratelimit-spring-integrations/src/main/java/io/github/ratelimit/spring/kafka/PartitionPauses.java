package io.github.ratelimit.spring.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;

import org.apache.kafka.common.TopicPartition;

import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/**
 * The pauses of partitions, each of which resumes by itself. A partition that the
 * application has paused is left to it. The consumer goes on polling, so that it remains
 * a member of its group however long a pause takes. Thread-safe.
 */
public final class PartitionPauses implements AutoCloseable {

	/**
	 * The longest pause, after which a record is tried again, as limits may have been
	 * raised or reset meanwhile.
	 */
	public static final Duration LONGEST = Duration.ofMinutes(1);

	private final Duration longest;

	private final Set<PausedPartition> paused = ConcurrentHashMap.newKeySet();

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
		List<PausedPartition> own = partitions.stream()
			.map((partition) -> new PausedPartition(container, partition))
			.filter((partition) -> this.paused.contains(partition) || !partition.isPauseRequested())
			.toList();
		own.forEach((partition) -> {
			this.paused.add(partition);
			container.pausePartition(partition.partition());
		});
		Duration bounded = (pause.compareTo(this.longest) < 0) ? pause : this.longest;
		ScheduledFuture<?> unused = this.scheduler.schedule(() -> own.forEach(this::resume),
				Instant.now().plus(bounded));
	}

	private void resume(PausedPartition partition) {
		this.paused.remove(partition);
		partition.container().resumePartition(partition.partition());
	}

	@Override
	public void close() {
		this.scheduler.close();
	}

	/** A partition of a container. */
	private record PausedPartition(MessageListenerContainer container, TopicPartition partition) {

		/**
		 * Returns whether the container, or the one of its consumers, has been asked to
		 * pause.
		 */
		boolean isPauseRequested() {
			return (this.container instanceof ConcurrentMessageListenerContainer<?, ?> concurrent)
					? concurrent.getContainers()
						.stream()
						.anyMatch((child) -> isAssigned(child) && child.isPartitionPauseRequested(this.partition))
					: this.container.isPartitionPauseRequested(this.partition);
		}

		private boolean isAssigned(MessageListenerContainer child) {
			Collection<TopicPartition> assigned = child.getAssignedPartitions();
			return assigned != null && assigned.contains(this.partition);
		}

	}

}
