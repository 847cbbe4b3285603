// Measures how fast the server indexes blocks of 170 transactions with two token transfers each.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startTestPostgres } from '@latchkey/server/testing'
import { root } from '../../lib/root.mjs'
import { startServer } from './server.mjs'

/** @typedef {import('../../bench.mjs').Figure} Figure */

/** Clock ticks of the kernel per second (USER_HZ). */
const ticksPerSecond = 100
/** Addresses that the index follows. */
const followed = 1_000

/** If the index of requested addresses is further behind, it skips blocks. */
const maxRequestedBlocks = 900

/**
 * @param {{ blocks: number }} options
 * @returns {Promise<Figure[]>}
 */
export async function measureBackfill({ blocks }) {
  const few = Math.min(blocks, maxRequestedBlocks)
  return [
    await withChain(blocks, (url) => measureAll({ blocks, url })),
    await withChain(few, (url) => measureRequested({ blocks: few, url })),
  ]
}

/**
 * @param {number} blocks
 * @param {(url: string) => Promise<Figure>} measure
 */
async function withChain(blocks, measure) {
  const chain = fork(join(root, 'scripts/bench/api/busyChain.mjs'), [String(blocks)], { stdio: 'inherit' })
  try {
    const [{ url }] = await once(chain, 'message')
    return await measure(url)
  } finally {
    chain.kill('SIGTERM')
  }
}

/**
 * Measures an index of all addresses.
 *
 * @param {{ blocks: number, url: string }} options
 * @returns {Promise<Figure>}
 */
async function measureAll({ blocks, url }) {
  const postgres = await startTestPostgres()
  try {
    return await measureRun({ blocks, url, name: 'backfill of all addresses', databaseUrl: postgres.url, index: {} })
  } finally {
    await postgres.close()
  }
}

/**
 * Measures an index of requested addresses, of which these blocks concern none.
 *
 * @param {{ blocks: number, url: string }} options
 * @returns {Promise<Figure>}
 */
async function measureRequested({ blocks, url }) {
  const postgres = await startTestPostgres()
  const index = { addresses: 'requested' }
  try {
    // The first start creates the tables. Without addresses it skips all blocks.
    const server = await startServer(postgres.url, toChain(url, index))
    await waitUntilIndexed(server.url, blocks)
    await server.close()
    await followAddresses(postgres.url)
    return await measureRun({ blocks, url, name: 'new blocks, requested addresses', databaseUrl: postgres.url, index })
  } finally {
    await postgres.close()
  }
}

/** Lets the index follow addresses from the first block on. @param {string} databaseUrl */
async function followAddresses(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('update index_chain set head = 0, leads_until = 0')
    await client.query(`
      insert into index_address (chain, address, requested_at, followed)
      select chain, decode(lpad(to_hex(row), 40, '0'), 'hex'), extract(epoch from now()) * 1000, true
      from index_chain, generate_series(1, ${followed}) as row`)
  } finally {
    await client.end()
  }
}

/**
 * @param {{ blocks: number, url: string, name: string, databaseUrl: string, index: object }} options
 * @returns {Promise<Figure>}
 */
async function measureRun({ blocks, url, name, databaseUrl, index }) {
  const server = await startServer(databaseUrl, toChain(url, index))
  try {
    const [begun, computed] = [performance.now(), getCpuSeconds(server.pid)]
    await waitUntilIndexed(server.url, blocks)
    const seconds = (performance.now() - begun) / 1_000
    const cpu = (1_000 * (getCpuSeconds(server.pid) - computed)) / blocks
    const note = `${blocks} blocks of 170 transactions in ${seconds.toFixed(1)} s, the server computed ${cpu.toFixed(1)} ms per block`
    return { name, value: blocks / seconds, unit: 'blocks/s', atLeast: 200, note }
  } finally {
    await server.close()
  }
}

/**
 * @param {string} url
 * @param {object} index
 */
function toChain(url, index) {
  return { caipNetworkId: 'eip155:1', rpcUrls: [url], index: { from: 1, ...index } }
}

/**
 * @param {string} url
 * @param {number} head
 */
async function waitUntilIndexed(url, head) {
  for (;;) {
    const { index } = /** @type {{ index: { head: number }[] }} */ (await (await fetch(`${url}/health`)).json())
    if ((index[0]?.head ?? -1) >= head) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Returns the time that a process has computed so far. @param {number} pid */
function getCpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
