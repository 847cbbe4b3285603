import { parseChainId, type HistoryItem, type HistoryTransfer, type OperationType } from '@latchkey/protocol'
import type { FastifyBaseLogger } from 'fastify'
import { createChainRpc, type ChainRpc } from '../../kit/chain/chainRpc.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { formatBaseUnits } from '../../kit/chain/formatBaseUnits.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import type { HistorySource } from '../history/historySource.ts'
import { fromUnixSeconds, toAmount } from '../http/toAmount.ts'
import { getField } from '../../kit/runtime/getField.ts'
import { getSignaturePage, type SolanaSignature } from './solanaSignatures.ts'

const transactionsPerRequest = 10

/** The change of a balance by a transaction. `mint` is undefined for the native currency. */
type BalanceChange = { mint: string | undefined; amount: bigint; decimals: number }

export type SolanaHistoryDependencies = { pools: EndpointPools; log: FastifyBaseLogger }

/** Creates the history source of Solana, which derives transfers from the balance changes of each transaction. */
export function createSolanaHistory({ pools, log }: SolanaHistoryDependencies): HistorySource {
  return {
    covers: ({ caipNetworkId }) => parseChainId(caipNetworkId).namespace === 'solana',
    async page({ chains: [chain], address, cursor, size }) {
      if (chain === undefined) return { data: [], next: null }
      const rpc = createChainRpc(pools.get(chain))
      const { signatures, next } = await getSignaturePage(rpc, { address, tokens: chain.tokens, cursor, size })
      const transactions = await getTransactions(
        rpc,
        signatures.map(({ signature }) => signature),
      )
      const items = signatures.map((signature, index) =>
        isReadable(transactions[index])
          ? toSolanaHistoryItem(signature.signature, transactions[index], address, chain)
          : toUnreadableItem(signature, address, chain),
      )
      const lost = items.filter((item) => item === 'unknown').length
      if (lost > 0)
        log.warn({ chain: chain.caipNetworkId, count: lost }, 'the node does not know transactions it listed')
      return { data: items.flatMap((item) => (item === undefined || item === 'unknown' ? [] : item)), next }
    },
  }
}

/** Some nodes list transactions that they no longer store. */
function isReadable(transaction: unknown): boolean {
  const meta = getField(transaction, 'meta')
  return meta !== undefined && meta !== null && fromUnixSeconds(getField(transaction, 'blockTime')) !== undefined
}

/** Shows that there was a transaction. Its transfers are unknown; without its time it has no place in the list. */
function toUnreadableItem(
  { signature, minedAt, failed }: SolanaSignature,
  address: string,
  chain: Chain,
): HistoryItem | 'unknown' {
  if (minedAt === undefined) return 'unknown'
  return {
    id: `${chain.caipNetworkId}:${signature}`,
    metadata: {
      operationType: 'execute',
      hash: signature,
      minedAt: new Date(minedAt).toISOString(),
      sentFrom: '',
      sentTo: address,
      status: failed ? 'failed' : 'confirmed',
      nonce: 0,
      application: null,
      chain: chain.caipNetworkId,
    },
    transfers: [],
  }
}

async function getTransactions(rpc: ChainRpc, signatures: readonly string[]): Promise<readonly unknown[]> {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  const transactions: unknown[] = []
  for (let at = 0; at < signatures.length; at += transactionsPerRequest) {
    const some = signatures.slice(at, at + transactionsPerRequest)
    transactions.push(
      ...(await rpc.tryBatch(some.map((signature) => ['getTransaction', [signature, options]] as const))),
    )
  }
  return transactions
}

function toSolanaHistoryItem(
  signature: string,
  transaction: unknown,
  address: string,
  chain: Chain,
): HistoryItem | undefined {
  const meta = getField(transaction, 'meta')
  const minedAt = fromUnixSeconds(getField(transaction, 'blockTime'))
  if (minedAt === undefined) return undefined
  const keys = getAccountKeys(transaction)
  const [payer = ''] = keys
  const failed = getField(meta, 'err') !== null && getField(meta, 'err') !== undefined
  const changes = failed ? [] : [...getNativeChange(meta, keys, address), ...getTokenChanges(meta, address)]
  // Every transaction can name any account, without its consent and without any effect on it.
  if (changes.length === 0 && !isSigner(transaction, address)) return undefined
  const transfers = changes.map((change) => toSolanaTransfer(change, chain))
  return {
    id: `${chain.caipNetworkId}:${signature}`,
    metadata: {
      operationType: toSolanaOperationType(transfers, payer === address),
      hash: signature,
      minedAt: new Date(minedAt).toISOString(),
      sentFrom: payer,
      sentTo: findReceiver(meta, keys, changes.some(({ amount }) => amount < 0n) ? address : undefined) ?? address,
      status: failed ? 'failed' : 'confirmed',
      nonce: 0,
      application: null,
      chain: chain.caipNetworkId,
    },
    transfers,
  }
}

