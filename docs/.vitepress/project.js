import { readFileSync } from 'node:fs'

/** The project's folder. */
export const folder = new URL('../../', import.meta.url)

/** The project's address. */
export const home = read('pom.xml').match(/<project\.home>(.+)<\/project\.home>/)[1]

/** Returns the page that a Markdown file becomes. */
export function page(file) {
  return file.replace(/(^|\/)README\.md$/, '$1index.md')
}

/** Returns whether a file becomes a page. What programs write beside their code does not. */
export function isPage(file) {
  return file.endsWith('.md') && !file.includes('/results/')
}

/** Returns the text of a file of the project. */
export function read(file) {
  return readFileSync(new URL(file, folder), 'utf8')
}
