import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  connectRelayClient,
  createClientKey,
  createTestDatabase,
  relayAddress,
  signToken,
  startTestServer,
} from '../testing/index.ts'

type Database = Awaited<ReturnType<typeof createTestDatabase>>

const topic = 'a'.repeat(64)
const newMessage = (message: string, change: object = {}): object => ({ topic, message, ttl: 300, tag: 0, ...change })

let database: Database

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

describe('relay shutdown', () => {
  test('clients that connect while the relay stops are closed with 4010, too [R-05]', { tags: 'faults' }, async () => {
    const server = await startTestServer({ databaseUrl: database.url })
    const sockets = Array.from(
      { length: 60 },
      () => new WebSocket(relayAddress(server.relayUrl, { key: createClientKey() })),
    )
    const opened = new Set<WebSocket>()
    const ended = sockets.map(
      (socket) =>
        new Promise<number | undefined>((resolve) => {
          socket.on('error', () => undefined)
          socket.on('open', () => opened.add(socket))
          socket.on('close', (code) => resolve(opened.has(socket) ? code : undefined))
        }),
    )
    await expect.poll(() => opened.size, { interval: 1 }).toBeGreaterThan(0)
    await server.close()
    const codes = (await Promise.all(ended)).filter((code) => code !== undefined)
    expect(new Set(codes)).toEqual(new Set([4010]))
  })

  test(
    'shutdown closes connections quickly with 4010 and keeps every confirmed message [R-05]',
    { tags: 'faults' },
    async () => {
      const first = await startTestServer({ databaseUrl: database.url })
      const dapp = await connectRelayClient(first.relayUrl)
      const idle = await connectRelayClient(first.relayUrl)
      const confirmed: string[] = []
      const publishing = Array.from({ length: 500 }, async (_, index) => {
        const { result } = await dapp.request('irn_publish', newMessage(`message ${index}`))
        if (result === true) confirmed.push(`message ${index}`)
      })
      await publishing[0]
      const startedAt = performance.now()
      const [, , ended, alsoEnded] = await Promise.all([
        Promise.allSettled(publishing),
        first.close(),
        dapp.closed,
        idle.closed,
      ])
      expect(performance.now() - startedAt).toBeLessThan(10_000)
      expect([ended.code, alsoEnded.code]).toEqual([4010, 4010])
      expect(confirmed.length).toBeGreaterThan(0)

      const second = await startTestServer({ databaseUrl: database.url })
      const wallet = await connectRelayClient(second.relayUrl)
      await wallet.request('irn_subscribe', { topic })
      await wallet.until(() => confirmed.every((message) => wallet.messages().includes(message)))
      await wallet.close()
      await second.close()
    },
  )
})

describe('a slow client', () => {
  test(
    'a slow client receives every message in order after it resumes reading [R-08]',
    { tags: 'faults' },
    async () => {
      const server = await startTestServer({ databaseUrl: database.url })
      const slowTopic = 'b'.repeat(64)
      const [dapp, slow, quick] = await Promise.all([1, 2, 3].map(() => connectRelayClient(server.relayUrl)))
      if (dapp === undefined || slow === undefined || quick === undefined) throw new Error('three clients connect')
      for (const client of [slow, quick]) await client.request('irn_subscribe', { topic: slowTopic })
      slow.socket.pause()
      const messages = Array.from({ length: 200 }, (_, index) => `${index} `.padEnd(90_000, 'x'))
      await Promise.all(
        messages.map((message) => dapp.request('irn_publish', newMessage(message, { topic: slowTopic }))),
      )
      await quick.until(() => quick.pushes.length === messages.length)
      expect(slow.pushes).toHaveLength(0)
      slow.socket.resume()
      await slow.until(() => slow.pushes.length === messages.length)
      expect(slow.messages().map((message) => parseInt(message, 10))).toEqual(messages.map((_, index) => index))
      await Promise.all([dapp, slow, quick].map((client) => client.close()))
      await server.close()
    },
  )
})

/** The built server as a process of its own, with a database of its own. */
type Child = { process: ChildProcess; relayUrl: string; output: () => string }

