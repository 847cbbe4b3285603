// Measures how many requests one, two and four processes of the data service and of the auth service respond to. They share
// PostgreSQL, Redis and the cores with each other and with the load.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMail } from '@latchkey/devnet'
import { createLoginClient, freePort, startTestPostgres, startTestRedis } from '@latchkey/server/testing'
import { requireRedis } from '../../lib/brokers.mjs'
import { root } from '../../lib/root.mjs'
import { cpuMs, startService } from '../relay/processes.mjs'

/** @typedef {import('../../bench.mjs').Figure} Figure */
/** @typedef {{ url: string, headers: Record<string, string> }} LoadRequest */
/** @typedef {import('../relay/processes.mjs').RelayProcess} ServiceProcess */

const seconds = 5
const connections = 64
const projectId = 'ab'.repeat(16)
/** More than the fastest layout responds to in the time of a run. */
const mostRequests = 12_000

/** @returns {Promise<Figure[]>} */
export async function measureScaling() {
  requireRedis()
  /** @type {Figure[]} */
  const figures = []
  for (const processes of [1, 2, 4]) {
    figures.push(...(await measureLayout('API', processes, listApiRequests)))
    figures.push(...(await measureLayout('auth', processes, listAuthRequests)))
  }
  return figures
}

/**
 * @param {'API' | 'auth'} service
 * @param {number} count
 * @param {(urls: readonly string[], mail: import('@latchkey/devnet').LocalMail) => Promise<readonly LoadRequest[]>} list
 * @returns {Promise<Figure[]>}
 */
async function measureLayout(service, count, list) {
  const [postgres, redis, mail] = await Promise.all([startTestPostgres(), startTestRedis(), startMail()])
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-scaling-'))
  /** @type {ServiceProcess[]} */
  const running = []
  try {
    const ports = await Promise.all(Array.from({ length: count }, () => freePort()))
    for (const port of ports) {
      running.push(
        await startService({
          SERVICES: service === 'API' ? 'api' : 'auth',
          PORT: String(port),
          DATABASE_URL: postgres.url,
          AUTH_DATABASE_URL: postgres.url,
          REDIS_URL: redis.url,
          DATA_DIR: folder,
          MAIL_URL: mail.url,
          // All processes are one service: clients sign their requests for its address.
          AUTH_URL: `http://127.0.0.1:${ports[0]}`,
          SHARES_URL: 'http://127.0.0.1:1',
          // Each request has an address of its own, because limits count per address.
          TRUSTED_PROXIES: '1',
        }),
      )
    }
    const urls = running.map(({ url }) => url)
    const requests = await list(urls, mail)
    // Warms the caches with slow requests.
    await runClosedLoad(requests.slice(0, 500), 1)
    const pids = running.map(({ pid }) => pid)
    const before = cpuMs(pids)
    const { perSecond, p99, failed, sent } = await runClosedLoad(requests.slice(500), seconds)
    const cpu = (cpuMs(pids) - before) / (sent / 1_000)
    const name = `${service}, ${count} ${count === 1 ? 'process' : 'processes'}`
    return [
      { name: `${name}: requests`, value: perSecond, unit: '/s', note: `${connections} connections, ${failed} failed` },
      { name: `${name}: p99 at that rate`, value: p99, unit: 'ms' },
      { name: `${name}: CPU per 1,000`, value: cpu, unit: 'ms' },
      { name: `${name}: failed`, value: failed, unit: 'requests', budget: 0 },
    ]
  } finally {
    await Promise.all(running.map((each) => each.close()))
    await Promise.all([mail.close(), redis.close(), postgres.close(), rm(folder, { recursive: true })])
  }
}

/** An address of its own for each request. @param {number} index */
const getLoadAddress = (index) => `198.18.${Math.floor(index / 250) % 250}.${(index % 250) + 1}`

/** @param {readonly string[]} urls @returns {Promise<readonly LoadRequest[]>} */
async function listApiRequests(urls) {
  return Array.from({ length: mostRequests }, (_, index) => ({
    url: `${urls[index % urls.length]}/getWallets?projectId=${projectId}&page=${1 + (index % 5)}&entries=20`,
    headers: { 'x-forwarded-for': getLoadAddress(index) },
  }))
}

/**
 * Logs one user in, and signs the requests beforehand: each proof counts once.
 *
 * @param {readonly string[]} urls
 * @param {import('@latchkey/devnet').LocalMail} mail
 * @returns {Promise<readonly LoadRequest[]>}
 */
async function listAuthRequests(urls, mail) {
  const [url = ''] = urls
  const client = await createLoginClient(url)
  const email = 'ann@example.org'
  const codes = await client.request('POST', '/auth/v1/codes', { email, projectId, origin: 'http://app.localhost' })
  const code = /\b\d{6}\b/.exec((await mail.waitFor(email)).text)?.[0]
  const redeemed = await client.request('POST', '/auth/v1/codes/redeem', { id: codes.body['id'], email, code })
  const { accessToken } = /** @type {{ accessToken: string }} */ (redeemed.body['tokens'])
  client.use(accessToken)
  const path = '/auth/v1/user'
  return Promise.all(
    Array.from({ length: mostRequests }, async (_, index) => ({
      url: urls[index % urls.length] + path,
      headers: {
        dpop: await client.prove('GET', path),
        authorization: `DPoP ${accessToken}`,
        'x-forwarded-for': getLoadAddress(index),
      },
    })),
  )
}

/**
 * @param {readonly LoadRequest[]} requests
 * @param {number} duration in seconds
 * @returns {Promise<{ perSecond: number, p99: number, failed: number, sent: number }>}
 */
async function runClosedLoad(requests, duration) {
  const args = [join(root, 'scripts/bench/api/closedLoad.mjs'), String(duration), String(connections)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(requests.map((each) => JSON.stringify(each)).join('\n'))
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  return JSON.parse(text)
}
