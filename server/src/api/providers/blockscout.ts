import type { TokenBalance } from '@latchkey/protocol'
import { kinds, type Kind } from '../../indexer/block.ts'
import type { Chain } from '../../kit/chains.ts'
import type { Provider } from '../../kit/provider.ts'
import type { HistoryQuestion } from '../history/historySource.ts'
import { ProviderSilent, type AskProvider } from './askProvider.ts'
import { joinLists, readBefore, type BlockList, type BlockPage } from './byBlocks.ts'
import { address, amount, count, decimalsOf, hash, list, read, text, time } from './read.ts'
import { nativeBalance, nativeMove, tokenBalance, type Moved, type Told } from './told.ts'

const kindOf: ReadonlyMap<unknown, Kind> = new Map([
  ['ERC-20', kinds.erc20],
  ['ERC-721', kinds.erc721],
  ['ERC-1155', kinds.erc1155],
])

/** Balances from a Blockscout: the native currency, and tokens of ERC-20. */
export async function blockscoutBalances(
  ask: AskProvider,
  provider: Provider,
  chain: Chain,
  account: string,
): Promise<readonly TokenBalance[]> {
  const path = `/api/v2/addresses/${account}`
  const [about, tokens] = await Promise.all([ask(provider, path), ask(provider, `${path}/token-balances`)])
  if (!Array.isArray(tokens)) throw new ProviderSilent('blockscout tells no list of tokens.')
  const coins = read(about, 'coin_balance')
  // It tells null for an address that it never saw.
  const native = coins === null ? 0n : amount(coins)
  if (native === undefined) throw new ProviderSilent('blockscout tells no native balance.')
  const held = list(tokens).flatMap((each) => {
    const token = read(each, 'token')
    const [contract, value] = [addressOf(token), amount(read(each, 'value'))]
    if (read(token, 'type') !== 'ERC-20' || contract === undefined || value === undefined) return []
    return tokenBalance(chain, contract, value, aboutToken(token))
  })
  return [nativeBalance(chain, native), ...held]
}

/** A page of history from a Blockscout: transactions, and movements of tokens. */
export async function blockscoutPage(
  ask: AskProvider,
  provider: Provider,
  { address: account, cursor, size }: Pick<HistoryQuestion, 'address' | 'cursor' | 'size'>,
): Promise<BlockPage> {
  const before = readBefore(cursor)
  // Below the first place of a block lies what is older than the block.
  const place: Record<string, string> =
    before === undefined ? {} : { block_number: String(before), index: '0', items_count: '50' }
  const listOf = async (name: string, reader: (item: unknown) => Told | undefined): Promise<BlockList> => {
    const answer = await ask(provider, `/api/v2/addresses/${account}/${name}`, place)
    const items = read(answer, 'items')
    if (!Array.isArray(items)) throw new ProviderSilent('blockscout tells no list.')
    const told = list(items).flatMap((item) => reader(item) ?? [])
    const more = read(answer, 'next_page_params')
    return {
      told: told.filter(({ block }) => before === undefined || block < before),
      more: more !== null && more !== undefined,
    }
  }
  return joinLists(
    await Promise.all([listOf('transactions', readTransaction), listOf('token-transfers', readTransfer)]),
    size,
  )
}

function readTransaction(item: unknown): Told | undefined {
  const head = readHead(item, read(item, 'hash'))
  const sender = address(read(item, 'from', 'hash'))
  if (head === undefined || sender === undefined) return undefined
  const receiver = address(read(item, 'to', 'hash')) ?? null
  const input = text(read(item, 'raw_input'))
  return {
    ...head,
    sender,
    receiver,
    created: address(read(item, 'created_contract', 'hash')) ?? null,
    nonce: count(read(item, 'nonce')) ?? 0,
    method: input !== undefined && /^0x[0-9a-f]{8}/i.test(input) ? `0x${input.slice(2, 10).toLowerCase()}` : null,
    succeeded: read(item, 'status') !== 'error',
    moved: nativeMove(sender, receiver, amount(read(item, 'value')) ?? 0n),
  }
}

function readTransfer(item: unknown): Told | undefined {
  const head = readHead(item, read(item, 'transaction_hash') ?? read(item, 'tx_hash'))
  const [sender, receiver] = [address(read(item, 'from', 'hash')), address(read(item, 'to', 'hash'))]
  if (head === undefined || sender === undefined || receiver === undefined) return undefined
  const common = { nonce: 0, created: null, method: null, succeeded: true }
  return { ...head, ...common, sender, receiver, moved: readMoved(item, sender, receiver) }
}

function readMoved(item: unknown, sender: Moved['sender'], receiver: Moved['receiver']): readonly Moved[] {
  const token = read(item, 'token')
  const [kind, contract] = [kindOf.get(read(token, 'type')), addressOf(token)]
  const id = amount(read(item, 'total', 'token_id'))
  const value = amount(read(item, 'total', 'value')) ?? (kind === kinds.erc721 ? 1n : undefined)
  if (kind === undefined || contract === undefined || value === undefined) return []
  const about = {
    ...aboutToken(token),
    decimals: decimalsOf(read(item, 'total', 'decimals') ?? read(token, 'decimals')),
  }
  const tokenId = id === undefined ? null : String(id)
  return [{ kind, token: contract, sender, receiver, tokenId, amount: String(value), about }]
}

function readHead(item: unknown, id: unknown): Pick<Told, 'hash' | 'block' | 'minedAt'> | undefined {
  const block = count(read(item, 'block_number') ?? read(item, 'block'))
  const [told, minedAt] = [hash(id), time(read(item, 'timestamp'))]
  // What is not mined yet has neither.
  if (told === undefined || block === undefined || minedAt === undefined) return undefined
  return { hash: told, block, minedAt }
}

/** Older versions say `address` what newer ones say `address_hash`. */
function addressOf(token: unknown): Moved['token'] | undefined {
  return address(read(token, 'address_hash') ?? read(token, 'address'))
}

function aboutToken(token: unknown): Moved['about'] {
  return {
    name: text(read(token, 'name')),
    symbol: text(read(token, 'symbol')),
    decimals: decimalsOf(read(token, 'decimals')),
  }
}
