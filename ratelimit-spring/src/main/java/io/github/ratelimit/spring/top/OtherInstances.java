package io.github.ratelimit.spring.top;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The reports of other instances. They are read on one thread of its own, and readers
 * wait only a moment, as an exchange may hang while its server does. Thread-safe.
 */
final class OtherInstances {

	private static final Log logger = LogFactory.getLog(OtherInstances.class);

	private static final int MOST_QUEUED = 16;

	private final TopExchange exchange;

	private final Duration longest;

	private final ThreadPoolExecutor reader = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS,
			new ArrayBlockingQueue<>(MOST_QUEUED), (task) -> {
				Thread thread = new Thread(task, "ratelimit-top-reader");
				thread.setDaemon(true);
				return thread;
			});

	OtherInstances(TopExchange exchange, Duration longest) {
		this.exchange = exchange;
		this.longest = longest;
		this.reader.allowCoreThreadTimeOut(true);
	}

	/**
	 * Returns the reports for each policy; {@code null} if they cannot be read in time.
	 */
	@Nullable Map<String, List<TopReport>> reports(Collection<String> policies) {
		Future<Map<String, List<TopReport>>> reading = null;
		try {
			reading = this.reader.submit(() -> read(policies));
			return reading.get(this.longest.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException | RejectedExecutionException ex) {
			logger.debug("Top keys of other instances are not known", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (reading != null) {
			this.reader.remove((Runnable) reading);
		}
		return null;
	}

	private Map<String, List<TopReport>> read(Collection<String> policies) {
		Map<String, List<TopReport>> reports = new LinkedHashMap<>();
		for (String policy : policies) {
			List<TopReport> others = new ArrayList<>();
			this.exchange.others(policy).forEach((text) -> others.add(TopText.read(text)));
			reports.put(policy, others);
		}
		return reports;
	}

}