function getAccountKeys(transaction: unknown): readonly string[] {
  const keys = getField(transaction, 'transaction', 'message', 'accountKeys')
  return (Array.isArray(keys) ? keys : []).map((key: unknown) =>
    String(typeof key === 'string' ? key : getField(key, 'pubkey')),
  )
}

function isSigner(transaction: unknown, address: string): boolean {
  const keys = getField(transaction, 'transaction', 'message', 'accountKeys')
  // The first account pays the fee, and always signs.
  return (Array.isArray(keys) ? keys : []).some(
    (key: unknown, index) =>
      (key === address || getField(key, 'pubkey') === address) && (index === 0 || getField(key, 'signer') === true),
  )
}

function getLamports(meta: unknown, name: string): readonly (bigint | undefined)[] {
  const amounts = getField(meta, name)
  return (Array.isArray(amounts) ? amounts : []).map(toAmount)
}

/** Gets the change in lamports without the fee, which is a cost and not a transfer. */
function getNativeChange(meta: unknown, keys: readonly string[], address: string): readonly BalanceChange[] {
  const index = keys.indexOf(address)
  const [before, after] = [getLamports(meta, 'preBalances')[index], getLamports(meta, 'postBalances')[index]]
  if (before === undefined || after === undefined) return []
  const fee = index === 0 ? (toAmount(getField(meta, 'fee')) ?? 0n) : 0n
  const amount = after - before + fee
  return amount === 0n ? [] : [{ mint: undefined, amount, decimals: 9 }]
}

function getTokenChanges(meta: unknown, owner: string): readonly BalanceChange[] {
  const sums = new Map<string, BalanceChange>()
  for (const [name, sign] of [
    ['preTokenBalances', -1n],
    ['postTokenBalances', 1n],
  ] as const) {
    const balances = getField(meta, name)
    for (const each of Array.isArray(balances) ? balances : []) {
      const [mint, ui] = [getField(each, 'mint'), getField(each, 'uiTokenAmount')]
      const [amount, decimals] = [toAmount(getField(ui, 'amount')), toAmount(getField(ui, 'decimals'))]
      if (getField(each, 'owner') !== owner || typeof mint !== 'string' || amount === undefined) continue
      const known = sums.get(mint)?.amount ?? 0n
      sums.set(mint, { mint, amount: known + sign * amount, decimals: Number(decimals ?? 0n) })
    }
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n)
}

/** Finds the receiver of native currency: the account that gained most. */
function findReceiver(meta: unknown, keys: readonly string[], sender: string | undefined): string | undefined {
  if (sender === undefined) return undefined
  const [before, after] = [getLamports(meta, 'preBalances'), getLamports(meta, 'postBalances')]
  const gains = keys.map((key, index) => ({ key, gain: (after[index] ?? 0n) - (before[index] ?? 0n) }))
  const best = gains.reduce((most, each) => (each.gain > most.gain ? each : most), { key: sender, gain: 0n })
  return best.gain > 0n ? best.key : undefined
}

function toSolanaOperationType(transfers: readonly HistoryTransfer[], own: boolean): OperationType {
  const [into, out] = [
    transfers.some(({ direction }) => direction === 'in'),
    transfers.some(({ direction }) => direction === 'out'),
  ]
  if (into && out) return 'trade'
  if (out) return 'send'
  if (into) return 'receive'
  return own ? 'execute' : 'receive'
}

function toSolanaTransfer(
  { mint, amount, decimals }: BalanceChange,
  { caipNetworkId, nativeCurrency, tokens }: Chain,
): HistoryTransfer {
  const token = tokens.find(({ address }) => address === mint)
  const listed = mint === undefined ? nativeCurrency : token
  const icon = token?.iconUrl === undefined || token.iconUrl === '' ? null : { url: token.iconUrl }
  return {
    fungible_info: {
      name: listed?.name ?? null,
      symbol: listed?.symbol ?? null,
      icon,
      ...(mint === undefined ? {} : { address: `${caipNetworkId}:${mint}` }),
    },
    nft_info: null,
    direction: amount > 0n ? 'in' : 'out',
    quantity: { numeric: formatBaseUnits(amount > 0n ? amount : -amount, decimals) },
    value: null,
    price: null,
  }
}
