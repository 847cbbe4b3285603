import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from '@playwright/test'

/** A page that embeds the wallet's frame and sends it raw messages, which no connector does. */
export type FrameHost = {
  readonly origin: string
  /** Every host name of this machine reaches it there. */
  readonly port: number
  close(): Promise<void>
}

/** Serves pages that embed the URL in their address: `/?frame=…`. */
export async function startHost(headers: Readonly<Record<string, string>> = {}): Promise<FrameHost> {
  const server = createServer(({ url = '/' }, response) => {
    const source = new URL(url, 'http://host').searchParams.get('frame')
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(hostPage(source ?? ''))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // A listening TCP server always has an address object.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    port,
    close: () => {
      // Browsers keep their connections open.
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

/** Records every message from every sender. */
function hostPage(source: string): string {
  const quoted = JSON.stringify(source).replaceAll('<', '\\u003c')
  return `<!doctype html><title>Host</title><script>
    globalThis.received = []
    addEventListener('message', (event) => received.push({ origin: event.origin, ...event.data }))
    addEventListener('DOMContentLoaded', () => {
      const frame = document.createElement('iframe')
      frame.src = ${quoted}
      frame.style.cssText = 'width: 400px; height: 640px; border: 0'
      document.body.append(frame)
    })
  </script><body></body>`
}

export type ReceivedMessage = {
  readonly type: string
  readonly id?: string
  readonly payload?: Record<string, unknown>
}

/** The messages that the page has received. */
export function receivedBy(page: Page | Frame): Promise<readonly ReceivedMessage[]> {
  return page.evaluate(() => (globalThis as unknown as { received: ReceivedMessage[] }).received)
}

/** Sends a message to the page's first frame. */
export async function postMessages(page: Page | Frame, ...messages: readonly unknown[]): Promise<void> {
  await page.evaluate((all) => {
    for (const message of all) document.querySelector('iframe')?.contentWindow?.postMessage(message, '*')
  }, messages)
}

let count = 0

/** Sends a request to the frame and waits for the response. */
export async function sendRequest(page: Page, name: string, payload?: unknown): Promise<ReceivedMessage> {
  const id = `ask-${(count += 1)}`
  await postMessages(page, { type: `@w3m-app/${name}`, id, payload })
  return responseTo(page, id)
}

/** Waits for the response with an id, limited by the time of the test: a busy machine takes minutes for thousands of messages. */
export async function responseTo(page: Page, id: string): Promise<ReceivedMessage> {
  const reply = await page.waitForFunction(
    (wanted) => (globalThis as unknown as { received: ReceivedMessage[] }).received.find((each) => each.id === wanted),
    id,
    { timeout: 0 },
  )
  // The function returns once the response arrives.
  return (await reply.jsonValue()) as ReceivedMessage
}
