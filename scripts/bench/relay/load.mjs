// A load for the relay in a separate process. Publishes at a fixed rate, independent of the responses (open loop).
// Measures from the time at which a message was due. Counts acknowledged, delivered and duplicate messages.
import { connectClient, subscribe } from './client.mjs'

/** @typedef {import('ws').WebSocket} WebSocket */

/**
 * @typedef {{ urls: string[], rate: number, seconds: number, warmUpSeconds: number, publishers: number, subscribers: number,
 *   topics: number, bytes: number }} Load `urls` are relays; publishers and subscribers of a topic use different relays.
 * @typedef {{ sent: number, acknowledged: number, refused: number, delivered: number, duplicates: number,
 *   responseTimes: number[], deliveryTimes: number[] }} LoadResult times in milliseconds, sorted
 * @typedef {ReturnType<typeof createTally>} LoadTally
 */

/** Time to wait for outstanding responses and deliveries after the last message. */
const drainMs = 5_000
/** The first request id of published messages; client.mjs uses smaller ids. */
const firstId = 1_000_000_000
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
async function run(load) {
  const tally = createTally(load)
  const topicNames = createTopicNames(load.topics)
  const listeners = await connectSubscribers(load, topicNames, tally)
  const publishers = await Promise.all(
    Array.from({ length: load.publishers }, (_, index) =>
      connectClient(load.urls[index % load.urls.length] ?? '', (_socket, text) => tally.addResponse(text)),
    ),
  )
  setTimeout(() => process.send?.('begin'), 50 + load.warmUpSeconds * 1000)
  await sendAtRate(load, tally, (index) => {
    const message = createMessage(index, load.bytes)
    const topic = topicNames[index % load.topics]
    publishers[index % load.publishers]?.send(
      `{"id":${firstId + index},"jsonrpc":"2.0","method":"irn_publish","params":{"topic":"${topic}","message":"${message}","ttl":300,"tag":1108,"prompt":false}}`,
    )
  })
  process.send?.('end')
  const end = performance.now() + drainMs
  while (performance.now() < end && !tally.isComplete()) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  for (const socket of [...listeners, ...publishers]) socket.terminate()
  return tally.result()
}

/**
 * Counts messages and measures their times. Times of the warm-up are not measured.
 *
 * @param {Load} load
 */
function createTally({ rate, seconds, warmUpSeconds }) {
  const total = Math.round(rate * (seconds + warmUpSeconds))
  const firstMeasured = Math.round(rate * warmUpSeconds)
  const due = new Float64Array(total)
  const seen = new Uint8Array(total)
  const counts = { sent: 0, acknowledged: 0, refused: 0, delivered: 0, duplicates: 0 }
  /** @type {number[]} */
  const responseTimes = []
  /** @type {number[]} */
  const deliveryTimes = []

  /** @param {number[]} times @param {number} index */
  function addTime(times, index) {
    if (index >= firstMeasured) times.push(performance.now() - (due[index] ?? 0))
  }

  return {
    total,
    counts,
    /** @param {number} index @param {number} at */
    addSent(index, at) {
      due[index] = at
      counts.sent += 1
    },
    /** @param {string} text the relay's response to a publish request */
    addResponse(text) {
      if (!text.includes('"result":true')) {
        counts.refused += 1
        return
      }
      counts.acknowledged += 1
      addTime(responseTimes, Number(text.slice(6, text.indexOf(','))) - firstId)
    },
    /** @param {string} text the relay's delivery of a message */
    addDelivery(text) {
      const at = text.indexOf('"message":"') + 11
      const index = Number.parseInt(text.slice(at, at + 8), 16)
      if (seen[index] === 1) {
        counts.duplicates += 1
        return
      }
      seen[index] = 1
      counts.delivered += 1
      addTime(deliveryTimes, index)
    },
    isComplete: () => counts.acknowledged + counts.refused >= total && counts.delivered >= total,
    result: () => ({
      ...counts,
      responseTimes: responseTimes.toSorted((a, b) => a - b),
      deliveryTimes: deliveryTimes.toSorted((a, b) => a - b),
    }),
  }
}

/** @param {number} count */
function createTopicNames(count) {
  const suffix = Date.now().toString(16).padStart(16, '0')
  return Array.from({ length: count }, (_, index) => index.toString(16).padStart(48, '0') + suffix)
}

/**
 * Connects the subscribers. They acknowledge every delivery.
 *
 * @param {Load} load
 * @param {readonly string[]} topicNames
 * @param {LoadTally} tally
 */
async function connectSubscribers({ urls, subscribers }, topicNames, tally) {
  /** @param {WebSocket} socket @param {string} text */
  const onText = (socket, text) => {
    if (!text.includes('"method"')) return
    socket.send(`{"id":${text.slice(6, text.indexOf(','))},"jsonrpc":"2.0","result":true}`)
    tally.addDelivery(text)
  }
  const sockets = await Promise.all(
    Array.from({ length: subscribers }, (_, index) => connectClient(urls[(index + 1) % urls.length] ?? '', onText)),
  )
  await Promise.all(
    sockets.map((socket, index) =>
      subscribe(
        socket,
        topicNames.filter((_, topic) => topic % subscribers === index),
      ),
    ),
  )
  return sockets
}

/**
 * Calls `publish` for each message when it is due.
 *
 * @param {Load} load
 * @param {LoadTally} tally
 * @param {(index: number) => void} publish
 * @returns {Promise<void>}
 */
function sendAtRate({ rate }, tally, publish) {
  const start = performance.now() + 50
  return new Promise((resolve) => {
    const sendDue = () => {
      const now = performance.now()
      for (;;) {
        const index = tally.counts.sent
        const at = start + (index * 1000) / rate
        if (index >= tally.total || at > now) break
        tally.addSent(index, at)
        publish(index)
      }
      if (tally.counts.sent < tally.total) setTimeout(sendDue, 1)
      else resolve()
    }
    sendDue()
  })
}

/**
 * Creates a message that starts with its index as eight hex digits.
 *
 * @param {number} index
 * @param {number} bytes
 */
function createMessage(index, bytes) {
  const name = index.toString(16).padStart(8, '0')
  const offset = index % 2048
  return name + random.slice(offset, offset + bytes - name.length)
}
