import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from '@playwright/test'
import type { SimulatedSafe } from './simulatedSafe.ts'

/**
 * Opens an app inside the page of a simulated Safe, which handles its requests. The app must allow framing. A local
 * server serves the Safe's page on its own host name until the page closes.
 *
 * @param url the app to open
 * @returns the app in its frame
 * @example const app = await openSafePage(page, safe, 'http://127.0.0.1:3000')
 */
export async function openSafePage(
  page: Page,
  safe: Pick<SimulatedSafe, 'respond'>,
  url: string,
): Promise<FrameLocator> {
  const body = createDocument(url, new URL(url).origin)
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(body))
  const port = await listen(server)
  page.once('close', () => {
    server.closeAllConnections()
    server.close()
  })
  await page.exposeFunction('__latchkeySafe', (message: unknown) => safe.respond(message))
  await page.goto(`http://safe.localhost:${port}/`)
  return page.frameLocator('#app')
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening TCP server always has an address of this type.
  return (server.address() as AddressInfo).port
}

/** The Safe's page. It accepts messages only from the app's frame and responds only to the app's origin. */
function createDocument(url: string, appOrigin: string): string {
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
