import type { TokenBalance } from '@latchkey/protocol'
import { kinds } from '../../indexer/block.ts'
import { readLog } from '../../indexer/readLog.ts'
import type { Chain } from '../../kit/chains.ts'
import type { Provider } from '../../kit/provider.ts'
import type { HistoryQuestion } from '../history/historySource.ts'
import { ProviderSilent, type AskProvider } from './askProvider.ts'
import { address, amount, count, decimalsOf, hash, list, read, text, time } from './read.ts'
import { nativeBalance, nativeMove, tokenBalance, type Moved, type Told } from './told.ts'

/** Balances from GoldRush: the native currency, and tokens that it does not take for lures. */
export async function goldrushBalances(
  ask: AskProvider,
  provider: Provider,
  chain: Chain,
  account: string,
): Promise<readonly TokenBalance[]> {
  const path = `/${provider.network ?? ''}/address/${account}/balances_v2/`
  const items = itemsOf(await ask(provider, path, { 'no-spam': 'true' }))
  const native = items.find((item) => read(item, 'native_token') === true)
  const held = items.flatMap((item) => {
    const [contract, value] = [address(read(item, 'contract_address')), amount(read(item, 'balance'))]
    if (item === native || contract === undefined || value === undefined) return []
    if (read(item, 'type') === 'nft' || read(item, 'is_spam') === true) return []
    return tokenBalance(chain, contract, value, {
      name: text(read(item, 'contract_name')),
      symbol: text(read(item, 'contract_ticker_symbol')),
      decimals: decimalsOf(read(item, 'contract_decimals')),
    })
  })
  return [nativeBalance(chain, amount(read(native, 'balance')) ?? 0n), ...held]
}

/** A page of history from GoldRush, whose pages have numbers: the newest the highest. */
export async function goldrushPage(
  ask: AskProvider,
  provider: Provider,
  { address: account, cursor }: Pick<HistoryQuestion, 'address' | 'cursor'>,
): Promise<{ told: readonly Told[]; next: string | null }> {
  const page = cursor !== undefined && /^\d{1,9}$/.test(cursor) ? `page/${cursor}/` : ''
  const answer = await ask(provider, `/${provider.network ?? ''}/address/${account}/transactions_v3/${page}`)
  const told = itemsOf(answer).flatMap((item) => readTransaction(item) ?? [])
  const current = count(read(answer, 'data', 'current_page'))
  const hasOlder = text(read(answer, 'data', 'links', 'prev')) !== undefined
  return {
    told: told.toSorted((a, b) => b.block - a.block || b.minedAt - a.minedAt),
    next: hasOlder && current !== undefined && current > 0 ? String(current - 1) : null,
  }
}

function itemsOf(answer: unknown): readonly unknown[] {
  const items = read(answer, 'data', 'items')
  if (read(answer, 'error') === true || !Array.isArray(items)) throw new ProviderSilent('goldrush refuses to tell.')
  return list(items)
}

function readTransaction(item: unknown): Told | undefined {
  const [id, sender, block] = [
    hash(read(item, 'tx_hash')),
    address(read(item, 'from_address')),
    count(read(item, 'block_height')),
  ]
  const minedAt = time(read(item, 'block_signed_at'))
  if (id === undefined || sender === undefined || block === undefined || minedAt === undefined) return undefined
  const receiver = address(read(item, 'to_address')) ?? null
  return {
    hash: id,
    block,
    minedAt,
    sender,
    receiver,
    created: null,
    nonce: 0,
    method: null,
    succeeded: read(item, 'successful') !== false,
    moved: [
      ...nativeMove(sender, receiver, amount(read(item, 'value')) ?? 0n),
      ...list(read(item, 'log_events')).flatMap(readEvent),
    ],
  }
}

/** Logs come as the chain wrote them, so they are read as those of the chain are. */
function readEvent(event: unknown): readonly Moved[] {
  const log = {
    address: read(event, 'sender_address'),
    topics: read(event, 'raw_log_topics'),
    data: read(event, 'raw_log_data') ?? '0x',
  }
  const about = {
    name: text(read(event, 'sender_name')),
    symbol: text(read(event, 'sender_contract_ticker_symbol')),
    decimals: decimalsOf(read(event, 'sender_contract_decimals')),
  }
  return readLog(log).map(({ tokenId, amount: moved, kind, ...rest }) => ({
    ...rest,
    kind,
    tokenId: tokenId === undefined || kind === kinds.erc20 ? null : String(tokenId),
    amount: String(moved),
    about,
  }))
}
