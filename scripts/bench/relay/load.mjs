// A load for the relay, in a process of its own: publishes at a fixed pace whatever comes back (open loop), measures from
// the moment at which a message was due, and counts what was answered, what arrived, and what arrived twice.
import { connectClient, subscribe } from './client.mjs'

/** @typedef {import('ws').WebSocket} WebSocket */

/**
 * @typedef {{ urls: string[], rate: number, seconds: number, warmUpSeconds: number, publishers: number, subscribers: number,
 *   topics: number, bytes: number }} Load `urls` are relays; whoever publishes on a topic is on another one than who listens.
 * @typedef {{ sent: number, answered: number, refused: number, delivered: number, doubled: number, answers: number[],
 *   deliveries: number[] }} LoadResult times in milliseconds, sorted
 */

/** How long after the last message answers and deliveries are waited for. */
const patienceMs = 5_000
const random = Buffer.from(crypto.getRandomValues(new Uint8Array(4096))).toString('base64')

process.once('message', (load) => {
  run(/** @type {Load} */ (load)).then(
    (result) => process.send?.(result, () => process.exit(0)),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.send?.('ready')

/** @param {Load} load @returns {Promise<LoadResult>} */
async function run({ urls, rate, seconds, warmUpSeconds, publishers, subscribers, topics, bytes }) {
  const run = Date.now().toString(16).padStart(16, '0')
  const topicNames = Array.from({ length: topics }, (_, index) => index.toString(16).padStart(48, '0') + run)
  const total = Math.round(rate * (seconds + warmUpSeconds))
  const counted = Math.round(rate * warmUpSeconds)
  const due = new Float64Array(total)
  const seen = new Uint8Array(total)
  const result = { sent: 0, answered: 0, refused: 0, delivered: 0, doubled: 0 }
  /** @type {number[]} */
  const answers = []
  /** @type {number[]} */
  const deliveries = []

  const listeners = await Promise.all(
    Array.from({ length: subscribers }, (_, index) => connectClient(urls[(index + 1) % urls.length] ?? '', heard)),
  )
  await Promise.all(
    listeners.map((socket, index) =>
      subscribe(
        socket,
        topicNames.filter((_, topic) => topic % subscribers === index),
      ),
    ),
  )
  const speakers = await Promise.all(
    Array.from({ length: publishers }, (_, index) => connectClient(urls[index % urls.length] ?? '', answered)),
  )

  /** @param {WebSocket} socket @param {string} text */
  function heard(socket, text) {
    if (!text.includes('"method"')) return
    socket.send(`{"id":${text.slice(6, text.indexOf(','))},"jsonrpc":"2.0","result":true}`)
    const at = text.indexOf('"message":"') + 11
    const index = Number.parseInt(text.slice(at, at + 8), 16)
    if (seen[index] === 1) result.doubled += 1
    else {
      seen[index] = 1
      result.delivered += 1
      if (index >= counted) deliveries.push(performance.now() - (due[index] ?? 0))
    }
  }

  /** @param {WebSocket} _socket @param {string} text */
  function answered(_socket, text) {
    const index = Number(text.slice(6, text.indexOf(','))) - 1_000_000_000
    if (!text.includes('"result":true')) {
      result.refused += 1
      return
    }
    result.answered += 1
    if (index >= counted) answers.push(performance.now() - (due[index] ?? 0))
  }

  const start = performance.now() + 50
  setTimeout(() => process.send?.('begin'), 50 + warmUpSeconds * 1000)
  await new Promise((resolve) => {
    const pace = () => {
      const now = performance.now()
      for (;;) {
        const at = start + (result.sent * 1000) / rate
        if (result.sent >= total || at > now) break
        publish(result.sent, at)
      }
      if (result.sent < total) setTimeout(pace, 1)
      else resolve(undefined)
    }
    pace()
  })
  process.send?.('end')
  const end = performance.now() + patienceMs
  while (performance.now() < end && (result.answered + result.refused < total || result.delivered < total)) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  for (const socket of [...listeners, ...speakers]) socket.terminate()
  return { ...result, answers: answers.toSorted((a, b) => a - b), deliveries: deliveries.toSorted((a, b) => a - b) }

  /** @param {number} index @param {number} at */
  function publish(index, at) {
    due[index] = at
    result.sent += 1
    const name = index.toString(16).padStart(8, '0')
    const offset = index % 2048
    const message = name + random.slice(offset, offset + bytes - name.length)
    const topic = topicNames[index % topics]
    speakers[index % publishers]?.send(
      `{"id":${1_000_000_000 + index},"jsonrpc":"2.0","method":"irn_publish","params":{"topic":"${topic}","message":"${message}","ttl":300,"tag":1108,"prompt":false}}`,
    )
  }
}
