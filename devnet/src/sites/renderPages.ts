import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** The module that an app is built with, besides its site. */
type Renderer = { renderPages(config: object): Promise<ReadonlyMap<string, string>> }

/**
 * Renders the pages of an app in advance, so that browsers show them before their code has loaded.
 *
 * @param file the built module that exports `renderPages`
 * @param config the configuration that is written into the pages
 * @returns the HTML of the element `#root` by path; empty if the app has no such module
 * @throws Error if a page can't be rendered
 * @example const pages = await renderPages('.latchkey/web/renderPages.js', config)
 */
export async function renderPages(file: string, config: object): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(file)) return new Map()
  // Our own build wrote it.
  const renderer = (await import(pathToFileURL(file).href)) as Renderer
  return renderer.renderPages(config)
}
