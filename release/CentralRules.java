import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;

import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * The rules of Maven Central, and some of this project, for a repository in a folder:
 * {@code java CentralRules.java FOLDER SIGNED}. Ends with 1 if a file breaks one.
 */
final class CentralRules {

	/** Elements that Central requires, by XPath within a POM. */
	private static final List<String> REQUIRED = List.of("groupId", "artifactId", "version", "name", "description", "url",
			"licenses/license/name", "licenses/license/url", "developers/developer/name", "scm/connection",
			"scm/developerConnection", "scm/url");

	/** Elements that a published POM must not have, as they need or change the consumer's build. */
	private static final List<String> BANNED = List.of("parent", "repositories", "pluginRepositories", "build", "profiles",
			"dependencies/dependency[scope = 'system']", "dependencies/dependency[not(version)]",
			"dependencies/dependency[scope = 'test']", "dependencyManagement/dependencies/dependency[not(version)]",
			"dependencyManagement/dependencies/dependency[groupId != 'io.github.ratelimit']");

	private static final Map<String, String> CHECKSUMS = Map.of(".md5", "MD5", ".sha1", "SHA-1");

	private static final List<String> ATTACHED = List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json",
			"-cyclonedx.xml");

	private static final String MODULE_NAME = "Automatic-Module-Name";

	private final XPath xpath = XPathFactory.newInstance().newXPath();

	private final List<String> broken = new ArrayList<>();

	private final boolean signed;

	private CentralRules(boolean signed) {
		this.signed = signed;
	}

	public static void main(String[] arguments) throws Exception {
		CentralRules rules = new CentralRules(Boolean.parseBoolean(arguments[1]));
		List<Path> files = files(Path.of(arguments[0]));
		List<Path> poms = files.stream().filter((file) -> file.toString().endsWith(".pom")).toList();
		rules.require(!poms.isEmpty(), Path.of(arguments[0]), "has no POM");
		for (Path file : files) {
			rules.checkFile(file);
		}
		for (Path pom : poms) {
			rules.checkPom(pom);
		}
		rules.broken.forEach(System.err::println);
		System.out.printf("%d files of %d modules, %d broken rules of Maven Central%n", files.size(), poms.size(),
				rules.broken.size());
		System.exit(rules.broken.isEmpty() ? 0 : 1);
	}

	/** Returns the published files, without what only comes with them. */
	private static List<Path> files(Path repository) throws IOException {
		try (Stream<Path> files = Files.walk(repository)) {
			return files.filter(Files::isRegularFile)
				.filter((file) -> !file.getFileName().toString().matches("maven-metadata.*|.*\\.(md5|sha\\d+|asc)"))
				.sorted()
				.toList();
		}
	}

	private void checkFile(Path file) throws IOException, GeneralSecurityException {
		for (Map.Entry<String, String> checksum : CHECKSUMS.entrySet()) {
			Path expected = Path.of(file + checksum.getKey());
			byte[] digest = MessageDigest.getInstance(checksum.getValue()).digest(Files.readAllBytes(file));
			require(Files.exists(expected) && Files.readString(expected).strip().equals(HexFormat.of().formatHex(digest)), file,
					"has no " + checksum.getKey() + " or a wrong one");
		}
		require(!this.signed || Files.exists(Path.of(file + ".asc")), file, "is not signed");
		require(!file.toString().contains("SNAPSHOT"), file, "is a snapshot");
		if (file.toString().endsWith(".jar")) {
			checkJar(file);
		}
	}

	private void checkJar(Path file) throws IOException {
		try (JarFile jar = new JarFile(file.toFile())) {
			require(jar.getEntry("META-INF/LICENSE") != null, file, "has no META-INF/LICENSE");
			Manifest manifest = Objects.requireNonNull(jar.getManifest(), file + " has no manifest");
			require(file.toString().matches(".*-(sources|javadoc)\\.jar")
					|| manifest.getMainAttributes().getValue(MODULE_NAME) != null, file, "has no " + MODULE_NAME);
		}
	}

	private void checkPom(Path file) throws Exception {
		String text = Files.readString(file);
		require(!text.contains("${"), file, "has a placeholder");
		require(!text.contains("SNAPSHOT"), file, "names a snapshot");
		Document pom = parse(file);
		for (String path : REQUIRED) {
			List<String> found = values(pom, path);
			require(!found.isEmpty() && found.stream().noneMatch(String::isBlank), file, "has no " + path);
		}
		for (String path : BANNED) {
			require(values(pom, path).isEmpty(), file, "has " + path);
		}
		if (!values(pom, "packaging").contains("pom")) {
			for (String suffix : ATTACHED) {
				Path attached = Path.of(file.toString().replaceAll("\\.pom$", suffix));
				require(Files.exists(attached), file, "comes without " + attached.getFileName());
			}
		}
	}

	private static Document parse(Path file) throws Exception {
		try (InputStream stream = Files.newInputStream(file)) {
			return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(stream);
		}
	}

	private List<String> values(Document pom, String path) throws XPathExpressionException {
		NodeList nodes = (NodeList) this.xpath.evaluate("/project/" + path, pom, XPathConstants.NODESET);
		return IntStream.range(0, nodes.getLength()).mapToObj((index) -> nodes.item(index).getTextContent()).toList();
	}

	private void require(boolean holds, Path file, String otherwise) {
		if (!holds) {
			this.broken.add(file + " " + otherwise);
		}
	}

}
