import type { Plugin } from 'vite'

/**
 * Adds links to the page that load the app together with the entry, which imports it only after the first paint. Their low
 * priority lets the style sheet load first.
 *
 * @param entry the end of the path of the module that the entry imports
 * @throws Error if no chunk begins with the module
 */
export function preloadApp(entry: string): Plugin {
  return {
    name: 'latchkey-preload-app',
    transformIndexHtml: {
      order: 'post',
      handler(page, { bundle }) {
        if (bundle === undefined) return []
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        const app = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(entry))
        if (app === undefined) throw new Error(`No chunk begins with ${entry}.`)
        const files = [app.fileName, ...app.imports].filter((file) => !page.includes(file))
        return files.map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href: `/${file}` },
          injectTo: 'head' as const,
        }))
      },
    },
  }
}
