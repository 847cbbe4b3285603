import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme, UserConfig } from 'vitepress'
import { deferApp } from './deferApp.ts'
import { extractScripts, removeStyleAttributes } from './extractScripts.ts'
import { followSources } from './followSources.ts'
import { codeTheme, highlightWithClasses } from './highlightWithClasses.ts'
import { collectPages, isSearchable } from './pages/collectPages.ts'
import { createSidebar } from './pages/createSidebar.ts'
import { slugifyHeading } from './pages/slugifyHeading.ts'
import { configureMarkdown } from './configureMarkdown.ts'
import { writePages } from './writePages.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(root, '.latchkey/docs')
const sidebarGroup = join(root, 'apps/docs/.vitepress/theme/sidebarGroup.ts')

/**
 * Reads the pages from the repository and configures VitePress to render them. A build writes into the folder that
 * `LATCHKEY_DOCS_DIR` names, `apps/docs/dist` by default.
 */
export async function createSiteConfig(): Promise<UserConfig<DefaultTheme.Config>> {
  const pages = await collectPages(root)
  const srcDir = join(folder, 'pages')
  const outDir = process.env['LATCHKEY_DOCS_DIR'] ?? join(root, 'apps/docs/dist')
  await writePages(root, srcDir, pages)
  return {
    title: 'Latchkey',
    description: 'A wallet-connection stack that you can run yourself.',
    lang: 'en',
    srcDir,
    srcExclude: ['public/**'],
    outDir,
    cacheDir: join(folder, 'cache'),
    cleanUrls: true,
    // The pages are copies, so they have no history.
    lastUpdated: false,
    head: [
      ['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }],
      ['meta', { name: 'color-scheme', content: 'light dark' }],
    ],
    // Firefox counts prefetched pages as `default-src`, which the policy of the site forbids.
    router: { prefetchLinks: false },
    themeConfig: createThemeConfig(createSidebar(pages)),
    markdown: {
      theme: codeTheme,
      codeTransformers: [highlightWithClasses],
      anchor: { slugify: slugifyHeading },
      config: configureMarkdown,
    },
    // The theme would otherwise add a style element when the appearance changes.
    appearance: { disableTransition: false },
    transformHtml: (html) => extractScripts(deferApp(removeStyleAttributes(html)), outDir),
    vite: {
      // The way to replace a component of the theme: https://vitepress.dev/guide/extending-default-theme
      resolve: { alias: [{ find: /^\.\/VPSidebarItem\.vue$/, replacement: sidebarGroup }] },
      plugins: [followSources(root, srcDir, pages)],
      build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 3000 },
    },
  }
}

function createThemeConfig(sidebar: DefaultTheme.SidebarMulti): DefaultTheme.Config {
  return {
    notFound: {
      title: 'Page not found',
      quote: 'This page does not exist. Search for its subject, or start on the first page.',
      linkText: 'Go to the first page',
    },
    logo: { src: '/icon.svg', alt: '' },
    sidebar,
    outline: { level: [2, 3] },
    nav: [
      { text: 'Quick start', link: '/start/react', activeMatch: '^/start/' },
      { text: 'Guides', link: '/connecting' },
      { text: 'Operate', link: '/operate' },
      { text: 'Reference', link: '/reference/options', activeMatch: '^/reference/' },
      { text: 'llms.txt', link: '/llms.txt', target: '_self' },
    ],
    search: {
      provider: 'local',
      options: {
        miniSearch: { searchOptions: { boost: { title: 4, text: 2, titles: 1 }, prefix: true, fuzzy: 0.1 } },
        _render: (source, env, md) => (isSearchable(source) ? md.render(source, env) : ''),
      },
    },
    footer: { message: 'MIT licence. No account, no vendor, no telemetry.' },
  }
}
