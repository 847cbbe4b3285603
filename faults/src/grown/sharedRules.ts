import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { GrownLayout, GrownProcess } from '@latchkey/devnet'
import { createClientKey, relayAddress, testProjectId, type ClientKey } from '@latchkey/server/testing'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { fetchStatusFrom, waitUntilAccepted, type GrownStage } from './grownStage.ts'

type Note = (text: string) => void

const run = promisify(execFile)
const cli = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url))
/** Limits of the profile `public`, per address: `relayLimits` and `getApiLimits`. */
const handshakes = { perSecond: 1, burst: 60 }
const reads = { perSecond: 10, burst: 50 }

/** Restarts relays and APIs with the limits of a public server, and back. */
export async function withPublicLimits({ grown }: GrownStage, body: () => Promise<void>): Promise<void> {
  const servers = [...grown.relays, ...grown.apis]
  await restartAll(servers, { LIMITS: 'public' })
  await body()
  await restartAll(servers)
}

async function restartAll(servers: readonly GrownProcess[], changes?: Record<string, string>): Promise<void> {
  for (const server of servers) {
    await server.end('SIGTERM')
    await server.restart(changes)
  }
  for (const server of servers) await waitUntilAccepted(server)
}

/** Counts what one address may do through HAProxy, which spreads it over both processes of a service. */
export async function countSharedLimits({ grown }: GrownStage, note: Note): Promise<void> {
  const relay = await countAccepted(150, () => connectFrom('127.0.0.77', grown.relayUrl))
  expectShared(relay, handshakes)
  note(`${relay.accepted} of 150 handshakes in ${relay.seconds.toFixed(1)} s (limit ${handshakes.burst} + 1/s)`)
  const url = `${grown.url}/v1/supported-chains?projectId=${testProjectId}`
  const api = await countAccepted(200, async () => (await fetchStatusFrom('127.0.0.77', url)) === 200)
  expectShared(api, reads)
  note(`${api.accepted} of 200 reads in ${api.seconds.toFixed(1)} s (limit ${reads.burst} + 10/s)`)
}

type Count = { accepted: number; seconds: number }

async function countAccepted(tries: number, attempt: () => Promise<boolean>): Promise<Count> {
  const since = performance.now()
  let accepted = 0
  for (let count = 0; count < tries; count += 10) {
    const results = await Promise.all(Array.from({ length: 10 }, attempt))
    accepted += results.filter(Boolean).length
  }
  return { accepted, seconds: (performance.now() - since) / 1000 }
}

function expectShared({ accepted, seconds }: Count, { perSecond, burst }: typeof reads): void {
  expect(accepted).toBeGreaterThanOrEqual(burst)
  expect(accepted).toBeLessThanOrEqual(burst + Math.ceil(perSecond * seconds) + 1)
}

/** True if the relay accepted the connection, which is closed at once. */
function connectFrom(localAddress: string, relayUrl: string, key: ClientKey = createClientKey()): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(relayAddress(relayUrl, { key }), { localAddress })
    socket.once('open', () => {
      socket.terminate()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Runs a command of the operator on all databases of the layout. */
async function runCli(grown: GrownLayout, ...args: string[]): Promise<void> {
  const environment = { ...grown.environment('auth'), ...grown.environment('shares'), ...grown.environment('relay') }
  await run(process.execPath, [cli, ...args], { env: { ...process.env, ...environment } })
}

/** The status that a process gives to an address, without HAProxy. */
function fetchStatus({ host, port }: GrownProcess, from: string, path: string): Promise<number> {
  return fetch(`http://${host}:${port}${path}`, { headers: { 'x-forwarded-for': from } }).then(({ status }) => status)
}

/** Bans and projects that the operator changes with the command line reach all processes without a restart. */
export async function changeAccess({ grown }: GrownStage, note: Note): Promise<void> {
  const all = [...grown.relays, ...grown.apis, grown.auth, grown.shares]
  const times: number[] = []
  const inAll = async (check: (server: GrownProcess) => Promise<boolean>): Promise<void> => {
    const since = performance.now()
    while (!(await Promise.all(all.map(check))).every(Boolean)) {
      if (performance.now() - since > 60_000) expect.fail('a process did not follow the change within a minute')
      await sleep(20)
    }
    times.push(Math.round(performance.now() - since))
  }
  const isBanned = (from: string) => async (server: GrownProcess) => (await fetchStatus(server, from, '/')) === 403
  for (const [subject, inside, outside] of [
    ['198.51.100.7', '198.51.100.7', '198.51.100.8'],
    ['203.0.113.0/24', '203.0.113.200', '203.0.114.1'],
    ['2001:db8:1:2::/64', '2001:db8:1:2::9', '2001:db8:1:3::9'],
    ['2001:db8:5::/48', '2001:db8:5:6::1', '2001:db8:6::1'],
    ['127.0.0.88', '127.0.0.88', '127.0.0.89'],
  ] as const) {
    await runCli(grown, 'bans', 'add', subject)
    await inAll(isBanned(inside))
    await inAll(async (server) => !(await isBanned(outside)(server)))
  }
  expect(await fetchStatusFrom('127.0.0.88', `${grown.url}/appkit/v1/config?projectId=${testProjectId}`)).toBe(403)
  expect(await connectFrom('127.0.0.88', grown.relayUrl)).toBe(false)
  await runCli(grown, 'bans', 'remove', '127.0.0.88')
  await inAll(async (server) => !(await isBanned('127.0.0.88')(server)))
  const key = createClientKey()
  expect(await connectFrom('127.0.0.1', grown.relayUrl, key)).toBe(true)
  await runCli(grown, 'bans', 'add', key.clientId)
  for (const relay of grown.relays) {
    const direct = `ws://${relay.host}:${relay.port}/relay`
    await expect.poll(() => isAcceptedAt(direct, key), { timeout: 60_000 }).toBe(false)
    expect(await isAcceptedAt(direct, createClientKey())).toBe(true)
  }
  await changeProjects(grown)
  note(`slowest of ${times.length} changes seen by all six processes within ${Math.max(...times)} ms of the command`)
}

/** Without a local address, because the relay may be on the other machine. */
function isAcceptedAt(relayUrl: string, key: ClientKey): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(relayAddress(relayUrl, { key }))
    socket.once('open', () => {
      socket.terminate()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

async function changeProjects(grown: GrownLayout): Promise<void> {
  const project = 'fe'.repeat(16)
  const walletStatus = (server: GrownProcess) =>
    fetchStatus(server, '127.0.0.1', `/getWallets?page=1&entries=1&projectId=${project}`)
  const expectAll = async (status: number): Promise<void> => {
    for (const api of grown.apis) await expect.poll(() => walletStatus(api), { timeout: 60_000 }).toBe(status)
  }
  // The other cases use this one. The first stored project ends the mode for any project.
  await runCli(grown, 'projects', 'add', `--id=${testProjectId}`, 'http://localhost:4600')
  await expectAll(401)
  await runCli(grown, 'projects', 'add', `--id=${project}`, 'https://app.example.org')
  await expectAll(200)
  await runCli(grown, 'projects', 'ban', project)
  await expectAll(401)
  await runCli(grown, 'bans', 'remove', project)
  await expectAll(200)
  await runCli(grown, 'projects', 'remove', project)
  await expectAll(401)
}
