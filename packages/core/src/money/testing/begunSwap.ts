import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { connect } from '../../actions/connect.ts'
import { openModal } from '../../actions/navigation.ts'
import {
  fakeAdapter,
  fakeConnector,
  fakeExchange,
  fakeNetwork,
  fakeWorld,
  settled,
  type ExchangeQuestion,
  type FakeAdapter,
  type FakeExchange,
} from '../../testing/fakes.ts'
import { chooseSwapToken, setSwapAmount } from '../swap/choosing.ts'
import { openSwap } from '../swap/openSwap.ts'
import { reviewSwap } from '../swap/reviewSwap.ts'
import { swapState, type SwapState } from '../swap/state.ts'

const chainId = fakeNetwork().caipNetworkId
export const owner: string = `0x${'aa'.repeat(18)}fa4e`
const { native, dollar } = fakeExchange(chainId, owner)
export const ether: bigint = 10n ** 18n

/** A question, and whether the one who asked went away before it was answered. */
type Question = ExchangeQuestion & { gone: boolean }
type Backend = FakeExchange & { asked: Question[] }

async function listen(): Promise<Backend & { url: string }> {
  const backend: Backend = Object.assign(fakeExchange(chainId, owner), { asked: [] })
  const server = createServer(async (request, response) => {
    const question = await readQuestion(request)
    backend.asked.push(question)
    response.once('close', () => void (question.gone = !response.writableEnded))
    const { status = 200, body } = await backend.answer(question)
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

async function readQuestion(request: IncomingMessage): Promise<Question> {
  const url = new URL(request.url ?? '', 'http://server.invalid')
  const text = (await request.toArray()).join('')
  return {
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: text === '' ? {} : JSON.parse(text),
    gone: false,
  }
}

/** A visitor with five coins and 500 dollars who begins to swap. */
export async function begun(adapter: FakeAdapter = fakeAdapter({ balances: { [owner]: 5n * ether } })) {
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
  openModal(latchkey, { entry: { view: 'Swap', params: {} } })
  await openSwap(latchkey)
  const state = (): SwapState => swapState(latchkey).getState()
  const count = (end: string): number => backend.asked.filter(({ path }) => path.endsWith(end)).length
  const asks = (): number => connector.requests.filter(({ method }) => method === 'sendTransaction').length
  return { ...world, backend, connector, state, count, asks }
}

export type Begun = Awaited<ReturnType<typeof begun>>

/** Chooses what is wanted, gives an amount, and waits for its price. */
export async function quoted(swap: Begun, amount: string, from = native, to = dollar): Promise<void> {
  const { latchkey, clock, state } = swap
  chooseSwapToken(latchkey, 'to', to)
  chooseSwapToken(latchkey, 'from', from)
  chooseSwapToken(latchkey, 'to', to)
  setSwapAmount(latchkey, amount)
  clock.advance(500)
  await expect.poll(() => state().quote.status, { interval: 5 }).not.toBe('waiting')
}

export async function reviewed(swap: Begun, amount: string, from = native, to = dollar): Promise<void> {
  await quoted(swap, amount, from, to)
  await reviewSwap(swap.latchkey)
}

/** Something that happens when it is told to. */
export function later(): { promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => void (resolve = done))
  return { promise, resolve }
}

export function said(swap: Begun): string | undefined {
  const toast = swap.latchkey.toast.getState()
  return toast.open ? toast.message : undefined
}

/** Lets the notice that was shown before go, so that the next one appears. */
export async function lastSaid(swap: Begun): Promise<string | undefined> {
  await settled()
  swap.clock.advance(150)
  return said(swap)
}
