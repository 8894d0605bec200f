import { posix } from 'node:path'
import { page, read } from './project.js'

const list = 'docs/README.md'

/** Groups of pages, as the list of all pages has them. */
export const sidebar = read(list)
  .split('\n- ')
  .slice(1)
  .map((group) => ({ text: group.split(':')[0], items: links(group) }))

/** Fails if no link of the navigation leads to the page. */
export function requireEntry({ filePath, relativePath }) {
  const linked = sidebar.flatMap((group) => group.items).some((item) => item.link === `/${relativePath}`)
  if (!linked && filePath !== 'README.md' && filePath !== list) {
    throw new Error(`${list} does not link to ${filePath}: add it`)
  }
}

function links(text) {
  return [...text.matchAll(/\[([^\]]+)]\(([^)]+)\)/g)].map(([, title, file]) => ({
    text: title.replace(/\s+/g, ' '),
    link: `/${page(posix.join(posix.dirname(list), file))}`
  }))
}
