package io.github.ratelimit.site;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Uses the site from its files in a headless Chromium, as a reader does.
 */
@Tag("browser")
class SiteBrowserTests {

	private static final Map<String, Object> DESKTOP = Map.of("width", 1440, "height", 1000, "deviceScaleFactor", 1,
			"mobile", false);

	private static final Map<String, Object> PHONE = Map.of("width", 390, "height", 844, "deviceScaleFactor", 1,
			"mobile", true);

	@TempDir
	static Path folder;

	private static RenderedSite site;

	private static Path profile;

	private static ChromeDriver driver;

	@BeforeAll
	static void start() throws IOException {
		site = RenderedSite.into(folder);
		profile = Files.createTempDirectory("browser");
		driver = new ChromeDriver(
				new ChromeDriverService.Builder().usingDriverExecutable(Path.of("/usr/bin/chromedriver").toFile())
					.usingAnyFreePort()
					.withEnvironment(Map.of("HOME", profile.toString()))
					.withLogOutput(OutputStream.nullOutputStream())
					.build(),
				options());
	}

	private static ChromeOptions options() {
		ChromeOptions options = new ChromeOptions();
		options.setBinary("/usr/bin/chromium");
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync",
				"--user-data-dir=" + profile.resolve("profile"));
		options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL"));
		return options;
	}

	/** Quits, and deletes the profile once no process of the browser writes any more. */
	@AfterAll
	static void stop() {
		driver.quit();
		await().ignoreExceptions().until(() -> FileSystemUtils.deleteRecursively(profile));
	}

	@BeforeEach
	void forgetTheThemeOnADesktop() {
		hold(DESKTOP);
		open("index.html");
		driver.executeScript("localStorage.clear()");
	}

	@AfterEach
	void hasNothingOnTheConsole() {
		assertThat(driver.manage().logs().get("browser").getAll()).isEmpty();
	}

	@Test
	void followsTheNavigation() {
		driver.findElement(By.linkText("Getting started")).click();
		assertThat(title()).isEqualTo("Getting started");
		assertThat(driver.findElement(By.cssSelector(".pages [aria-current]")).getText()).isEqualTo("Getting started");
		driver.findElement(By.cssSelector("[rel=next]")).click();
		assertThat(title()).isEqualTo("Recipes");
		driver.findElement(By.cssSelector(".contents")).findElement(By.linkText("LLM tokens")).click();
		assertThat(driver.getCurrentUrl()).endsWith("docs/recipes.html#llm-tokens");
		assertThat(driver.findElement(By.id("llm-tokens")).getLocation().getY()).isPositive();
	}

	@Test
	void findsASectionByItsWords() {
		driver.findElement(By.tagName("body")).sendKeys("/");
		WebElement search = driver.switchTo().activeElement();
		search.sendKeys("protect a log");
		assertThat(driver.findElement(By.cssSelector(".results [aria-selected=true] .found")).getText())
			.isEqualTo("Protect a login");
		search.sendKeys(Keys.ENTER);
		awaitUrl("docs/recipes.html#protect-a-login");
	}

	@Test
	void choosesAmongResultsWithTheKeyboard() {
		open("docs/migrate/limiters.html");
		WebElement search = driver.findElement(By.id("site-search"));
		search.sendKeys("client address");
		String first = search.getDomAttribute("aria-activedescendant");
		search.sendKeys(Keys.ARROW_DOWN);
		assertThat(search.getDomAttribute("aria-activedescendant")).isNotEqualTo(first).isEqualTo("site-result-1");
		search.sendKeys(Keys.ARROW_UP, Keys.ENTER);
		awaitUrl("docs/keys.html#client-address");
	}

	@Test
	void saysWhenNothingIsFound() {
		WebElement search = driver.findElement(By.id("site-search"));
		search.sendKeys("zzzz <b>");
		assertThat(driver.findElement(By.id("site-results")).getText()).isEqualTo("Nothing found");
		search.sendKeys(Keys.ESCAPE);
		assertThat(driver.findElement(By.id("site-results")).isDisplayed()).isFalse();
	}

	@Test
	void remembersTheThemeOnTheNextPage() {
		open("sample-app/index.html");
		String light = background();
		driver.findElement(By.cssSelector("button.theme")).click();
		String dark = background();
		assertThat(dark).isNotEqualTo(light);
		WebElement picture = driver.findElement(By.cssSelector("picture img"));
		assertThat(picture.getDomProperty("currentSrc")).contains("dark");
		open("docs/plans.html");
		assertThat(background()).isEqualTo(dark);
		driver.findElement(By.cssSelector("button.theme")).click();
		assertThat(background()).isEqualTo(light);
	}

	@Test
	void opensTheNavigationOnAPhone() {
		hold(PHONE);
		WebElement pages = driver.findElement(By.id("site-pages"));
		assertThat(pages.isDisplayed()).isFalse();
		driver.findElement(By.cssSelector("button.menu")).click();
		assertThat(pages.isDisplayed()).isTrue();
		pages.findElement(By.linkText("Keys")).click();
		assertThat(title()).isEqualTo("Keys");
	}

	@Test
	void fitsEveryPageOnAPhone() {
		hold(PHONE);
		assertThat(site.pages()).allSatisfy((page) -> {
			driver.get(page.toUri().toString());
			assertThat(driver.executeScript("return document.documentElement.scrollWidth - innerWidth")).isEqualTo(0L);
		});
	}

	@Test
	void coloursCode() {
		open("docs/recipes.html");
		assertThat(driver.findElements(By.cssSelector("code.language-yaml .hljs-attr"))).isNotEmpty();
		assertThat(driver.findElements(By.cssSelector("code.language-java .hljs-keyword"))).isNotEmpty();
	}

	private static void hold(Map<String, Object> screen) {
		driver.executeCdpCommand("Emulation.setDeviceMetricsOverride", screen);
	}

	private static void open(String url) {
		driver.get(folder.resolve(url).toUri().toString());
	}

	private static String title() {
		return driver.findElement(By.tagName("h1")).getText();
	}

	private static String background() {
		WebElement body = new WebDriverWait(driver, Duration.ofSeconds(5))
			.until(ExpectedConditions.presenceOfElementLocated(By.tagName("body")));
		return Objects.requireNonNull(body.getCssValue("background-color"));
	}

	private static void awaitUrl(String end) {
		new WebDriverWait(driver, Duration.ofSeconds(5)).until(ExpectedConditions.urlMatches(".*" + end + "$"));
	}

}
