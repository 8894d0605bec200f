package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.TemporaryFolder;
import io.github.ratelimit.redis.TestRedis;

/**
 * A clock of a Redis that a test can step: a library, compiled by {@code gcc} and
 * preloaded, adds the offset in a file to the time of day.
 */
final class SteppedClock {

	private static final String LIBRARY = """
			#define _GNU_SOURCE
			#include <stdio.h>
			#include <stdlib.h>
			#include <sys/syscall.h>
			#include <sys/time.h>
			#include <time.h>
			#include <unistd.h>
			int gettimeofday(struct timeval *tv, void *tz) {
			  struct timespec ts;
			  long long offset = 0;
			  FILE *file = fopen(getenv("CLOCK_OFFSET_FILE"), "r");
			  if (file) { if (fscanf(file, "%lld", &offset) != 1) offset = 0; fclose(file); }
			  syscall(SYS_clock_gettime, CLOCK_REALTIME, &ts);
			  long long us = ts.tv_sec * 1000000LL + ts.tv_nsec / 1000 + offset;
			  tv->tv_sec = us / 1000000;
			  tv->tv_usec = us % 1000000;
			  return 0;
			}
			""";

	private final Path folder;

	private SteppedClock(Path folder) {
		this.folder = folder;
	}

	static SteppedClock compile() {
		try {
			Path folder = TemporaryFolder.ofThisJvm("stepped-clock").path();
			Path source = Files.writeString(folder.resolve("clock.c"), LIBRARY);
			Process compiler = new ProcessBuilder("gcc", "-shared", "-fPIC", "-o",
					folder.resolve("clock.so").toString(), source.toString())
				.inheritIO()
				.start();
			if (compiler.onExit().join().exitValue() != 0) {
				throw new IllegalStateException("The clock does not compile");
			}
			return new SteppedClock(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("There is no gcc to compile the clock with", ex);
		}
	}

	/** Starts a Redis with this clock. */
	RedisProcess redis() {
		try {
			step(Duration.ZERO);
			Path script = Files.writeString(this.folder.resolve("redis-server"),
					"#!/bin/sh\nCLOCK_OFFSET_FILE=" + this.folder.resolve("offset") + " LD_PRELOAD="
							+ this.folder.resolve("clock.so") + " exec " + TestRedis.executable() + " \"$@\"\n");
			if (!script.toFile().setExecutable(true)) {
				throw new IllegalStateException("The script cannot be executed");
			}
			return stepped(RedisProcess.start(script, List.of()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Requires that the clock of a Redis can be stepped, and sets it back. */
	private RedisProcess stepped(RedisProcess redis) {
		step(Duration.ofDays(1));
		long seconds = Long.parseLong(redis.commands().time().get(0));
		step(Duration.ZERO);
		if (seconds < Instant.now().plus(Duration.ofHours(23)).getEpochSecond()) {
			redis.close();
			throw new IllegalStateException(
					"The clock of this Redis cannot be stepped, as it is linked statically: put "
							+ "a redis-server of your distribution on the PATH");
		}
		return redis;
	}

	/** Sets the offset from the time of day. */
	void step(Duration offset) {
		try {
			Path next = Files.writeString(this.folder.resolve("next"), Long.toString(offset.toNanos() / 1000));
			Files.move(next, this.folder.resolve("offset"), StandardCopyOption.REPLACE_EXISTING,
					StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
