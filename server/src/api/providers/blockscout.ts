import type { TokenBalance } from '@latchkey/protocol'
import { transferKinds, type TransferKind } from '../../indexer/block.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import type { HistoryRequest } from '../history/historySource.ts'
import { ProviderUnavailableError, type ProviderFetch } from './providerFetch.ts'
import { mergeBlockLists, parseBlockCursor, type BlockList, type BlockPage } from './blockPages.ts'
import {
  toAddress,
  toAmount,
  toCount,
  toDecimals,
  toTransactionHash,
  toList,
  toFirstText,
  toTimestamp,
} from '../http/toAmount.ts'
import { getField } from '../../kit/runtime/getField.ts'
import {
  toNativeBalance,
  toNativeTransfer,
  toTokenBalances,
  type ProviderTransfer,
  type ProviderTransaction,
} from './providerTransaction.ts'

const kindOf: ReadonlyMap<unknown, TransferKind> = new Map([
  ['ERC-20', transferKinds.erc20],
  ['ERC-721', transferKinds.erc721],
  ['ERC-1155', transferKinds.erc1155],
])

/** Gets the native and ERC-20 balances of an account from Blockscout. */
export async function getBlockscoutBalances(
  fetchJson: ProviderFetch,
  provider: DataProvider,
  chain: Chain,
  account: string,
): Promise<readonly TokenBalance[]> {
  const path = `/api/v2/addresses/${account}`
  const [about, tokens] = await Promise.all([fetchJson(provider, path), fetchJson(provider, `${path}/token-balances`)])
  if (!Array.isArray(tokens)) throw new ProviderUnavailableError('blockscout sent no list of tokens.')
  const coins = getField(about, 'coin_balance')
  // The balance is null for an unknown address.
  const native = coins === null ? 0n : toAmount(coins)
  if (native === undefined) throw new ProviderUnavailableError('blockscout sent no native balance.')
  const held = toList(tokens).flatMap((each) => {
    const token = getField(each, 'token')
    const [contract, value] = [getBlockscoutTokenAddress(token), toAmount(getField(each, 'value'))]
    if (getField(token, 'type') !== 'ERC-20' || contract === undefined || value === undefined) return []
    return toTokenBalances(chain, contract, value, getBlockscoutTokenMetadata(token))
  })
  return [toNativeBalance(chain, native), ...held]
}

/** Gets a page of the history of an account from Blockscout: transactions and token transfers. */
export async function getBlockscoutPage(
  fetchJson: ProviderFetch,
  provider: DataProvider,
  { address: account, cursor, size }: Pick<HistoryRequest, 'address' | 'cursor' | 'size'>,
): Promise<BlockPage> {
  const before = parseBlockCursor(cursor)
  // Items before index 0 of a block are those of older blocks.
  const place: Record<string, string> =
    before === undefined ? {} : { block_number: String(before), index: '0', items_count: '50' }
  const listOf = async (
    name: string,
    reader: (item: unknown) => ProviderTransaction | undefined,
  ): Promise<BlockList> => {
    const response = await fetchJson(provider, `/api/v2/addresses/${account}/${name}`, place)
    const items = getField(response, 'items')
    if (!Array.isArray(items)) throw new ProviderUnavailableError('blockscout sent no list.')
    const parsed = toList(items).flatMap((item) => reader(item) ?? [])
    const more = getField(response, 'next_page_params')
    return {
      transactions: parsed.filter(({ block }) => before === undefined || block < before),
      more: more !== null && more !== undefined,
    }
  }
  return mergeBlockLists(
    await Promise.all([
      listOf('transactions', parseBlockscoutTransaction),
      listOf('token-transfers', parseBlockscoutTransfer),
    ]),
    size,
  )
}

function parseBlockscoutTransaction(item: unknown): ProviderTransaction | undefined {
  const head = parseBlockscoutHead(item, getField(item, 'hash'))
  const sender = toAddress(getField(item, 'from', 'hash'))
  if (head === undefined || sender === undefined) return undefined
  const receiver = toAddress(getField(item, 'to', 'hash')) ?? null
  const input = toFirstText(getField(item, 'raw_input'))
  return {
    ...head,
    signer: sender,
    sender,
    receiver,
    created: toAddress(getField(item, 'created_contract', 'hash')) ?? null,
    nonce: toCount(getField(item, 'nonce')) ?? 0,
    method: input !== undefined && /^0x[0-9a-f]{8}/i.test(input) ? `0x${input.slice(2, 10).toLowerCase()}` : null,
    succeeded: getField(item, 'status') !== 'error',
    transfers: toNativeTransfer(sender, receiver, toAmount(getField(item, 'value')) ?? 0n),
  }
}

function parseBlockscoutTransfer(item: unknown): ProviderTransaction | undefined {
  const head = parseBlockscoutHead(item, getField(item, 'transaction_hash') ?? getField(item, 'tx_hash'))
  const [sender, receiver] = [toAddress(getField(item, 'from', 'hash')), toAddress(getField(item, 'to', 'hash'))]
  if (head === undefined || sender === undefined || receiver === undefined) return undefined
  const common = { signer: null, nonce: 0, created: null, method: null, succeeded: true }
  return { ...head, ...common, sender, receiver, transfers: parseBlockscoutTransferRecords(item, sender, receiver) }
}

function parseBlockscoutTransferRecords(
  item: unknown,
  sender: ProviderTransfer['sender'],
  receiver: ProviderTransfer['receiver'],
): readonly ProviderTransfer[] {
  const token = getField(item, 'token')
  const [kind, contract] = [kindOf.get(getField(token, 'type')), getBlockscoutTokenAddress(token)]
  const id = toAmount(getField(item, 'total', 'token_id'))
  const value = toAmount(getField(item, 'total', 'value')) ?? (kind === transferKinds.erc721 ? 1n : undefined)
  if (kind === undefined || contract === undefined || value === undefined) return []
  const about = {
    ...getBlockscoutTokenMetadata(token),
    decimals: toDecimals(getField(item, 'total', 'decimals') ?? getField(token, 'decimals')),
  }
  const tokenId = id === undefined ? null : String(id)
  return [{ kind, token: contract, sender, receiver, tokenId, amount: String(value), about }]
}

function parseBlockscoutHead(
  item: unknown,
  id: unknown,
): Pick<ProviderTransaction, 'hash' | 'block' | 'minedAt'> | undefined {
  const block = toCount(getField(item, 'block_number') ?? getField(item, 'block'))
  const [transactionHash, minedAt] = [toTransactionHash(id), toTimestamp(getField(item, 'timestamp'))]
  // Pending transactions have neither block nor time.
  if (transactionHash === undefined || block === undefined || minedAt === undefined) return undefined
  return { hash: transactionHash, block, minedAt }
}

/** Older versions use `address` instead of `address_hash`. */
function getBlockscoutTokenAddress(token: unknown): ProviderTransfer['token'] | undefined {
  return toAddress(getField(token, 'address_hash') ?? getField(token, 'address'))
}

function getBlockscoutTokenMetadata(token: unknown): ProviderTransfer['about'] {
  return {
    name: toFirstText(getField(token, 'name')),
    symbol: toFirstText(getField(token, 'symbol')),
    decimals: toDecimals(getField(token, 'decimals')),
  }
}
