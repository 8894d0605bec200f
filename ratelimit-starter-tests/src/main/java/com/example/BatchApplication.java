package com.example;

import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** An application with a job of Spring Batch. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class BatchApplication {

	@Bean
	Job greetings(JobRepository jobs) {
		return new JobBuilder("greetings", jobs)
			.start(new StepBuilder("greet", jobs).tasklet((contribution, chunk) -> RepeatStatus.FINISHED).build())
			.build();
	}

}
