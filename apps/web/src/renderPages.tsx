import { StrictMode } from 'react'
import { prerender } from 'react-dom/static'
import { App } from './app/App.tsx'
import { parseSiteConfig } from './app/siteConfig.ts'
import { pages } from './app/usePage.ts'

/**
 * Renders each page in advance, as it is for a visitor without a wallet. The page's code takes the HTML over.
 *
 * @param config the configuration that the host writes into the page
 * @returns the HTML of the element `#root` by path
 * @throws Error if the configuration lacks a field
 * @example const html = (await renderPages(config)).get('/account')
 */
export async function renderPages(config: object): Promise<ReadonlyMap<string, string>> {
  const parsed = parseSiteConfig(config)
  return new Map(
    await Promise.all(
      pages.map(async (page) => {
        const app = (
          <StrictMode>
            <App config={parsed} firstPage={page} signIn="off" />
          </StrictMode>
        )
        // Larger boundaries would follow at the end of the page, with an inline script that moves them.
        const { prelude } = await prerender(app, { progressiveChunkSize: Infinity })
        return [page, await new Response(prelude).text()] as const
      }),
    ),
  )
}
