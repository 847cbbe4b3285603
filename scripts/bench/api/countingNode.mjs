// A node in front of another one: it counts calls, and responds after a latency.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {{ url: string, calls: () => ReadonlyMap<string, number>, close: () => Promise<void> }} CountingNode */

/**
 * @param {string} target
 * @param {{ latencyMs?: number }} [options]
 * @returns {Promise<CountingNode>}
 */
export async function startCountingNode(target, { latencyMs = 0 } = {}) {
  /** @type {Map<string, number>} */
  const calls = new Map()
  const server = createServer((request, response) => {
    void forward(request).then(
      (text) => response.setHeader('content-type', 'application/json').end(text),
      () => response.destroy(),
    )
  })

  /** @param {import('node:http').IncomingMessage} request */
  async function forward(request) {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    for (const { method } of [JSON.parse(body)].flat()) calls.set(method, (calls.get(method) ?? 0) + 1)
    if (latencyMs > 0) await sleep(latencyMs)
    const headers = { 'content-type': 'application/json' }
    return (await fetch(target, { method: 'POST', headers, body })).text()
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    calls: () => calls,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
