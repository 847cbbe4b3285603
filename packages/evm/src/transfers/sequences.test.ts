import { connect, createLatchkey, memoryStorage, start, type Latchkey } from '@latchkey/core'
import {
  chooseToken,
  resetSend,
  reviewSend,
  sendNow,
  sendState,
  setAmount,
  setMax,
  setReceiver,
  type SendToken,
} from '@latchkey/core/money'
import { getRejection } from '@latchkey/core/testing'
import { announce } from '@latchkey/testkit'
import { formatUnits, zeroAddress, type Address } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { evm } from '../evm.ts'
import { startTestChain, type TestChain, type TestWallet } from '../testing/startTestChain.ts'

// More of them, or the same ones again: LATCHKEY_SEQUENCES=1000 LATCHKEY_SEED=7 npx vitest run packages/evm/src/transfers/sequences.test.ts
const sequences = Number(process.env['LATCHKEY_SEQUENCES'] ?? 8)
const seed = Number(process.env['LATCHKEY_SEED'] ?? 20_261_122)
const paymentsEach = 4

type Party = { latchkey: Latchkey; wallet: TestWallet }
type Kind = { address: Address | undefined; symbol: string; decimals: number; keeps: (amount: bigint) => bigint }

let bench: TestChain
let parties: readonly Party[]
let kinds: readonly Kind[]
let random: () => number

/** The expected balances after the payments, and the expected number of transactions of each account. */
const ledger = new Map<string, bigint>()
const counts = new Map<Address, number>()

beforeAll(async () => {
  bench = await startTestChain()
  random = createRandom(seed)
  const wallets = await Promise.all(Array.from({ length: 4 }, () => bench.wallet('50')))
  parties = await Promise.all(wallets.map(createParty))
  const none = (): bigint => 0n
  const names = ['MoodyToken', 'SilentToken', 'TaxedToken'] as const
  const [moody, silent, taxed] = [
    await bench.deploy(names[0]),
    await bench.deploy(names[1]),
    await bench.deploy(names[2]),
  ]
  kinds = [
    { address: undefined, symbol: 'ETH', decimals: 18, keeps: none },
    { address: moody, symbol: 'MOOD', decimals: 18, keeps: none },
    { address: silent, symbol: 'SLNT', decimals: 6, keeps: none },
    { address: taxed, symbol: 'TAX', decimals: 18, keeps: (amount) => amount / 20n },
  ]
  for (const { wallet } of parties) {
    counts.set(wallet.address, 0)
    for (const [index, contract] of names.entries()) {
      const to = kinds[index + 1]?.address ?? zeroAddress
      await bench.call(contract, to, 'mint', [wallet.address, 10n ** 9n])
    }
    for (const kind of kinds) add(wallet.address, kind, await getChainBalance(wallet.address, kind))
  }
  return () => bench.stop()
})

async function createParty(wallet: TestWallet): Promise<Party> {
  const page = new EventTarget()
  announce(wallet.extension, page)
  const latchkey = createLatchkey({ adapters: [evm({ chains: [bench.chain], page })], storage: memoryStorage() })
  start(latchkey)
  await connect(latchkey, wallet.extension.info.rdns)
  return { latchkey, wallet }
}

/** Returns reproducible numbers from 0 to 1 for a seed. */
function createRandom(from: number): () => number {
  let state = from >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function pick<item>(items: readonly item[]): item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('There is nothing to pick from.')
  return item
}

const keyOf = (holder: Address, { symbol }: Kind): string => `${holder} ${symbol}`
const getLedgerBalance = (holder: Address, kind: Kind): bigint => ledger.get(keyOf(holder, kind)) ?? 0n
const add = (holder: Address, kind: Kind, amount: bigint): void =>
  void ledger.set(keyOf(holder, kind), getLedgerBalance(holder, kind) + amount)

/** Requests the node directly, not through the tested code. */
async function getChainBalance(holder: Address, { address }: Kind): Promise<bigint> {
  if (address === undefined) return BigInt(String(await bench.request('eth_getBalance', holder, 'latest')))
  const data = `0x70a08231${holder.slice(2).padStart(64, '0')}`
  return BigInt(String(await bench.request('eth_call', { to: address, data }, 'latest')))
}

type Fault = 'none' | 'declined' | 'response lost' | 'never sent'

