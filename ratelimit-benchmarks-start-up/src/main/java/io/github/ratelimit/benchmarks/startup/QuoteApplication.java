package io.github.ratelimit.benchmarks.startup;

import java.lang.management.ManagementFactory;
import java.util.Map;

import com.sun.management.OperatingSystemMXBean;
import io.github.ratelimit.RateLimited;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A small web application that reports what its start took, and ends. It also starts
 * without the starter, as an annotation without its class has no effect.
 */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
public class QuoteApplication {

	/**
	 * Starts the application and prints a {@link StartUp}.
	 * @param arguments the arguments of the application
	 */
	@SuppressWarnings("checkstyle:RegexpSinglelineJava")
	public static void main(String[] arguments) {
		SpringApplication application = new SpringApplication(QuoteApplication.class);
		application
			.setDefaultProperties(Map.of("server.port", "0", "spring.main.banner-mode", "off", "logging.level.root",
					"warn", "ratelimit.policies.quotes.limits", "10/1m", "ratelimit.policies.quotes.key", "client-ip"));
		try (ConfigurableApplicationContext context = application.run(arguments)) {
			long nanos = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
			long compilers = ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
			long classes = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
			System.out
				.println(new StartUp(nanos / 1_000_000, compilers, context.getBeanDefinitionCount(), classes).text());
		}
	}

	@GetMapping("/quotes")
	@RateLimited("quotes")
	String quote() {
		return "It is always now.";
	}

}
