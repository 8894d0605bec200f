package io.github.ratelimit.sample.live;

import java.util.List;

import io.github.ratelimit.sample.SampleApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The live page for those who do not see it, or see it otherwise.
 */
@Tag("browser")
class LiveAccessibilityIT {

	private static final ConfigurableApplicationContext SAMPLE = SpringApplication.run(SampleApplication.class,
			"--server.port=0");

	@RegisterExtension
	static final Browser BROWSER = new Browser();

	/** Returns the texts whose color is too close to that behind them. */
	private static final String FAINT_TEXTS = """
			const channels = (color) => color.match(/[\\d.]+/g).map(Number);
			const light = (color) => channels(color).slice(0, 3).map((value) => value / 255)
				.map((value) => (value <= 0.04045) ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
				.reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
			const behind = (element) => {
				const color = getComputedStyle(element).backgroundColor;
				return (channels(color)[3] === 0 && element.parentElement) ? behind(element.parentElement) : color;
			};
			const contrast = (element) => {
				const style = getComputedStyle(element);
				const color = (element instanceof SVGElement) ? style.fill : style.color;
				const [darker, lighter] = [light(color), light(behind(element))].sort((one, other) => one - other);
				return (lighter + 0.05) / (darker + 0.05);
			};
			return [...document.body.querySelectorAll("*")]
				.filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
				.filter((element) => contrast(element) < 4.5)
				.map((element) => element.textContent).join();
			""";

	/** Counts how often the drawing changes in a second. */
	private static final String CHANGES = """
			const done = arguments[0];
			let changes = 0;
			const observer = new MutationObserver(() => changes++);
			observer.observe(document.getElementById("drawing"), { attributes: true, subtree: true });
			setTimeout(() => done(changes), 1000);
			""";

	@AfterEach
	void preferNothing() {
		BROWSER.prefer("prefers-color-scheme", "");
	}

	@AfterAll
	static void stop() {
		SAMPLE.close();
	}

	@Test
	void namesEveryControl() {
		LivePage page = LivePage.open(BROWSER, SAMPLE);
		assertThat(page.all("button, input, select, meter, svg[role=img], table")).hasSizeGreaterThan(15)
			.filteredOn((element) -> element.isDisplayed())
			.allSatisfy((element) -> assertThat(element.getAccessibleName()).isNotBlank());
		assertThat(page.all("fieldset")).extracting((group) -> group.getAccessibleName())
			.containsExactly("Algorithm", "Calls");
		assertThat(page.element("rate").getAriaRole()).isEqualTo("slider");
	}

	@Test
	void describesItsDrawings() {
		LivePage page = LivePage.open(BROWSER, SAMPLE);
		page.call(4);
		page.await(() -> page.name("strip").contains("4 allowed, 0 denied."));
		page.await(() -> page.name("drawing").contains("of 10 permits left"));
	}

	@Test
	void announcesWhatHappenedOnceInAWhile() {
		LivePage page = LivePage.open(BROWSER, SAMPLE);
		page.call(4);
		assertThat(page.run("return document.getElementById('summary').textContent")).isEqualTo("");
		page.await(() -> String.valueOf(page.run("return document.getElementById('summary').textContent"))
			.startsWith("Last 20 seconds: 4 allowed, 0 denied."));
	}

	@Test
	void hasOtherColorsInTheDark() {
		BROWSER.prefer("prefers-color-scheme", "light");
		LivePage page = LivePage.open(BROWSER, SAMPLE);
		List<String> light = colors(page);
		BROWSER.prefer("prefers-color-scheme", "dark");
		assertThat(colors(page)).hasSameSizeAs(light).doesNotContainAnyElementsOf(light);
	}

	@ParameterizedTest
	@ValueSource(strings = { "light", "dark" })
	void keepsTextsLegible(String scheme) {
		BROWSER.prefer("prefers-color-scheme", scheme);
		LivePage page = LivePage.open(BROWSER, SAMPLE);
		page.logIn("guess");
		page.control("ban");
		page.awaitText("operator-result", "Wrong");
		assertThat(page.run(FAINT_TEXTS)).isEqualTo("");
	}

	@Test
	void movesLittleForThoseWhoWantThat() {
		LivePage page = LivePage.open(BROWSER, SAMPLE);
		page.call(5);
		long moving = changes();
		BROWSER.prefer("prefers-reduced-motion", "reduce");
		assertThat(changes()).isLessThanOrEqualTo(3).isLessThan(moving);
	}

	private static long changes() {
		return ((Number) BROWSER.driver().executeAsyncScript(CHANGES)).longValue();
	}

	private static List<String> colors(LivePage page) {
		return List.of(page.element("call").getCssValue("background-color"),
				page.element("bound-rule").getCssValue("color"),
				String.valueOf(page.run("return getComputedStyle(document.body).backgroundColor")),
				String.valueOf(page.run("return getComputedStyle(document.querySelector('.card')).backgroundColor")));
	}

}
