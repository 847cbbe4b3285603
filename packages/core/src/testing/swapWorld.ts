/// <reference types="node" />
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { connect } from '../connection/connect.ts'
import type { CallsStatus, WalletCalls } from '../contracts/adapter.ts'
import {
  fakeAdapter,
  fakeConnector,
  fakeExchange,
  fakeNetwork,
  fakeWorld,
  type ExchangeRequest,
  type FakeAdapter,
  type FakeExchange,
} from './fakes.ts'
import type { FakeWorld } from './fakeWorld.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { chooseSwapToken, setSwapAmount } from '../money/swap/chooseSwapToken.ts'
import { openSwap } from '../money/swap/openSwap.ts'
import { reviewSwap } from '../money/swap/reviewSwap.ts'
import { swapState, type SwapState } from '../money/swap/state.ts'

const chainId = fakeNetwork().caipNetworkId
export const owner: string = `0x${'aa'.repeat(18)}fa4e`
const { native, dollar } = fakeExchange(chainId, owner)
export const ether: bigint = 10n ** 18n

/** A request, and its abort signal. */
type ReceivedExchangeRequest = ExchangeRequest & { gone: boolean }
type Backend = FakeExchange & { requested: ReceivedExchangeRequest[] }

async function listen(): Promise<Backend & { url: string }> {
  const backend: Backend = Object.assign(fakeExchange(chainId, owner), { requested: [] })
  const server = createServer(async (request, response) => {
    const received = await readExchangeRequest(request)
    backend.requested.push(received)
    response.once('close', () => void (received.gone = !response.writableEnded))
    const { status = 200, body } = await backend.respond(received)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  return Object.assign(backend, { url: `http://127.0.0.1:${port}` })
}

async function readExchangeRequest(request: IncomingMessage): Promise<ReceivedExchangeRequest> {
  const url = new URL(request.url ?? '', 'http://server.invalid')
  const text = (await request.toArray()).join('')
  return {
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: text === '' ? {} : JSON.parse(text),
    gone: false,
  }
}

/** A user with five coins and 500 dollars who starts a swap. */
export async function openSwapWorld(
  adapter: FakeAdapter = fakeAdapter({ balances: { [owner]: 5n * ether } }),
  open: (latchkey: Latchkey) => Promise<void> = openSwap,
): Promise<SwapWorld> {
  const backend = await listen()
  const connector = fakeConnector()
  const world = fakeWorld({
    adapters: [adapter],
    connectors: [connector],
    server: backend.url,
    projectId: '0'.repeat(32),
  })
  const { latchkey } = world
  await connect(latchkey, 'fake')
  await open(latchkey)
  const state = (): SwapState => swapState(latchkey).getState()
  const count = (end: string): number => backend.requested.filter(({ path }) => path.endsWith(end)).length
  const requests = (): number => connector.requests.filter(({ method }) => method === 'sendTransaction').length
  return { ...world, backend, connector, state, count, requests }
}

export type SwapWorld = FakeWorld & {
  readonly backend: Awaited<ReturnType<typeof listen>>
  readonly connector: ReturnType<typeof fakeConnector>
  state(): SwapState
  /** Counts the requests whose path ends like this. */
  count(end: string): number
  /** Counts the transactions that the wallet was asked to send. */
  requests(): number
}

/** Selects the token to receive, sets an amount, and waits for the quote. */
export async function prepareQuote(
  swap: SwapWorld,
  amount: string,
  from: string = native,
  to: string = dollar,
): Promise<void> {
  const { latchkey, clock, state } = swap
  chooseSwapToken(latchkey, 'to', to)
  chooseSwapToken(latchkey, 'from', from)
  chooseSwapToken(latchkey, 'to', to)
  setSwapAmount(latchkey, amount)
  clock.advance(500)
  await expect.poll(() => state().quote.status, { interval: 5 }).not.toBe('waiting')
}

/** Opens the review of a swap after its quote has arrived. */
export async function prepareReview(
  swap: SwapWorld,
  amount: string,
  from: string = native,
  to: string = dollar,
): Promise<void> {
  await prepareQuote(swap, amount, from, to)
  await reviewSwap(swap.latchkey).prepared
}

/** A wallet that executes batches, and its batches so far. */
type BatchingAdapter = {
  readonly adapter: FakeAdapter
  readonly batches: readonly unknown[]
  /** Changes what the wallet reports about its batch. */
  report(change: Partial<CallsStatus>): void
}

/**
 * Creates a wallet that executes batches on request. The chain mines their transaction, as it mines that of a bundler,
 * whatever the wallet reports about the calls.
 *
 * @param reported the reported status; confirmed by default
 * @param atomic `ready` for a wallet that would have to upgrade its account
 */
export function createBatchingAdapter(
  reported: Partial<CallsStatus> = {},
  atomic: 'supported' | 'ready' = 'supported',
): BatchingAdapter {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether } })
  const { contract } = fakeExchange(chainId, owner)
  const batches: unknown[] = []
  let change = reported
  const never = (): never => {
    throw new Error('not asked for')
  }
  const calls: WalletCalls = {
    getCapabilities: async () => ({ [chainId]: { atomic: { status: atomic } } }),
    sendCalls: async (connection, account, batch) => {
      batches.push(batch)
      await adapter.sendTransaction(connection, account, { to: contract })
      return { id: '0x1' }
    },
    getCallsStatus: async (_, id) => ({
      id,
      status: 'confirmed',
      atomic: true,
      receipts: [{ hash: adapter.sent[0]?.hash ?? '', blockNumber: 1n }],
      ...change,
    }),
    getAssets: async () => undefined,
    grantPermissions: never,
    revokePermissions: never,
  }
  const report = (next: Partial<CallsStatus>): void => void (change = next)
  return { adapter: Object.assign(adapter, { walletCalls: async () => calls }), batches, report }
}

/** A promise that a test resolves. */
export function createDeferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => void (resolve = done))
  return { promise, resolve }
}
