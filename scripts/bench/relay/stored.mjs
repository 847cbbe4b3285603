// Measures a relay with millions of stored messages and a hostile client.
import pg from 'pg'
import { startTestPostgres } from '@latchkey/server/testing'
import { connectClient } from './client.mjs'
import { cpuLimitMs, drawRuns } from './drawRuns.mjs'
import { latencyLimitMs, measureRate } from './measureRate.mjs'
import { familyOf, findPostgres, startRelay } from './processes.mjs'

/** @typedef {import('../../bench.mjs').Figure} Figure */
/** @typedef {import('./processes.mjs').RelayProcess} RelayProcess */

const rates = [4_000, 8_000, 10_000]
const messagesPerTopic = 100
/** Messages of the hostile client's topic that a second client of it has acknowledged. */
const readOfHostile = 300_000
const hostilePerSecond = 100
const fullTopic = 'f'.repeat(64)

/**
 * @param {number} stored messages
 * @returns {Promise<Figure[]>}
 */
export async function measureStored(stored) {
  const postgres = await startTestPostgres()
  const env = {
    DATABASE_URL: postgres.url,
    RELAY_LIMITS: JSON.stringify({ mailbox: { messages: 100, bytes: 2 ** 21, bytesPerPublisher: 2 ** 30 } }),
  }
  try {
    // The first start creates the tables.
    await (await startRelay(env)).close()
    const gigabytes = await fill(postgres.url, stored)
    const startedAt = performance.now()
    const relay = await startRelay(env)
    const readySeconds = (performance.now() - startedAt) / 1_000
    try {
      const note = `${stored.toLocaleString('en')} stored messages, ${gigabytes.toFixed(1)} GB`
      const figures = [{ name: 'stored: start to ready', value: readySeconds, unit: 's', budget: 3, note }]
      return [...figures, ...(await measureLoads(relay, findPostgres(new URL(postgres.url).port)))]
    } finally {
      await relay.close()
    }
  } finally {
    await postgres.close()
  }
}

/**
 * @param {RelayProcess} relay
 * @param {number} database the process id of PostgreSQL
 * @returns {Promise<Figure[]>}
 */
async function measureLoads(relay, database) {
  const hostile = await startHostileClient(relay.url)
  /** @type {Figure[]} */
  const figures = []
  const runs = []
  for (const rate of rates) {
    const run = await measureRate([relay], rate, familyOf(database))
    runs.push(run)
    const name = `stored, with a hostile client, at ${rate.toLocaleString('en')}/s`
    figures.push(
      { name: `${name}: delivery p50`, value: run.median, unit: 'ms' },
      { name: `${name}: delivery p99`, value: run.slow, unit: 'ms', budget: latencyLimitMs },
      { name: `${name}: relay CPU per 1,000`, value: run.relayCpu, unit: 'ms', budget: cpuLimitMs },
      { name: `${name}: database CPU per 1,000`, value: run.storeCpu, unit: 'ms' },
      { name: `${name}: lost`, value: run.sent - run.delivered, unit: 'messages', budget: 0 },
    )
  }
  const { refused } = hostile.stop()
  const lines = drawRuns('full store and a hostile client', runs)
  return [...figures, { name: 'stored: refused publishes of the hostile client', value: refused, unit: '', lines }]
}

/**
 * Publishes to a full topic until it is stopped.
 *
 * @param {string} url
 */
async function startHostileClient(url) {
  let refused = 0
  let sent = 0
  const socket = await connectClient(url, (_, text) => {
    if (text.includes('"error"')) refused += 1
  })
  const timer = setInterval(() => {
    sent += 1
    const params = { topic: fullTopic, message: `hostile ${sent}`, ttl: 300, tag: 1108, prompt: false }
    socket.send(JSON.stringify({ id: 1_000_000_000 + sent, jsonrpc: '2.0', method: 'irn_publish', params }))
  }, 1_000 / hostilePerSecond)
  return {
    stop() {
      clearInterval(timer)
      socket.terminate()
      return { refused }
    },
  }
}

/**
 * Stores messages, and counts them as the relay does.
 *
 * @param {string} databaseUrl
 * @param {number} stored
 * @returns {Promise<number>} the size of the database in gigabytes
 */
async function fill(databaseUrl, stored) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const insert = (/** @type {string} */ publisher, /** @type {string} */ topic, /** @type {number} */ count) =>
    client.query(`
      insert into relay_message (topic, digest, message, tag, attestation, publisher, published_at, expires_at)
      select ${topic}, sha256(convert_to('${publisher}' || row, 'UTF8')), repeat('x', 512), 1108, '', '${publisher}' || row % 1000,
        extract(epoch from now())::bigint * 1000, extract(epoch from now())::bigint * 1000 + 86400000
      from generate_series(1, ${count}) as row`)
  try {
    await insert('owner', `sha256(convert_to((row / ${messagesPerTopic})::text, 'UTF8'))`, stored - readOfHostile)
    await insert('hostile', `decode('${fullTopic}', 'hex')`, readOfHostile + messagesPerTopic)
    await client.query(`
      insert into relay_acknowledgement (sequence, receiver, is_first)
      select sequence, 1, true from relay_message where topic = decode('${fullTopic}', 'hex') order by sequence
      limit ${readOfHostile}`)
    await client.query(`
      with undelivered as (
        select * from relay_message as message where not exists (
          select from relay_acknowledgement where sequence = message.sequence)
      )
      insert into relay_usage (kind, key, messages, bytes, expires_at)
      select 'topic', topic, count(*), sum(bytes), min(expires_at) from undelivered group by topic
      union all
      select 'publisher', convert_to(publisher, 'UTF8'), count(*), sum(bytes), min(expires_at) from undelivered group by publisher`)
    await client.query(`update relay_usage_mark set sequence = (select max(sequence) from relay_message)`)
    await client.query('vacuum analyze')
    const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
    return Number(rows[0].bytes) / 1e9
  } finally {
    await client.end()
  }
}
