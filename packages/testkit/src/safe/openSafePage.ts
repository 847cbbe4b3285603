import type { FrameLocator, Page } from '@playwright/test'
import type { SimulatedSafe } from './simulatedSafe.ts'

export type SafePageOptions = {
  /** The app to open in the Safe. */
  url: string
  /** Where the Safe's page is; nothing is asked from there. */
  origin?: string
}

/**
 * Opens an app in the page of a simulated Safe, which answers it. The app has to allow that it is framed there.
 *
 * @returns the app in its frame
 * @example const app = await openSafePage(page, safe, { url: 'http://localhost:3000' })
 */
export async function openSafePage(
  page: Page,
  safe: Pick<SimulatedSafe, 'answer'>,
  { url, origin = 'http://safe.localhost' }: SafePageOptions,
): Promise<FrameLocator> {
  await page.exposeFunction('__latchkeySafe', (message: unknown) => safe.answer(message))
  await page.route(`${origin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: document(url, new URL(url).origin) }),
  )
  await page.goto(`${origin}/`)
  return page.frameLocator('#app')
}

/** The Safe's page: hears the app in its frame and nobody else, and answers at the app's own origin. */
function document(url: string, appOrigin: string): string {
  const script = `
    const app = document.getElementById('app')
    addEventListener('message', async ({ source, origin, data }) => {
      if (source !== app.contentWindow || origin !== ${JSON.stringify(appOrigin)}) return
      const answer = await __latchkeySafe(data)
      if (answer !== undefined && answer !== null) source.postMessage(answer, origin)
    })
    app.src = ${JSON.stringify(url)}
  `
  return `<!doctype html><title>Safe</title><style>html, body { margin: 0 } iframe { border: 0; width: 100vw; height: 100vh }</style>
    <iframe id="app"></iframe><script>${script}</script>`
}
