import { onContentUpdated, useData } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import { watch } from 'vue'
import './style.css'

export default { extends: theme, setup }

/** Shows the pictures of the theme that the reader chose, which may not be the system's. */
function setup() {
  const { isDark } = useData()
  const choose = () => {
    for (const source of document.querySelectorAll('picture source')) {
      source.media = isDark.value ? 'all' : 'not all'
    }
  }
  onContentUpdated(choose)
  watch(isDark, choose)
}
