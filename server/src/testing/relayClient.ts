import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64urlnopad } from '@scure/base'
import { WebSocket } from 'ws'

/** Project id of clients in tests. Test servers accept any id. */
export const testProjectId = '0123456789abcdef0123456789abcdef'

/** A key pair of a client, with the id that follows from it. */
export type ClientKey = { secret: Uint8Array; clientId: string }

/** Creates the key of a client. */
export function createClientKey(): ClientKey {
  const secret = new Uint8Array(randomBytes(32))
  const publicKey = ed25519.getPublicKey(secret)
  return { secret, clientId: `did:key:z${base58.encode(Uint8Array.of(0xed, 0x01, ...publicKey))}` }
}

/** Signs a client's token. */
export function signToken(
  { secret, clientId }: ClientKey,
  { header = {}, claims = {} }: { header?: object; claims?: object } = {},
): string {
  const now = Math.floor(Date.now() / 1000)
  const standard = { iss: clientId, sub: 'ab'.repeat(32), aud: 'ws://127.0.0.1/', iat: now, exp: now + 86_400 }
  const part = (value: object): string => base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)))
  const signed = `${part({ alg: 'EdDSA', typ: 'JWT', ...header })}.${part({ ...standard, ...claims })}`
  return `${signed}.${base64urlnopad.encode(ed25519.sign(new TextEncoder().encode(signed), secret))}`
}

/** A delivery, as the relay pushes it. */
export type Push = {
  id: number
  method: string
  params: {
    id: string
    data: { topic: string; message: string; publishedAt: number; tag: number; attestation: string }
  }
}

export type RelayResponse = { id: unknown; result?: unknown; error?: { code: number; message: string; data?: string } }

export type RelayClientOptions = {
  key?: ClientKey
  token?: string
  projectId?: string
  /** Additional query parameters and headers. */
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  /** True if deliveries are acknowledged at once. */
  acknowledges?: boolean
}

/** A client of the relay that exposes all frames. */
export type RelayClient = {
  clientId: string
  socket: WebSocket
  /** All received frames, in order. */
  frames: readonly string[]
  /** All received deliveries, in order. */
  pushes: readonly Push[]
  /** The messages of the deliveries. */
  messages(): readonly string[]
  /** Sends a request and waits for its response. */
  request(method: string, params: object): Promise<RelayResponse>
  /** Sends a string unchanged and waits for the next frame. */
  sendText(text: string): Promise<string>
  /** Waits until a condition holds. Checks it after each frame. */
  until(condition: () => boolean): Promise<void>
  acknowledge(push: Push): void
  /** Resolves with the close event when the connection ends. */
  closed: Promise<{ code: number; reason: string }>
  close(): Promise<void>
}

/** The address of a connection to the relay. */
export function relayAddress(relayUrl: string, options: RelayClientOptions = {}): string {
  const { key = createClientKey(), token = signToken(key), projectId = testProjectId, query } = options
  const url = new URL(relayUrl)
  url.search = new URLSearchParams({ auth: token, projectId, ...query }).toString()
  return url.href
}

/**
 * Connects to a relay.
 *
 * @throws Error if the connection is refused
 */
export async function connectRelayClient(relayUrl: string, options: RelayClientOptions = {}): Promise<RelayClient> {
  const { key = createClientKey(), acknowledges = true } = options
  const socket = new WebSocket(relayAddress(relayUrl, { ...options, key }), { headers: { ...options.headers } })
  const frames: string[] = []
  const pushes: Push[] = []
  const watchers = new Set<() => void>()
  const responses = new Map<string, (reply: RelayResponse) => void>()
  let lastId = 1_700_000_000_000_000

  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  const acknowledge = ({ id }: Push): void => socket.send(`{"id":${id},"jsonrpc":"2.0","result":true}`)
  const until: RelayClient['until'] = (condition) => waitForFrame({ watchers, closed }, condition)
  socket.on('error', () => undefined)
  socket.on('message', (data) => {
    const text = String(data)
    frames.push(text)
    // The relay wrote it; the tests check its structure.
    const value = JSON.parse(text) as Push & RelayResponse
    if (value.method === 'irn_subscription') {
      pushes.push(value)
      if (acknowledges) acknowledge(value)
    } else responses.get(String(value.id))?.(value)
    for (const watcher of watchers) watcher()
  })
  await waitUntilOpen(socket)

  return {
    clientId: key.clientId,
    socket,
    frames,
    pushes,
    messages: () => pushes.map(({ params }) => params.data.message),
    request(method, params) {
      lastId += 1
      const id = lastId
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', method, params }))
      return new Promise((resolve, reject) => {
        responses.set(String(id), resolve)
        void closed.then(({ code }) => reject(new Error(`The relay ended the connection: ${code}`)))
      })
    },
    async sendText(text) {
      const before = frames.length
      socket.send(text)
      await until(() => frames.length > before)
      return frames[before] ?? ''
    },
    until,
    acknowledge,
    closed,
    async close() {
      socket.close()
      await closed
    },
  }
}

/** @throws Error if the connection is refused */
function waitUntilOpen(socket: WebSocket): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, response) => reject(new Error(`HTTP ${response.statusCode}`)))
    socket.once('error', reject)
  })
}

/** Waits until a condition holds, which each frame can change. */
function waitForFrame(
  { watchers, closed }: Pick<RelayClient, 'closed'> & { watchers: Set<() => void> },
  condition: () => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const watch = (): void => {
      if (!condition()) return
      watchers.delete(watch)
      resolve()
    }
    watchers.add(watch)
    void closed.then(({ code, reason }) => reject(new Error(`The relay ended the connection: ${code} ${reason}`)))
    watch()
  })
}