/** Makes one payment, from an empty form, and records its outcome in the ledger. */
async function pay(): Promise<string> {
  const [payer, receiver] = [pick(parties), pick(parties)]
  const kind = pick(kinds)
  const mishap = pick<Fault>(['none', 'none', 'none', 'declined', 'response lost', 'never sent'])
  const { latchkey, wallet } = payer
  const token: SendToken = {
    asset: { address: kind.address, symbol: kind.symbol, decimals: kind.decimals },
    name: kind.symbol,
    chainId: bench.network.caipNetworkId,
    balance: undefined,
    price: undefined,
  }
  resetSend(latchkey)
  chooseToken(latchkey, token)
  setReceiver(latchkey, receiver.wallet.address)
  const everything = kind.address !== undefined && random() < 0.1
  const wanted = (getLedgerBalance(wallet.address, kind) * BigInt(Math.floor(random() * 1_300))) / 4_000n
  if (everything) await setMax(latchkey)
  else setAmount(latchkey, formatUnits(wanted, kind.decimals))
  await expect.poll(() => sendState(latchkey).getState().resolving).toBe(false)
  const status = await reviewSend(latchkey)
  const summary = `${kind.symbol} ${wanted} ${mishap} ${status}`
  if (status !== 'ready') return summary
  const amount = everything ? getLedgerBalance(wallet.address, kind) : wanted
  arrange(wallet, mishap)
  const before = await countSent(wallet.address)
  const sending = sendNow(latchkey)
  if (mishap === 'declined' || mishap === 'never sent') {
    const code = mishap === 'declined' ? 'request/rejected' : 'request/unknown'
    expect([summary, await getRejection(sending)]).toMatchObject([summary, { code }])
    expect([summary, await countSent(wallet.address)]).toEqual([summary, before])
    return summary
  }
  const { sent, outcome } = await sending
  expect([summary, await outcome]).toMatchObject([summary, { status: 'mined', hash: sent.hash }])
  await bookPayment({ payer: wallet.address, receiver: receiver.wallet.address, kind, amount, hash: sent.hash })
  return summary
}

function arrange({ extension }: TestWallet, mishap: Fault): void {
  if (mishap === 'declined') extension.rejectNext()
  if (mishap === 'response lost') bench.proxy.loseNext('eth_sendRawTransaction')
  if (mishap === 'never sent') {
    extension.faults.once('eth_sendTransaction', { kind: 'fail', code: -32_603, message: 'Failed to fetch' })
  }
}

async function countSent(address: Address): Promise<number> {
  return Number(BigInt(String(await bench.request('eth_getTransactionCount', address, 'pending'))))
}

/** Records the expected result of a payment, with the gas that the block reports. */
async function bookPayment(paid: {
  payer: Address
  receiver: Address
  kind: Kind
  amount: bigint
  hash: string
}): Promise<void> {
  const { payer, receiver, kind, amount, hash } = paid
  const { gasUsed, effectiveGasPrice } = Object(await bench.request('eth_getTransactionReceipt', hash))
  const [native = kind] = kinds
  add(payer, native, -(BigInt(gasUsed) * BigInt(effectiveGasPrice)))
  add(payer, kind, -amount)
  add(receiver, kind, amount - kind.keeps(amount))
  counts.set(payer, (counts.get(payer) ?? 0) + 1)
}

test(
  `agrees with a ledger after ${sequences} random sequences of payments, seed ${seed}`,
  { tags: 'faults', timeout: 3_600_000 },
  async () => {
    const transfers = await bench.transfers()
    for (let sequence = 0; sequence < sequences; sequence += 1) {
      const story: string[] = []
      for (let count = 0; count < paymentsEach; count += 1) story.push(await pay())
      for (const { wallet } of parties) {
        const about = { sequence, story, holder: wallet.address }
        const { address } = wallet
        expect({ ...about, sent: await countSent(address) }).toEqual({ ...about, sent: counts.get(address) })
        for (const kind of kinds) {
          const asset = { address: kind.address, symbol: kind.symbol, decimals: kind.decimals }
          const shown = await transfers.getBalance(bench.network, address, asset)
          const has = { ...about, kind: kind.symbol, chain: await getChainBalance(address, kind), shown }
          expect(has).toEqual({
            ...has,
            chain: getLedgerBalance(address, kind),
            shown: getLedgerBalance(address, kind),
          })
        }
      }
    }
  },
)
