// Sends requests over a number of connections, each after the response to the one before: `node closedLoad.mjs seconds
// connections`. Reads requests from standard input, one JSON object a line: { url, headers }. Each is sent once.
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'

const [seconds = '5', connections = '64'] = process.argv.slice(2)
/** @type {{ url: string, headers: Record<string, string> }[]} */
const requests = []
for await (const line of createInterface({ input: process.stdin })) requests.push(JSON.parse(line))

const agent = new Agent({ keepAlive: true })
/** @type {number[]} */
const took = []
let failed = 0
let next = 0
const begun = performance.now()
const end = begun + Number(seconds) * 1_000

/** @param {{ url: string, headers: Record<string, string> }} sent */
function sendTimed({ url, headers }) {
  return new Promise((resolve) => {
    const sentAt = performance.now()
    const sent = request(url, { agent, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        took.push(performance.now() - sentAt)
        if (response.statusCode !== 200) failed += 1
        resolve(undefined)
      })
    })
    sent.on('error', () => {
      failed += 1
      resolve(undefined)
    })
    sent.end()
  })
}

async function sendInTurn() {
  while (performance.now() < end && next < requests.length) {
    const each = requests[next]
    next += 1
    if (each !== undefined) await sendTimed(each)
  }
}

await Promise.all(Array.from({ length: Number(connections) }, sendInTurn))
const elapsed = (performance.now() - begun) / 1_000
agent.destroy()

took.sort((a, b) => a - b)
const p99 = took[Math.floor(took.length * 0.99)] ?? Infinity
process.stdout.write(JSON.stringify({ perSecond: took.length / elapsed, p99, failed, sent: took.length }))
