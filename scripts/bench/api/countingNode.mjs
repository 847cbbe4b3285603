// A node in front of another one: it counts calls, and responds after a latency. It parses nothing, because it shares the
// machine with the server that is measured.
import { Agent, createServer, request } from 'node:http'
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
  const agent = new Agent({ keepAlive: true })
  const server = createServer((received, response) => {
    void readBody(received)
      .then(async (body) => {
        for (const [, method = ''] of body.toString('latin1').matchAll(/"method":"(\w+)"/g))
          calls.set(method, (calls.get(method) ?? 0) + 1)
        if (latencyMs > 0) await sleep(latencyMs)
        const text = await send(body)
        response.setHeader('content-type', 'application/json').end(text)
      })
      .catch(() => response.destroy())
  })

  /**
   * @param {Buffer} body
   * @returns {Promise<Buffer>}
   */
  function send(body) {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length }
      const sent = request(target, { method: 'POST', agent, headers }, (response) => {
        readBody(response).then(resolve, reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    calls: () => calls,
    async close() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * @param {import('node:http').IncomingMessage} message
 * @returns {Promise<Buffer>}
 */
async function readBody(message) {
  /** @type {Buffer[]} */
  const chunks = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}
