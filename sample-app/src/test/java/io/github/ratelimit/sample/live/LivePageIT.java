package io.github.ratelimit.sample.live;

import java.util.List;

import io.github.ratelimit.sample.SampleApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The live page as its visitors use it.
 */
@Tag("browser")
class LivePageIT {

	private static final ConfigurableApplicationContext SAMPLE = SpringApplication.run(SampleApplication.class,
			"--server.port=0");

	@RegisterExtension
	static final Browser BROWSER = new Browser();

	/** Compares the picture and the sentence of all frames of two seconds. */
	private static final String CONTRADICTIONS = """
			const done = arguments[0];
			const begin = performance.now();
			const found = new Set();
			const text = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent).join(" ");
			const times = (words) => (words.match(/(next|ends) in [\\d.]+ s/g) ?? []).map((time) => time.split(" in ")[1]);
			const compare = () => {
				const sentence = text("#drawing-text");
				const picture = text("#drawing .figure, #drawing .label");
				if (!sentence.startsWith(text("#drawing .figure") + " of ")
						|| !times(picture).every((time) => sentence.includes(time))) {
					found.add(`${picture} / ${sentence}`);
				}
				(performance.now() - begin < 2000) ? requestAnimationFrame(compare) : done([...found].join("\\n"));
			};
			requestAnimationFrame(compare);
			""";

	private final LivePage page = LivePage.open(BROWSER, SAMPLE);

	@BeforeAll
	static void isLight() {
		BROWSER.prefer("prefers-color-scheme", "light");
	}

	@AfterAll
	static void stop() {
		SAMPLE.close();
	}

	@Test
	void loadsWithoutErrors() {
		this.page.call(1);
		assertThat(this.page.console()).isEmpty();
		assertThat(this.page.element("problem").isDisplayed()).isFalse();
	}

	@Test
	void showsDecisionsAndHeaders() {
		this.page.choose("sliding-window-log");
		this.page.call(3);
		assertThat(this.page.allowed()).isEqualTo(3);
		assertThat(this.page.marks("allowed")).isEqualTo(3);
		this.page.awaitText("status", "204");
		this.page.awaitText("ratelimit", "\"live-sliding-window-log\";r=7;t=");
		assertThat(this.page.text("ratelimit-policy")).isEqualTo("\"live-sliding-window-log\";q=10;w=10");
		assertThat(this.page.text("retry-after")).isEqualTo("–");
		this.page.awaitText("strip-text", "3 allowed, 0 denied.");
	}

	@Test
	void showsDenialsOverTheLimit() {
		this.page.choose("sliding-window-log");
		this.page.call(10);
		this.page.call(2);
		assertThat(this.page.denied()).isEqualTo(2);
		assertThat(this.page.marks("denied")).isEqualTo(2);
		this.page.awaitText("status", "429");
		assertThat(Integer.parseInt(this.page.text("retry-after"))).isBetween(1, 10);
		assertThat(this.page.text("bound-text")).contains("10 of 10");
	}

