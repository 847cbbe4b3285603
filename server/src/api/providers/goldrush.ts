import type { TokenBalance } from '@latchkey/protocol'
import { transferKinds } from '../../indexer/block.ts'
import { parseLog } from '../../indexer/parseLog.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import type { HistoryRequest } from '../history/historySource.ts'
import { ProviderUnavailableError, type ProviderFetch } from './providerFetch.ts'
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

/** Gets the native and token balances of an account from GoldRush, without tokens that GoldRush reports as spam. */
export async function getGoldrushBalances(
  fetchJson: ProviderFetch,
  provider: DataProvider,
  chain: Chain,
  account: string,
): Promise<readonly TokenBalance[]> {
  const path = `/${provider.network ?? ''}/address/${account}/balances_v2/`
  const items = getGoldrushItems(await fetchJson(provider, path, { 'no-spam': 'true' }))
  const native = items.find((item) => getField(item, 'native_token') === true)
  const held = items.flatMap((item) => {
    const [contract, value] = [toAddress(getField(item, 'contract_address')), toAmount(getField(item, 'balance'))]
    if (item === native || contract === undefined || value === undefined) return []
    if (getField(item, 'type') === 'nft' || getField(item, 'is_spam') === true) return []
    return toTokenBalances(chain, contract, value, {
      name: toFirstText(getField(item, 'contract_name')),
      symbol: toFirstText(getField(item, 'contract_ticker_symbol')),
      decimals: toDecimals(getField(item, 'contract_decimals')),
    })
  })
  return [toNativeBalance(chain, toAmount(getField(native, 'balance')) ?? 0n), ...held]
}

/** Gets a page of the history of an account from GoldRush. Pages are numbered; the newest has the highest number. */
export async function getGoldrushPage(
  fetchJson: ProviderFetch,
  provider: DataProvider,
  { address: account, cursor }: Pick<HistoryRequest, 'address' | 'cursor'>,
): Promise<{ transactions: readonly ProviderTransaction[]; next: string | null }> {
  const page = cursor !== undefined && /^\d{1,9}$/.test(cursor) ? `page/${cursor}/` : ''
  const response = await fetchJson(provider, `/${provider.network ?? ''}/address/${account}/transactions_v3/${page}`)
  const transactions = getGoldrushItems(response).flatMap((item) => parseGoldrushTransaction(item) ?? [])
  const current = toCount(getField(response, 'data', 'current_page'))
  const hasOlder = toFirstText(getField(response, 'data', 'links', 'prev')) !== undefined
  return {
    transactions: transactions.toSorted((a, b) => b.block - a.block || b.minedAt - a.minedAt),
    next: hasOlder && current !== undefined && current > 0 ? String(current - 1) : null,
  }
}

function getGoldrushItems(response: unknown): readonly unknown[] {
  const items = getField(response, 'data', 'items')
  if (getField(response, 'error') === true || !Array.isArray(items))
    throw new ProviderUnavailableError('goldrush rejected the request.')
  return toList(items)
}

function parseGoldrushTransaction(item: unknown): ProviderTransaction | undefined {
  const [id, sender, block] = [
    toTransactionHash(getField(item, 'tx_hash')),
    toAddress(getField(item, 'from_address')),
    toCount(getField(item, 'block_height')),
  ]
  const minedAt = toTimestamp(getField(item, 'block_signed_at'))
  if (id === undefined || sender === undefined || block === undefined || minedAt === undefined) return undefined
  const receiver = toAddress(getField(item, 'to_address')) ?? null
  return {
    hash: id,
    block,
    minedAt,
    signer: sender,
    sender,
    receiver,
    created: null,
    nonce: 0,
    method: null,
    succeeded: getField(item, 'successful') !== false,
    transfers: [
      ...toNativeTransfer(sender, receiver, toAmount(getField(item, 'value')) ?? 0n),
      ...toList(getField(item, 'log_events')).flatMap(parseGoldrushEvent),
    ],
  }
}

/** Events contain the raw log, so they are parsed like logs of the chain. */
function parseGoldrushEvent(event: unknown): readonly ProviderTransfer[] {
  const log = {
    address: getField(event, 'sender_address'),
    topics: getField(event, 'raw_log_topics'),
    data: getField(event, 'raw_log_data') ?? '0x',
  }
  const about = {
    name: toFirstText(getField(event, 'sender_name')),
    symbol: toFirstText(getField(event, 'sender_contract_ticker_symbol')),
    decimals: toDecimals(getField(event, 'sender_contract_decimals')),
  }
  return parseLog(log).map(({ tokenId, amount, kind, ...rest }) => ({
    ...rest,
    kind,
    tokenId: tokenId === undefined || kind === transferKinds.erc20 ? null : String(tokenId),
    amount: String(amount),
    about,
  }))
}
