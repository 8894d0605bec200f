package io.github.ratelimit.sample.live;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.WebDriverWait;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * The live page in a browser, by the words that its visitors see.
 */
final class LivePage {

	private static final Duration PATIENCE = Duration.ofSeconds(15);

	private static final Duration OFTEN = Duration.ofMillis(20);

	private final ChromeDriver driver;

	private LivePage(ChromeDriver driver) {
		this.driver = driver;
	}

	/** Loads the page with a new key, and waits until it can send calls. */
	static LivePage open(Browser browser, ConfigurableApplicationContext sample) {
		LivePage page = new LivePage(browser.driver());
		page.console();
		browser.driver()
			.get("http://localhost:" + sample.getEnvironment().getRequiredProperty("local.server.port") + "/");
		page.await(() -> page.text("drawing-text").contains("left") && page.text("instances").contains("localhost"));
		return page;
	}

	WebElement element(String id) {
		return this.driver.findElement(By.id(id));
	}

	List<WebElement> all(String selector) {
		return this.driver.findElements(By.cssSelector(selector));
	}

	String text(String id) {
		return element(id).getText();
	}

	/** Returns the name of an element for screen readers. */
	String name(String id) {
		return String.valueOf(element(id).getAccessibleName());
	}

	/** Waits until something shows, which may be replaced meanwhile. */
	void await(Supplier<Boolean> condition) {
		new WebDriverWait(this.driver, PATIENCE, OFTEN).ignoring(RuntimeException.class)
			.until((driver) -> condition.get());
	}

	void awaitText(String id, String text) {
		new WebDriverWait(this.driver, PATIENCE, OFTEN)
			.withMessage(() -> "'" + id + "' shows '" + text(id) + "', not '" + text + "'")
			.until((driver) -> text(id).contains(text));
	}

	void choose(String algorithm) {
		this.driver.findElement(By.cssSelector("input[value='" + algorithm + "']")).click();
	}

	/** Sends calls and waits until the page shows that they were decided. */
	void call(int calls) {
		int before = decided();
		for (int call = 0; call < calls / 5; call++) {
			element("calls").click();
		}
		for (int call = 0; call < calls % 5; call++) {
			element("call").click();
		}
		await(() -> decided() == before + calls);
	}

	/** Returns the number of calls in the table, that of its last row. */
	int decided() {
		return allowed() + denied();
	}

	int allowed() {
		return number("#instances tr:last-child td:nth-of-type(1)");
	}

	int denied() {
		return number("#instances tr:last-child td:nth-of-type(2)");
	}

	int number(String selector) {
		Object text = run("return document.querySelector(arguments[0]).textContent", selector);
		return Integer.parseInt(String.valueOf(text));
	}

	/** Returns the number of marks in the strip. */
	int marks(String outcome) {
		return all("#strip ." + outcome).size();
	}

	/** Returns the large figure of the drawing. */
	int left() {
		return number("#drawing .figure");
	}

	void logIn(String password) {
		type("user", "ada");
		type("password", password);
	}

	void type(String id, String text) {
		element(id).clear();
		element(id).sendKeys(text);
	}

	void control(String kind) {
		this.driver.findElement(By.cssSelector("[data-control='" + kind + "']")).click();
	}

	/** Presses keys as someone without a mouse does, and returns the focused element. */
	WebElement press(CharSequence... keys) {
		this.driver.switchTo().activeElement().sendKeys(keys);
		return this.driver.switchTo().activeElement();
	}

	/** Presses Tab until an element has the focus. */
	WebElement tabTo(String selector) {
		WebElement wanted = this.driver.findElement(By.cssSelector(selector));
		for (int stop = 0; stop < 30; stop++) {
			if (press(Keys.TAB).equals(wanted)) {
				return wanted;
			}
		}
		throw new IllegalStateException("Tab does not lead to " + selector);
	}

	Object run(String script, Object... arguments) {
		return String.valueOf(this.driver.executeScript(script, arguments));
	}

	/** Returns the messages on the console since it was last read. */
	List<String> console() {
		return this.driver.manage().logs().get("browser").getAll().stream().map(String::valueOf).toList();
	}

}
