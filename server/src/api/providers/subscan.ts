import type { HistoryItem, HistoryPage, HistoryTransfer, OperationType } from '@latchkey/protocol'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import { getSs58Key } from '../../kit/chain/ss58.ts'
import { getField } from '../../kit/runtime/getField.ts'
import { toNativeHistoryTransfer } from '../history/toNativeHistoryTransfer.ts'
import { fromUnixSeconds, toAmount, toCount, toFirstText, toList } from '../http/toAmount.ts'
import { mergeBlockLists, parseBlockCursor, type BlockList } from './blockPages.ts'
import { ProviderUnavailableError, type ProviderFetch } from './providerFetch.ts'
import { cleanText } from '../tokens/abi.ts'
import { isSpam } from '../tokens/spam.ts'

/** A transfer. `amount` is in base units of the native currency, or decimal text of another asset. */
type SubscanTransfer = { from: string; to: string } & (
  | { kind: 'native'; amount: bigint }
  | { kind: 'asset'; id: string; amount: string; symbol: string | null }
)

/** A signed extrinsic, or transfers that the chain made without one. */
type SubscanTransaction = {
  /** The hash of the extrinsic. Transfers without one have the number of their event. */
  hash: string
  block: number
  minedAt: number
  nonce: number
  signer: string | undefined
  call: string | undefined
  succeeded: boolean
  transfers: readonly SubscanTransfer[]
}

const perList = 100
const operationsByCall: Readonly<Record<string, OperationType>> = {
  'staking.bond': 'stake',
  'staking.bond_extra': 'stake',
  'nominationpools.join': 'stake',
  'nominationpools.bond_extra': 'stake',
  'staking.unbond': 'unstake',
  'nominationpools.unbond': 'unstake',
  'staking.withdraw_unbonded': 'withdraw',
  'nominationpools.withdraw_unbonded': 'withdraw',
  'nominationpools.claim_payout': 'claim',
}

/**
 * Gets a page of the history of an account from Subscan (its API v2): the extrinsics that it signed, and its transfers.
 *
 * @throws ProviderUnavailableError if the service does not respond as Subscan
 */
export async function getSubscanPage(
  fetchJson: ProviderFetch,
  provider: DataProvider,
  chain: Chain,
  { address, cursor, size }: { address: string; cursor: string | undefined; size: number },
): Promise<HistoryPage> {
  const before = parseBlockCursor(cursor)
  // The first block has no transactions of accounts.
  if (before !== undefined && before <= 1) return { data: [], next: null }
  const getList = async (
    name: string,
    parse: (row: unknown) => SubscanTransaction | undefined,
  ): Promise<BlockList<SubscanTransaction>> => {
    // A range of blocks instead of a page number, because new transactions would move the pages.
    const range = before === undefined ? {} : { block_range: `0-${before - 1}` }
    const body = { address, row: perList, page: 0, ...range }
    const rows = getRows(await fetchJson(provider, `/api/v2/scan/${name}`, {}, { body }), name)
    const parsed = rows.flatMap((row) => parse(row) ?? [])
    return {
      transactions: parsed.filter(({ block }) => before === undefined || block < before),
      more: rows.length >= perList,
    }
  }
  // Extrinsics come first, because they contain more than transfers.
  const lists = await Promise.all([getList('extrinsics', parseExtrinsic), getList('transfers', parseTransfer)])
  const { transactions, before: next } = mergeBlockLists(lists, size)
  return {
    data: transactions.flatMap((each) => toPolkadotHistoryItem(chain, address, each) ?? []),
    next: next === null ? null : String(next),
  }
}

/** An error has a code other than 0, with HTTP status 200. A list without rows is null. */
function getRows(response: unknown, name: string): readonly unknown[] {
  const rows = getField(response, 'data', name)
  if (getField(response, 'code') !== 0 || (rows !== null && !Array.isArray(rows)))
    throw new ProviderUnavailableError('subscan rejected the request.')
  return toList(rows)
}

function parseHead(row: unknown): Pick<SubscanTransaction, 'block' | 'minedAt' | 'nonce'> | undefined {
  const [block, minedAt] = [toCount(getField(row, 'block_num')), fromUnixSeconds(getField(row, 'block_timestamp'))]
  if (block === undefined || minedAt === undefined) return undefined
  return { block, minedAt, nonce: toCount(getField(row, 'nonce')) ?? 0 }
}

function parseExtrinsic(row: unknown): SubscanTransaction | undefined {
  const [head, hash] = [parseHead(row), toHash(getField(row, 'extrinsic_hash'))]
  if (head === undefined || hash === undefined) return undefined
  const [module, name] = [getField(row, 'call_module'), getField(row, 'call_module_function')]
  return {
    ...head,
    hash,
    signer: toFirstText(getField(row, 'account_display', 'address'), getField(row, 'account_id')),
    call: `${String(module)}.${String(name)}`.toLowerCase(),
    succeeded: getField(row, 'success') !== false,
    transfers: [],
  }
}

