// Sends requests at a fixed rate, independent of the responses: `node load.mjs url rate seconds`. Reads paths from
// standard input.
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'

const [base = '', rate = '500', seconds = '10'] = process.argv.slice(2)
/** @type {string[]} */
const paths = []
for await (const line of createInterface({ input: process.stdin })) paths.push(line)

const agent = new Agent({ keepAlive: true, maxSockets: 256 })
const { hostname, port } = new URL(base)
const gap = 1_000 / Number(rate)
const total = Number(rate) * Number(seconds)
/** @type {number[]} */
const took = []
let failed = 0

/**
 * @param {string} path
 * @param {number} due when the request was due; the time in the queue counts, too
 */
function sendRequest(path, due) {
  return new Promise((resolve) => {
    const requested = request({ hostname, port, path, agent }, (response) => {
      response.resume()
      response.on('end', () => {
        took.push(performance.now() - due)
        if (response.statusCode !== 200) failed += 1
        resolve(undefined)
      })
    })
    requested.on('error', () => {
      failed += 1
      resolve(undefined)
    })
    requested.end()
  })
}

const begun = performance.now()
/** @type {Promise<unknown>[]} */
const requested = []
while (requested.length < total) {
  const due = begun + requested.length * gap
  if (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1))
  else requested.push(sendRequest(paths[requested.length % paths.length] ?? '/', due))
}
await Promise.all(requested)
agent.destroy()

took.sort((a, b) => a - b)
const getPercentile = (/** @type {number} */ share) =>
  took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Infinity
process.stdout.write(JSON.stringify({ p50: getPercentile(0.5), p99: getPercentile(0.99), failed, requested: total }))
