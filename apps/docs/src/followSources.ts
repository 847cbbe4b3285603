import { join } from 'node:path'
import type { Plugin } from 'vitepress'
import { collectPages } from './pages/collectPages.ts'
import type { Page } from './pages/page.ts'
import { writeChangedPages } from './writePages.ts'

/**
 * Reads the pages again when a document of the repository changes, while the site is served from its sources.
 *
 * @param root the repository
 * @param folder the folder that VitePress reads
 * @param pages the pages that are followed
 */
export function followSources(root: string, folder: string, pages: readonly Page[]): Plugin {
  const sources = new Set(pages.filter(({ source }) => source.endsWith('.md')).map(({ source }) => join(root, source)))
  return {
    name: 'latchkey-follow-sources',
    configureServer({ watcher }) {
      watcher.add([...sources])
      watcher.on('change', (file) => {
        if (!sources.has(file)) return
        collectPages(root).then(
          (changed) => writeChangedPages(folder, changed),
          (error: unknown) => console.error(error),
        )
      })
    },
  }
}
