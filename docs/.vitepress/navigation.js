import { page, read } from './project.js'

/** Groups of pages, as the list below the README's heading "Documentation" has them. */
export const sidebar = (read('README.md').split('\n## Documentation\n')[1] ?? '')
  .split('\n## ')[0]
  .split('\n- ')
  .slice(1)
  .map((group) => ({ text: group.split(':')[0], items: links(group) }))

/** Fails if no link of the navigation leads to the page. */
export function requireEntry({ filePath, relativePath }) {
  const linked = sidebar.flatMap((group) => group.items).some((item) => item.link === `/${relativePath}`)
  if (!linked && filePath !== 'README.md') {
    throw new Error(`README.md does not link to ${filePath}: add it to the list below "Documentation"`)
  }
}

function links(text) {
  return [...text.matchAll(/\[([^\]]+)]\(([^)]+)\)/g)].map(([, title, file]) => ({
    text: title.replace(/\s+/g, ' '),
    link: `/${page(file)}`
  }))
}
