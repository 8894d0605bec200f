package com.example;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** A main class that starts an application and writes down which beans it has. */
public final class BeanReport {

	private BeanReport() {
	}

	/**
	 * Starts an application, writes its beans and closes it.
	 * @param args the file to write to, the class of the application and its arguments
	 * @throws IOException if the file cannot be written
	 * @throws ClassNotFoundException if there is no such application
	 */
	public static void main(String[] args) throws IOException, ClassNotFoundException {
		Class<?> application = Class.forName(args[1]);
		String[] arguments = Arrays.copyOfRange(args, 2, args.length);
		try (ConfigurableApplicationContext context = SpringApplication.run(application, arguments)) {
			Files.write(Path.of(args[0]), beans(context.getBeanFactory()));
		}
	}

	private static List<String> beans(ConfigurableListableBeanFactory factory) {
		List<String> beans = new ArrayList<>();
		factory.getBeanNamesIterator().forEachRemaining((name) -> beans.add(name + "\t" + types(factory, name)));
		return beans;
	}

	/** Returns the class of the object and, for a factory, the type of its product. */
	private static String types(ConfigurableListableBeanFactory factory, String name) {
		Object singleton = factory.getSingleton(name);
		String type = name(factory.getType(name, false));
		String object = (singleton != null) ? name(singleton.getClass()) : type;
		return object.equals(type) ? type : object + " of " + type;
	}

	private static String name(@Nullable Class<?> type) {
		if (type == null) {
			return "unknown";
		}
		if (Proxy.isProxyClass(type)) {
			return "proxy of " + Arrays.toString(type.getInterfaces());
		}
		return type.getName().replaceFirst("\\$\\$Lambda.*", " (lambda)");
	}

}
