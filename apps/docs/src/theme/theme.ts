import { Content, type Theme } from 'vitepress'
import DefaultTheme, { VPHomeHero } from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './style.css'

/** The layout of the first page. The theme's own has no main landmark. */
const FirstPage = {
  render: () => h('main', { class: 'first-page' }, [h(VPHomeHero), h(Content, { class: 'vp-doc' })]),
}

/** The default theme with our colours and the system's fonts: the site fetches no font. */
export const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('FirstPage', FirstPage),
}