function parseTransfer(row: unknown): SubscanTransaction | undefined {
  const head = parseHead(row)
  const [from, to] = [toFirstText(getField(row, 'from')), toFirstText(getField(row, 'to'))]
  const event = toCount(getField(row, 'event_idx'))
  const place = head === undefined || event === undefined ? undefined : `${head.block}-${event}`
  const hash = toHash(getField(row, 'hash')) ?? place
  if (head === undefined || from === undefined || to === undefined || hash === undefined) return undefined
  const amount = parseTransferredAmount(row)
  const transfers = amount === undefined ? [] : [{ from, to, ...amount }]
  return { ...head, hash, signer: undefined, call: undefined, succeeded: getField(row, 'success') !== false, transfers }
}

type TransferredAmount =
  | { kind: 'native'; amount: bigint }
  | { kind: 'asset'; id: string; amount: string; symbol: string | null }

function parseTransferredAmount(row: unknown): TransferredAmount | undefined {
  const type = getField(row, 'asset_type')
  if (type === undefined || type === '' || type === 'native') {
    const amount = toAmount(getField(row, 'amount_v2'))
    return amount === undefined ? undefined : { kind: 'native', amount }
  }
  const amount = getField(row, 'amount')
  if (typeof amount !== 'string' || !/^\d{1,40}(?:\.\d{1,40})?$/.test(amount)) return undefined
  const symbol = cleanText(toFirstText(getField(row, 'asset_symbol')) ?? '')
  const id = (toFirstText(getField(row, 'asset_unique_id')) ?? 'unknown')
    .replaceAll(/[^a-zA-Z0-9.-]/g, '-')
    .slice(0, 128)
  return { kind: 'asset', id, amount, symbol: symbol === '' ? null : symbol }
}

function toHash(value: unknown): string | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : undefined
}

/** Returns undefined if another account signed the transaction, and it moves nothing of this account. */
function toPolkadotHistoryItem(
  chain: Chain,
  account: string,
  transaction: SubscanTransaction,
): HistoryItem | undefined {
  // The service writes addresses in the format of the network, whatever format was requested.
  const key = getSs58Key(account)
  const isOwn = (address: string | undefined): boolean => address !== undefined && getSs58Key(address) === key
  const format = (address: string | undefined): string => (isOwn(address) ? account : (address ?? ''))
  const { hash, minedAt, nonce, signer, succeeded } = transaction
  const own = transaction.transfers.filter(({ from, to }) => isOwn(from) || isOwn(to))
  if (own.length === 0 && !isOwn(signer)) return undefined
  const transfers = succeeded ? own.map((each) => toTransfer(chain, each, isOwn)) : []
  const { caipNetworkId } = chain
  return {
    id: `${caipNetworkId}:${hash}`,
    metadata: {
      operationType: getOperation(transaction, transfers, isOwn(signer)),
      hash,
      minedAt: new Date(minedAt).toISOString(),
      sentFrom: format(signer ?? own[0]?.from),
      sentTo: format(own[0]?.to),
      status: succeeded ? 'confirmed' : 'failed',
      nonce,
      application: null,
      chain: caipNetworkId,
    },
    transfers,
  }
}

function toTransfer(chain: Chain, transfer: SubscanTransfer, isOwn: (address: string) => boolean): HistoryTransfer {
  const { from, to } = transfer
  const direction = isOwn(from) ? (isOwn(to) ? ('self' as const) : ('out' as const)) : ('in' as const)
  const counterparty = direction === 'in' ? from : to
  if (transfer.kind === 'native')
    return toNativeHistoryTransfer(chain, { direction, amount: transfer.amount, counterparty })
  const { id, amount, symbol } = transfer
  const { caipNetworkId, nativeCurrency, tokens } = chain
  // Anyone can create an asset with the symbol of the native currency.
  const isImitation = symbol?.toUpperCase() === nativeCurrency.symbol.toUpperCase()
  const flags = { is_spam: isImitation || isSpam({ name: null, symbol }, tokens) }
  return {
    // Without an address it would be the native currency, with its price.
    fungible_info: { name: null, symbol, icon: null, flags, address: `${caipNetworkId}:${id}` },
    nft_info: null,
    direction,
    counterparty,
    quantity: { numeric: amount },
    value: null,
    price: null,
  }
}

function getOperation(
  { call }: SubscanTransaction,
  transfers: readonly HistoryTransfer[],
  isSigner: boolean,
): OperationType {
  const named = call === undefined || !isSigner ? undefined : operationsByCall[call]
  if (named !== undefined) return named
  const [into, out] = [
    transfers.some(({ direction }) => direction === 'in'),
    transfers.some(({ direction }) => direction !== 'in'),
  ]
  if (into && out) return 'trade'
  if (out) return 'send'
  return into ? 'receive' : 'execute'
}
