import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Network } from '@latchkey/protocol'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { WebSocketServer, type WebSocket } from 'ws'
import { accountMethods } from './accountMethods.ts'
import { chainMethods } from './chainMethods.ts'
import { createGenesis, genesisHash, solanaTokens, type SolanaToken } from './genesis.ts'
import { handleJsonRpc, type Methods } from './jsonRpc.ts'
import { openJournal } from './journal.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { subscriptionMethods } from './subscriptions.ts'
import { checkAirdrop, transactionMethods } from './transactionMethods.ts'
import { transfer } from './transfer.ts'

/** The local Solana. */
export type LocalSolana = {
  network: Network
  rpcUrl: string
  /** The URL for subscriptions, on the port after that of `rpcUrl`; `rpcUrl` accepts them, too. */
  wsUrl: string
  tokens: readonly SolanaToken[]
  close(): Promise<void>
}

export type SolanaOptions = {
  /** 0 selects a free port whose next port is free, too. */
  port?: number
  /** The file that keeps the chain between starts. Without it the chain is lost at the end. */
  stateFile?: string
  /** Milliseconds since the epoch; slots advance with it. */
  now?(): number
}

const attempts = 20
/** Constant, so that a chain that is recreated from its journal has the same airdrops. */
const faucetKey = new Uint8Array(32).fill(0xfa)
const largestBody = 1_000_000

/**
 * Starts a Solana chain: the real runtime (LiteSVM) with the JSON-RPC and subscriptions of a node. Transactions are
 * executed in this process, in a third of a millisecond each, and are final immediately.
 *
 * @returns `undefined` if the runtime is not installed; it exists for few platforms
 * @throws Error if the port or the next one is in use.
 * @example const solana = await startSolana({ port: 8899 })
 */
export async function startSolana(options: SolanaOptions = {}): Promise<LocalSolana | undefined> {
  const { port = 0, stateFile, now = Date.now } = options
  const vm = await createRuntime()
  if (vm === undefined) return undefined
  const faucet = await createKeyPairSignerFromPrivateKeyBytes(faucetKey)
  await createGenesis(vm, faucet.address)
  const ledger = createLedger(vm, openJournal(stateFile, now()), now)
  const methods = {
    ...chainMethods(ledger),
    ...accountMethods(ledger),
    ...transactionMethods(ledger, async (to, amount) => {
      checkAirdrop(amount)
      return transfer(ledger, faucet, to, amount)
    }),
  }
  const { port: bound, close } = await listenOnPair(port, ledger, methods)
  const rpcUrl = `http://127.0.0.1:${bound}`
  return { network: describeSolana(rpcUrl), rpcUrl, wsUrl: `ws://127.0.0.1:${bound + 1}`, tokens: solanaTokens, close }
}

async function createRuntime(): Promise<Ledger['vm'] | undefined> {
  try {
    const { LiteSVM } = await import('litesvm')
    return new LiteSVM()
  } catch {
    return undefined
  }
}

function describeSolana(rpcUrl: string): Network {
  const id = genesisHash.slice(0, 32)
  return {
    id,
    name: 'Solana Local',
    caipNetworkId: `solana:${id}`,
    chainNamespace: 'solana',
    nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
    rpcUrls: { default: { http: [rpcUrl] }, chainDefault: { http: [rpcUrl] } },
  }
}

/** Listens on a port and on the next one, which clients use for subscriptions. */
async function listenOnPair(
  port: number,
  ledger: Ledger,
  methods: Methods,
): Promise<{ port: number; close(): Promise<void> }> {
  // A client that disconnects gets no response.
  const http = createServer((request, response) => {
    respondOverHttp(request, response, methods).catch(() => response.destroy())
  })
  const neighbour = createServer((_request, response) => void response.writeHead(426).end())
  const sockets = new WebSocketServer({ noServer: true })
  sockets.on('connection', (socket) => serve(socket, { ...methods, ...subscriptionMethods(ledger, socket) }))
  for (const server of [http, neighbour]) {
    server.on('upgrade', (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request)),
    )
  }
  const close = async (): Promise<void> => {
    for (const socket of sockets.clients) socket.terminate()
    await Promise.all([http, neighbour].map(stop))
  }
  for (let attempt = 1; ; attempt += 1) {
    const bound = await bind(http, port)
    try {
      await bind(neighbour, bound + 1)
      return { port: bound, close }
    } catch (error) {
      await stop(http)
      if (port !== 0 || attempt === attempts) throw error
    }
  }
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function respondOverHttp(request: IncomingMessage, response: ServerResponse, methods: Methods): Promise<void> {
  // All origins are allowed, as with a public node.
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
  if (request.method === 'OPTIONS') return void response.writeHead(204).end()
  const text = request.method === 'POST' ? await readBody(request) : undefined
  if (text === undefined) return void response.writeHead(request.method === 'POST' ? 413 : 405).end()
  response.setHeader('content-type', 'application/json')
  response.end(await handleJsonRpc(text, methods))
}

/** Reads the body of a request; `undefined` if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const part of request) {
    // Without an encoding, a request yields buffers.
    const bytes = part as Buffer
    size += bytes.length
    if (size > largestBody) return undefined
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString()
}

function serve(socket: WebSocket, methods: Methods): void {
  socket.on('error', () => socket.terminate())
  socket.on('message', (data) => {
    // Text messages arrive as one buffer.
    const text = Buffer.isBuffer(data) ? data.toString() : ''
    handleJsonRpc(text, methods).then(
      (message) => socket.send(message),
      () => socket.terminate(),
    )
  })
}
