import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { folder, home, isPage, page } from './project.js'

const anchors = new Set()

const links = []

/** Returns the anchor that GitHub gives to a heading. */
export function slugify(heading) {
  return heading.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-')
}

/** Makes Markdown's links, which lead to files of the project, lead to pages or to the repository. */
export function rewriteLinks(markdown) {
  markdown.core.ruler.push('links', ({ tokens, env: { relativePath } }) => {
    for (const token of tokens.flatMap((block) => [block, ...(block.children ?? [])])) {
      if (token.type === 'heading_open') {
        anchors.add(`${relativePath}#${token.attrGet('id')}`)
      } else if (token.type === 'link_open') {
        token.attrSet('href', destination(token.attrGet('href'), relativePath))
      }
    }
  })
}

/** Fails if a link leads to a heading that its page does not have. */
export function requireAnchors() {
  const dead = links.find(({ target }) => !anchors.has(target))
  if (dead) {
    throw new Error(`${dead.from} links to ${dead.target}, which is no heading`)
  }
}

function destination(href, from) {
  if (/^[a-z]+:/.test(href)) {
    return href
  }
  const [file, anchor] = href.split('#')
  const path = file ? posix.join(posix.dirname(from), file) : from
  if (!isPage(path)) {
    return source(path, from) + (anchor ? `#${anchor}` : '')
  }
  const target = page(path)
  if (!anchor) {
    return `/${target}`
  }
  links.push({ from, target: `${target}#${anchor}` })
  return file ? `/${target}#${anchor}` : href
}

function source(path, from) {
  if (!existsSync(new URL(path, folder))) {
    throw new Error(`${from} links to ${path}, which is no file`)
  }
  return `${home}/blob/main/${path}`
}
