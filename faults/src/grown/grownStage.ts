import { request } from 'node:https'
import { mkdtemp, chmod, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  getGrownPrograms,
  startGrown,
  startMail,
  type GrownLayout,
  type GrownProcess,
  type LocalMail,
} from '@latchkey/devnet'
import { createLoginClient, testProjectId, type LoginClient } from '@latchkey/server/testing'
import { expect } from 'vitest'
import type { FaultCase } from '../faultCase.ts'
import { startLoad, type Load } from '../load.ts'
import { openNetworkSites, type NetworkSites } from './networkSite.ts'

/** The running layout with the tools of its cases. */
export type GrownStage = {
  grown: GrownLayout
  mail: LocalMail
  /** The other machine, or the reason why there is none. */
  sites: NetworkSites | { reason: string }
  close(): Promise<void>
}

const root = new URL('../../../', import.meta.url)
const resolvePath = (name: string): string => fileURLToPath(new URL(name, root))
/** The processes on the other machine. Each has a counterpart here, so that this side keeps the majority. */
const distant: readonly string[] = ['nats-3', 'relay-2']
/** HAProxy checks each process once a second, and accepts it after two checks. */
const acceptedMs = 4_000

/** Starts the layout, on two machines if the system can separate them. */
export async function openGrownStage(): Promise<GrownStage> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-grown-'))
  // PostgreSQL runs as another user.
  await chmod(folder, 0o755)
  const mail = await startMail()
  const sites = await openNetworkSites()
  const close = async (): Promise<void> => {
    await mail.close()
    if ('cut' in sites) await sites.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const grown = await startGrown({
      folder: join(folder, 'layout'),
      port: 0,
      entry: resolvePath('server/dist/main.js'),
      haproxyExample: resolvePath('deploy/proxies/haproxy-grown.cfg'),
      programs: getGrownPrograms({ ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` }),
      mailUrl: mail.url,
      // A contract suite expects this limit of one tag. The clients of the test trust any certificate, and the servers don't.
      env: { RELAY_MESSAGE_BYTES: '262144,1109=98304', NODE_TLS_REJECT_UNAUTHORIZED: '1', MAIL_PAUSE_SECONDS: '1' },
      ...('cut' in sites && { placeOf: (name: string) => (distant.includes(name) ? sites.there : sites.here) }),
      onProgress: console.log,
      onExit: (name, reason) => console.error(`${name} exited by itself: ${reason}`),
    })
    return {
      grown,
      mail,
      sites,
      close: async () => {
        await grown.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts publishers and subscribers, all through HAProxy, and waits until they are connected. */
export async function startTraffic(fault: FaultCase, { relayUrl }: GrownLayout): Promise<Load> {
  const topics = fault.topics(6)
  const url = (): string => relayUrl
  const subscribers = topics.flatMap((topic, index) =>
    ['a', 'b'].map((name) => fault.peer({ name: `subscriber ${index} ${name}`, url, topics: [topic] })),
  )
  const publishers = topics.map((_, index) => fault.peer({ name: `publisher ${index}`, url }))
  await Promise.all([...subscribers, ...publishers].map((peer) => peer.ready()))
  return startLoad({ publishers, topics, pause: { least: 200, most: 1_000 }, random: fault.random })
}

/** A login that waits for the code of a mail. */
export type StartedLogin = { client: LoginClient; finish(): Promise<LoginClient> }

/** Begins a login: the mail with the code has arrived. */
export async function beginLogin({ grown, mail }: GrownStage, email: string): Promise<StartedLogin> {
  const client = await createLoginClient(grown.url)
  const before = mail.received()[0]?.id ?? 0
  const body = { email, projectId: testProjectId, origin: 'http://localhost:4600' }
  const codes = await waitForStatus(() => client.request('POST', '/auth/v1/codes', body), 200)
  const { text } = await mail.waitFor(email, before)
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
  return {
    client,
    async finish() {
      const redeem = { id: codes.body['id'], email, code }
      const { body: tokens } = await waitForStatus(() => client.request('POST', '/auth/v1/codes/redeem', redeem), 200)
      client.use((tokens as { tokens: { accessToken: string } }).tokens.accessToken)
      return client
    },
  }
}

/** Asserts that the auth service accepts the session of a client. */
export async function assertLoggedIn(client: LoginClient): Promise<void> {
  expect((await waitForStatus(() => client.request('GET', '/auth/v1/user'), 200)).status).toBe(200)
}

type Response = { status: number; body: Record<string, unknown> }

/**
 * Repeats a request while a process is down (HAProxy or the service responds with 5xx, or there is no response) or the
 * client exceeds a rate limit.
 */
async function waitForStatus(send: () => Promise<Response>, status: number): Promise<Response> {
  for (const end = performance.now() + 120_000; ;) {
    const response = await send().catch((error: unknown) => ({ status: 599, body: { error: String(error) } }))
    if ((response.status < 500 && response.status !== 429) || performance.now() > end) {
      expect(response).toMatchObject({ status })
      return response
    }
    await sleep(200)
  }
}

/** Waits until HAProxy has seen a restarted process. */
export async function waitUntilAccepted({ host, port }: GrownProcess): Promise<void> {
  const isHealthy = (): Promise<boolean> =>
    fetch(`http://${host}:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isHealthy, { timeout: 120_000, interval: 200 }).toBe(true)
  await sleep(acceptedMs)
}

/** Sends a request from an address of the loopback network, and returns its status. */
export function fetchStatusFrom(localAddress: string, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { localAddress, agent: false }, (response) => {
      response.resume()
      response.once('close', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** Requests a public page of the API again and again, and counts the responses that are not 200. */
export function watchApi({ url }: GrownLayout): { stop(): Promise<{ requests: number; failures: readonly string[] }> } {
  const failures: string[] = []
  let requests = 0
  let isStopped = false
  const watching = (async () => {
    while (!isStopped) {
      requests += 1
      const status = await fetchStatusFrom('127.0.0.1', `${url}/appkit/v1/config?projectId=${testProjectId}`).catch(
        String,
      )
      if (status !== 200) failures.push(String(status))
      await sleep(50)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await watching
      return { requests, failures }
    },
  }
}
