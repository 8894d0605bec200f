import { defineConfig } from 'vitepress'
import { requireAnchors, rewriteLinks, slugify } from './links.js'
import { requireEntry, sidebar } from './navigation.js'
import { home, page, read } from './project.js'

const icon = `data:image/svg+xml,${encodeURIComponent(read('docs/.vitepress/icon.svg').trim())}`

// Pages outside of this folder do not find Vue by themselves.
const vue = {
  name: 'vue-of-this-folder',
  enforce: 'pre',
  resolveId: (id, page, { ssr }) => (ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : undefined)
}

/** Names of properties are found in their tables first. */
const boostDocument = (section) => (section.includes('/configuration.') ? 2 : 1)

export default defineConfig({
  title: 'Rate Limit',
  description: 'Annotation-driven rate limits for Spring Boot, counted exactly in Redis or in memory',
  lang: 'en',
  head: [['link', { rel: 'icon', href: icon }]],
  srcDir: '..',
  srcExclude: ['**/target/**', '**/results/**'],
  rewrites: page,
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify },
    // Braces at the end of a text belong to it.
    attrs: { disable: true },
    config: rewriteLinks
  },
  transformPageData: requireEntry,
  buildEnd: requireAnchors,
  vite: { plugins: [vue] },
  themeConfig: {
    logo: icon,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument } } } },
    nav: [{ text: 'GitHub', link: home }],
    editLink: { pattern: `${home}/edit/main/:path` }
  }
})