	@Test
	void showsTheBucketRefill() {
		this.page.call(5);
		int left = this.page.left();
		this.page.await(() -> this.page.left() > left);
		this.page.awaitText("drawing-text", "permits left. The next one returns in");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			token-bucket | burst + N − 1 = 10 + 10 − 1 = 19 | permits left
			leaky-bucket | burst + N − 1 = 1 + 10 − 1 = 10 | of 1 permits left
			fixed-window | 2N − 1 = 2 · 10 − 1 = 19 | The window ends in
			sliding-window-counter | 2N − 1 = 2 · 10 − 1 = 19 | Counted: 0 ·
			sliding-window-log | N = 10 | permits left. The oldest charge leaves the log in
			""")
	void drawsEachAlgorithm(String algorithm, String bound, String description) {
		this.page.choose(algorithm);
		this.page.call(1);
		assertThat(this.page.element("drawing").getDomAttribute("data-algorithm")).isEqualTo(algorithm);
		assertThat(this.page.all("#drawing > *")).hasSizeGreaterThan(5);
		assertThat(this.page.text("bound-rule")).contains(bound);
		assertThat(this.page.text("bound-text")).endsWith(": 1 of " + bound.substring(bound.lastIndexOf(' ') + 1));
		this.page.awaitText("drawing-text", description);
		assertThat(this.page.name("drawing")).containsIgnoringCase(algorithm.replace('-', ' '));
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "leaky-bucket", "fixed-window", "sliding-window-log" })
	void saysBelowAPictureWhatThePictureShows(String algorithm) {
		this.page.choose(algorithm);
		this.page.call(5);
		assertThat(BROWSER.driver().executeAsyncScript(CONTRADICTIONS)).asString().isEmpty();
	}

	@Test
	void offersTheLimitsOfAnAlgorithm() {
		this.page.choose("fixed-window");
		assertThat(this.page.all("#limit option")).extracting(WebElement::getText)
			.containsExactly("10 per 10 s", "5 per 10 s", "20 per 20 s");
		this.page.element("limit").sendKeys("5");
		this.page.call(7);
		assertThat(this.page.allowed()).isEqualTo(5);
		assertThat(this.page.all("#drawing .cell")).hasSize(5);
	}

	@Test
	void sendsCallsAtTheRateOfTheSlider() {
		this.page.element("rate").sendKeys(Keys.END);
		this.page.await(() -> this.page.decided() > 15);
		this.page.element("rate").sendKeys(Keys.HOME);
		assertThat(this.page.text("rate-value")).isEqualTo("0");
		assertThat(this.page.allowed()).isBetween(10, 19);
	}

	@Test
	void bansAndLiftsBans() {
		this.page.logIn("secret");
		this.page.control("ban");
		this.page.awaitText("operator-result", "Banned");
		this.page.call(1);
		this.page.awaitText("status", "403");
		assertThat(this.page.marks("banned")).isEqualTo(1);
		this.page.control("lift");
		this.page.awaitText("operator-result", "No control");
		this.page.call(1);
		this.page.awaitText("status", "204");
	}

	@Test
	void resetsTheCount() {
		this.page.choose("sliding-window-log");
		this.page.call(10);
		assertThat(this.page.left()).isZero();
		this.page.logIn("secret");
		this.page.control("reset");
		this.page.awaitText("operator-result", "reset");
		this.page.await(() -> this.page.left() == 10);
		this.page.call(1);
		assertThat(this.page.allowed()).isEqualTo(1);
	}

	@Test
	void grantsCalls() {
		this.page.choose("sliding-window-log");
		this.page.call(10);
		this.page.logIn("secret");
		this.page.control("grant");
		this.page.awaitText("operator-result", "Granted");
		this.page.call(5);
		assertThat(this.page.allowed()).isEqualTo(15);
		assertThat(this.page.marks("granted")).isEqualTo(5);
		assertThat(this.page.text("bound-text")).contains("10 of 10, and 5 by a grant");
	}

	@Test
	void setsALimitForItsKeyAlone() {
		this.page.logIn("secret");
		this.page.type("own-limit", "3/9s burst 2");
		this.page.control("limits");
		this.page.awaitText("operator-result", "limit of its own");
		this.page.call(5);
		assertThat(this.page.allowed()).isEqualTo(2);
		assertThat(this.page.text("bound-rule")).contains("Any 9 s").contains("2 + 3 − 1 = 4");
		assertThat(LivePage.open(BROWSER, SAMPLE).text("bound-rule")).contains("= 19");
	}

	@Test
	void showsWhyALimitIsInvalid() {
		this.page.logIn("secret");
		this.page.type("own-limit", "many");
		this.page.control("limits");
		this.page.awaitText("operator-result", "Nothing was changed: a limit is written permits/period");
	}

	@Test
	void changesNothingWithAWrongPassword() {
		this.page.logIn("guess");
		for (String control : List.of("reset", "grant", "ban", "limits", "lift")) {
			this.page.control(control);
			this.page.awaitText("operator-result", "Wrong user name or password. Nothing was changed.");
		}
		this.page.call(1);
		this.page.awaitText("ratelimit", "\"live-token-bucket\";r=9;");
	}

	@Test
	void isOperatedByKeyboardAlone() {
		this.page.tabTo("[name=algorithm]:checked");
		this.page.press(Keys.ARROW_DOWN);
		this.page.press(Keys.ARROW_DOWN);
		this.page.tabTo("#limit").sendKeys("5");
		this.page.tabTo("#call").sendKeys(Keys.SPACE);
		this.page.tabTo("#calls").sendKeys(Keys.ENTER);
		this.page.await(() -> this.page.decided() == 6);
		assertThat(this.page.allowed()).isEqualTo(5);
		this.page.tabTo("#rate").sendKeys(Keys.ARROW_RIGHT);
		assertThat(this.page.text("rate-value")).isEqualTo("0.5");
		this.page.press(Keys.ARROW_LEFT);
		this.page.tabTo("#user").sendKeys("ada");
		this.page.tabTo("#password").sendKeys("secret");
		for (String control : List.of("reset", "grant", "ban", "lift")) {
			WebElement button = this.page.tabTo("[data-control=" + control + "]");
			assertThat(button.getCssValue("outline-style")).isEqualTo("solid");
			button.sendKeys(Keys.ENTER);
		}
		this.page.awaitText("operator-result", "No control");
	}

}
