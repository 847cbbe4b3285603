// Sends the requests of users at their times, independent of the responses. Gets `{ url, timeoutMs, reads }` as a message, and
// responds with the outcome of each request. It runs in a process of its own, so that it delays neither the nodes nor itself.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {{ atMs: number, paths: readonly string[] }} UserRead the paths are requested one after the other */
/** @typedef {{ path: string, outcome: string, ms: number }} ReadOutcome */

const errorTextLength = 120

/** @type {[{ url: string, timeoutMs: number, reads: readonly UserRead[] }]} */
const [{ url, timeoutMs, reads }] = /** @type {any} */ (await once(process, 'message'))
const agent = new Agent({ keepAlive: true })
/** @type {ReadOutcome[]} */
const outcomes = []

/**
 * @param {string} path
 * @returns {Promise<string>} `200`, or the status and the text of an error
 */
function requestPath(path) {
  return new Promise((resolve) => {
    const sent = request(`${url}${path}`, { agent, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      const isOk = response.statusCode === 200
      let text = ''
      response.on('data', (chunk) => {
        if (!isOk) text += String(chunk)
      })
      response.on('end', () => resolve(isOk ? '200' : `${response.statusCode} ${text.slice(0, errorTextLength)}`))
      response.on('error', (error) => resolve(error.name))
    })
    sent.on('error', (error) => resolve(error.name === 'Error' ? error.message : error.name))
    sent.end()
  })
}

await Promise.all(
  reads.map(async ({ atMs, paths }) => {
    await sleep(atMs)
    for (const path of paths) {
      const begun = performance.now()
      const outcome = await requestPath(path)
      outcomes.push({ path, outcome, ms: performance.now() - begun })
    }
  }),
)
agent.destroy()
process.send?.(outcomes, () => process.exit(0))