describe('a server process', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  let dataDir: string

  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['node_modules/ts7/bin/tsc', '-b', 'server'], { cwd: root })
    dataDir = await mkdtemp(join(tmpdir(), 'latchkey-server-'))
    await chmod(dataDir, 0o755)
  })
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  async function start(environment: Record<string, string>): Promise<Child> {
    const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], {
      env: { PATH: process.env['PATH'], PORT: '0', LIMITS: 'local', LOG_LEVEL: 'debug', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const relayUrl = await new Promise<string>((resolve, reject) => {
      const collect = (text: unknown): void => {
        output += String(text)
        const url = /relay on (ws:\S+?)\.\n/.exec(output)?.[1]
        if (url !== undefined) resolve(url)
      }
      child.stdout.on('data', collect)
      child.stderr.on('data', collect)
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${output}`)))
    })
    return { process: child, relayUrl, output: () => output }
  }

  function stop({ process: child }: Child, signal: NodeJS.Signals): Promise<number | null> {
    return new Promise((resolve) => {
      child.once('exit', (code) => resolve(code))
      child.kill(signal)
    })
  }

  test(
    'a server process killed under load keeps every confirmed message in order [R-01]',
    { tags: 'faults' },
    async () => {
      const confirmed: string[] = []
      const server = await start({ DATA_DIR: dataDir })
      const publishers = await Promise.all([0, 1, 2].map(() => connectRelayClient(server.relayUrl)))
      const flood = publishers.map(async (client, index) => {
        for (let turn = 0; ; turn += 1) {
          const message = `${index} ${turn}`
          await client.request('irn_publish', newMessage(message))
          confirmed.push(message)
        }
      })
      await new Promise<void>((resolve) => {
        const enough = (): void => (confirmed.length >= 200 ? resolve() : void setImmediate(enough))
        enough()
      })
      await Promise.all([stop(server, 'SIGKILL'), Promise.allSettled(flood)])

      const last = await start({ DATA_DIR: dataDir })
      const wallet = await connectRelayClient(last.relayUrl)
      await wallet.request('irn_subscribe', { topic })
      await wallet.until(
        () =>
          wallet.pushes.length >= confirmed.length && confirmed.every((message) => wallet.messages().includes(message)),
      )
      expect(new Set(wallet.messages()).size).toBe(wallet.messages().length)
      for (const publisher of new Set(confirmed.map((message) => message.charAt(0)))) {
        const turns = wallet
          .messages()
          .filter((message) => message.startsWith(`${publisher} `))
          .map((message) => Number(message.slice(2)))
        expect(turns).toEqual(turns.map((_, index) => index))
      }
      await wallet.close()
      expect(await stop(last, 'SIGTERM')).toBe(0)
    },
  )

  test('neither the server nor its database logs a topic, token or message [R-14]', { tags: 'faults' }, async () => {
    const server = await start({ DATA_DIR: dataDir })
    const key = createClientKey()
    const token = signToken(key)
    const [secretTopic, secretMessage] = ['c0ffee'.repeat(10) + 'c0ff', 'canary-in-a-message']
    const client = await connectRelayClient(server.relayUrl, { key, token })
    await client.request('irn_subscribe', { topic: secretTopic })
    await client.request('irn_publish', newMessage(secretMessage, { topic: secretTopic }))
    await client.request('irn_publish', newMessage(`${secretMessage}\0`, { topic: secretTopic }))
    await client.sendText(`{"id":1,"jsonrpc":"2.0","method":"${secretMessage}","params":{"topic":"${secretTopic}"`)
    await client.close()
    const api = new URL(server.relayUrl.replace('ws:', 'http:'))
    await fetch(`${api.origin}/v1/account/${secretMessage}/balance?projectId=${'e'.repeat(32)}&auth=${token}`)
    await fetch(relayAddress(server.relayUrl, { key, token }).replace('ws:', 'http:'))
    expect(await stop(server, 'SIGTERM')).toBe(0)
    const postgresLog = await readFile(join(dataDir, 'postgres/log'), 'utf8')
    for (const secret of [secretTopic, secretMessage, token, key.clientId]) {
      expect(server.output()).not.toContain(secret)
      expect(postgresLog).not.toContain(secret)
    }
  })
})
