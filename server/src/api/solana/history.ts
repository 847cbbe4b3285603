import { parseChainId, type HistoryItem, type HistoryTransfer, type OperationType } from '@latchkey/protocol'
import { createChainRpc, type ChainRpc } from '../../kit/chainRpc.ts'
import type { Chain } from '../../kit/chains.ts'
import { decimal } from '../../kit/decimal.ts'
import type { Pools } from '../../kit/pools.ts'
import { Problem } from '../../kit/problem.ts'
import type { HistorySource } from '../history/historySource.ts'
import { field, readCount } from './read.ts'

const signaturePattern = /^[1-9A-HJ-NP-Za-km-z]{64,90}$/
const perQuestion = 10

/** What an account has more or less of after a transaction. */
type Change = { mint: string | undefined; amount: bigint; decimals: number }

/** Reads the history of an account of Solana from a node: each transaction by what it changed for the account. */
export function createSolanaHistory(pools: Pools): HistorySource {
  return {
    covers: ({ caipNetworkId }) => parseChainId(caipNetworkId).namespace === 'solana',
    async page({ chains: [chain], address, cursor, size }) {
      if (chain === undefined) return { data: [], next: null }
      if (cursor !== undefined && !signaturePattern.test(cursor)) {
        throw new Problem(400, 'cursor', 'This cursor was not given out here.')
      }
      const rpc = createChainRpc(pools.of(chain))
      const options = { limit: size, commitment: 'confirmed', ...(cursor === undefined ? {} : { before: cursor }) }
      const [told] = await rpc.ask([['getSignaturesForAddress', [address, options]]])
      const signatures = (Array.isArray(told) ? told : [])
        .map((each: unknown) => field(each, 'signature'))
        .filter((each): each is string => typeof each === 'string' && signaturePattern.test(each))
      const transactions = await readAll(rpc, signatures)
      return {
        data: signatures.flatMap((signature, index) => itemOf(signature, transactions[index], address, chain) ?? []),
        next: signatures.length < size ? null : (signatures.at(-1) ?? null),
      }
    },
  }
}

async function readAll(rpc: ChainRpc, signatures: readonly string[]): Promise<readonly unknown[]> {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  const read: unknown[] = []
  for (let at = 0; at < signatures.length; at += perQuestion) {
    const some = signatures.slice(at, at + perQuestion)
    read.push(...(await rpc.tryAll(some.map((signature) => ['getTransaction', [signature, options]] as const))))
  }
  return read
}

function itemOf(signature: string, told: unknown, address: string, chain: Chain): HistoryItem | undefined {
  const meta = field(told, 'meta')
  const seconds = readCount(field(told, 'blockTime'))
  if (meta === undefined || meta === null || seconds === undefined) return undefined
  const keys = accountKeys(told)
  const [payer = ''] = keys
  const failed = field(meta, 'err') !== null && field(meta, 'err') !== undefined
  const changes = failed ? [] : [...nativeChange(meta, keys, address), ...tokenChanges(meta, address)]
  const transfers = changes.map((change) => transferOf(change, chain))
  return {
    id: `${chain.caipNetworkId}:${signature}`,
    metadata: {
      operationType: operationOf(transfers, payer === address),
      hash: signature,
      minedAt: new Date(Number(seconds) * 1_000).toISOString(),
      sentFrom: payer,
      sentTo: receiverOf(meta, keys, changes.some(({ amount }) => amount < 0n) ? address : undefined) ?? address,
      status: failed ? 'failed' : 'confirmed',
      nonce: 0,
      application: null,
      chain: chain.caipNetworkId,
    },
    transfers,
  }
}

function accountKeys(told: unknown): readonly string[] {
  const keys = field(field(field(told, 'transaction'), 'message'), 'accountKeys')
  return (Array.isArray(keys) ? keys : []).map((key: unknown) =>
    String(typeof key === 'string' ? key : field(key, 'pubkey')),
  )
}

function amountsOf(meta: unknown, name: string): readonly (bigint | undefined)[] {
  const amounts = field(meta, name)
  return (Array.isArray(amounts) ? amounts : []).map(readCount)
}

/** Lamports more or less, without the fee: that is the price of the transaction, not what it moved. */
function nativeChange(meta: unknown, keys: readonly string[], address: string): readonly Change[] {
  const index = keys.indexOf(address)
  const [before, after] = [amountsOf(meta, 'preBalances')[index], amountsOf(meta, 'postBalances')[index]]
  if (before === undefined || after === undefined) return []
  const fee = index === 0 ? (readCount(field(meta, 'fee')) ?? 0n) : 0n
  const amount = after - before + fee
  return amount === 0n ? [] : [{ mint: undefined, amount, decimals: 9 }]
}

function tokenChanges(meta: unknown, owner: string): readonly Change[] {
  const sums = new Map<string, Change>()
  for (const [name, sign] of [
    ['preTokenBalances', -1n],
    ['postTokenBalances', 1n],
  ] as const) {
    const balances = field(meta, name)
    for (const each of Array.isArray(balances) ? balances : []) {
      const [mint, ui] = [field(each, 'mint'), field(each, 'uiTokenAmount')]
      const [amount, decimals] = [readCount(field(ui, 'amount')), readCount(field(ui, 'decimals'))]
      if (field(each, 'owner') !== owner || typeof mint !== 'string' || amount === undefined) continue
      const known = sums.get(mint)?.amount ?? 0n
      sums.set(mint, { mint, amount: known + sign * amount, decimals: Number(decimals ?? 0n) })
    }
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n)
}

/** Who had more of the native currency afterwards, when it was sent: the one that gained most. */
function receiverOf(meta: unknown, keys: readonly string[], sender: string | undefined): string | undefined {
  if (sender === undefined) return undefined
  const [before, after] = [amountsOf(meta, 'preBalances'), amountsOf(meta, 'postBalances')]
  const gains = keys.map((key, index) => ({ key, gain: (after[index] ?? 0n) - (before[index] ?? 0n) }))
  const best = gains.reduce((most, each) => (each.gain > most.gain ? each : most), { key: sender, gain: 0n })
  return best.gain > 0n ? best.key : undefined
}

function operationOf(transfers: readonly HistoryTransfer[], own: boolean): OperationType {
  const [into, out] = [
    transfers.some(({ direction }) => direction === 'in'),
    transfers.some(({ direction }) => direction === 'out'),
  ]
  if (into && out) return 'trade'
  if (out) return 'send'
  if (into) return 'receive'
  return own ? 'execute' : 'receive'
}

function transferOf({ mint, amount, decimals }: Change, { nativeCurrency, tokens }: Chain): HistoryTransfer {
  const token = tokens.find(({ address }) => address === mint)
  const listed = mint === undefined ? nativeCurrency : token
  const icon = token?.iconUrl === undefined || token.iconUrl === '' ? null : { url: token.iconUrl }
  return {
    fungible_info: { name: listed?.name ?? null, symbol: listed?.symbol ?? null, icon },
    nft_info: null,
    direction: amount > 0n ? 'in' : 'out',
    quantity: { numeric: decimal(amount > 0n ? amount : -amount, decimals) },
    value: null,
    price: null,
  }
}
