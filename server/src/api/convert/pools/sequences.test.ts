import { addresses, exchangeConfig, startChains, waitUntilMined, type LocalChains } from '@latchkey/devnet'
import fc from 'fast-check'
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  maxUint256,
  publicActions,
  walletActions,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../kit/runtime/clock.ts'
import { createEndpointPool } from '../../../kit/chain/endpointPool.ts'
import { getMinimumReceived, nativeAddress, type Quote, type RouteSource } from '../routeSource.ts'
import { createPoolRoutes } from './poolRoutes.ts'

/** For longer runs: `SWAPS=1000 npx vitest run server/src/api/convert/pools/sequences.test.ts`. */
const swaps = Number(process.env['SWAPS'] ?? 60)
const [alice, bob] = addresses
const symbols = ['ETH', 'WETH', 'LUSD', 'KEY'] as const
type Symbol = (typeof symbols)[number]
/** About a dollar of each, in base units. */
const dollarOf: Readonly<Record<Symbol, bigint>> = {
  ETH: 4n * 10n ** 14n,
  WETH: 4n * 10n ** 14n,
  LUSD: 10n ** 6n,
  KEY: 10n ** 17n,
}

let world: LocalChains
let source: RouteSource

beforeAll(async () => {
  world = await startChains()
  const { rpcUrl, exchange } = world.chains[0]
  const pool = createEndpointPool([rpcUrl], systemClock)
  source = createPoolRoutes({ exchange: exchangeConfig(world.chains[0]), pool, clock: systemClock })
  for (const owner of [alice, bob]) {
    await send(owner, addressOf('WETH'), '0xd0e30db0', 10n * 10n ** 18n)
    for (const symbol of ['WETH', 'LUSD', 'KEY'] as const) {
      const args = [exchange.router, maxUint256] as const
      await send(owner, addressOf(symbol), encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
    }
  }
})
afterAll(() => world.close())

const createNodeClient = () =>
  createTestClient({ mode: 'anvil', transport: http(world.chains[0].rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)

function addressOf(symbol: Symbol): Hex {
  if (symbol === 'ETH') return nativeAddress
  const { exchange, tokens } = world.chains[0]
  const address = symbol === 'WETH' ? exchange.wrappedNative : tokens.find((token) => token.symbol === symbol)?.address
  return `0x${(address ?? '').slice(2).toLowerCase()}`
}

/** The cost of gas, and whether the transaction succeeded. */
async function send(account: Hex, to: Hex, data: Hex, value = 0n): Promise<{ paid: bigint; isDone: boolean }> {
  const hash = await createNodeClient().sendTransaction({ chain: null, account, to, data, value, gas: 1_000_000n })
  const { status, gasUsed, effectiveGasPrice } = await waitUntilMined(createNodeClient(), hash)
  return { paid: gasUsed * effectiveGasPrice, isDone: status === 'success' }
}

async function balanceOf(holder: Hex, symbol: Symbol): Promise<bigint> {
  if (symbol === 'ETH') return createNodeClient().getBalance({ address: holder })
  const args = [holder] as const
  return createNodeClient().readContract({ address: addressOf(symbol), abi: erc20Abi, functionName: 'balanceOf', args })
}

type Ledger = Record<Symbol, bigint>

async function readLedger(holder: Hex): Promise<Ledger> {
  const [ETH = 0n, WETH = 0n, LUSD = 0n, KEY = 0n] = await Promise.all(
    symbols.map((symbol) => balanceOf(holder, symbol)),
  )
  return { ETH, WETH, LUSD, KEY }
}

type Step = { who: Hex; from: Symbol; to: Symbol; dollars: number; slippage: number; isOvertaken: boolean }

const step: fc.Arbitrary<Step> = fc
  .record({
    who: fc.constantFrom<Hex>(alice, bob),
    pair: fc.shuffledSubarray([...symbols], { minLength: 2, maxLength: 2 }),
    dollars: fc.integer({ min: 1, max: 900 }),
    slippage: fc.integer({ min: 0, max: 20_000 }),
    isOvertaken: fc.boolean(),
  })
  .map(({ pair: [from = 'ETH', to = 'LUSD'], ...rest }) => ({ ...rest, from, to }))

async function swap(
  who: Hex,
  [from, to, amount]: readonly [Symbol, Symbol, bigint],
  slippage: bigint,
  quote: Quote,
): Promise<{ paid: bigint; isDone: boolean }> {
  const request = { from: addressOf(from), to: addressOf(to), amount }
  const built = await source.build({ ...request, user: who, slippage, quoteId: quote.id })
  return send(who, built.to, built.data, built.value)
}

/** One swap, front-run or not. Compares the balances with the ledger. */
async function playStep(
  { who, from, to, dollars, slippage, isOvertaken }: Step,
  ledgers: Map<Hex, Ledger>,
): Promise<'done' | 'refused' | 'skipped'> {
  const mine = ledgers.get(who) ?? (await readLedger(who))
  ledgers.set(who, mine)
  const amount = dollarOf[from] * BigInt(dollars)
  if (mine[from] < amount) return 'skipped'
  const [quote] = await source.quotes({ from: addressOf(from), to: addressOf(to), amount })
  if (quote === undefined) throw new Error('There is no quote.')
  if (isOvertaken) {
    const other = who === alice ? bob : alice
    const [his] = await source.quotes({ from: nativeAddress, to: addressOf('LUSD'), amount: 10n ** 17n })
    if (his !== undefined) await swap(other, ['ETH', 'LUSD', 10n ** 17n], 10_000n, his)
    ledgers.set(other, await readLedger(other))
  }
  const { paid, isDone } = await swap(who, [from, to, amount], BigInt(slippage), quote)
  const now = await readLedger(who)
  const gained = now[to] - mine[to] + (to === 'ETH' ? paid : 0n)
  if (isDone) {
    const least = isOvertaken ? getMinimumReceived(quote.received, BigInt(slippage)) : quote.received
    expect(gained).toBeGreaterThanOrEqual(least)
    if (!isOvertaken) expect(gained).toBe(quote.received)
  } else {
    // Only a front-runner causes more than the agreed price.
    expect(isOvertaken).toBe(true)
  }
  const expected = { ...mine, [from]: mine[from] - (isDone ? amount : 0n) }
  expected.ETH -= paid
  if (isDone) expected[to] += gained
  expect(now).toEqual(expected)
  ledgers.set(who, now)
  return isDone ? 'done' : 'refused'
}

test(
  'swaps in any order pay at least the agreed minimum or take nothing',
  { tags: 'faults', timeout: 600_000 },
  async () => {
    const ledgers = new Map<Hex, Ledger>()
    const outcomes = { done: 0, refused: 0, skipped: 0 }
    await fc.assert(
      fc.asyncProperty(step, async (each) => void (outcomes[await playStep(each, ledgers)] += 1)),
      // Each step depends on all earlier ones, so a failing case cannot be shrunk.
      { numRuns: swaps, endOnFailure: true },
    )
    expect(outcomes.done).toBeGreaterThan(swaps / 2)
    expect(outcomes.done + outcomes.refused + outcomes.skipped).toBe(swaps)
  },
)
