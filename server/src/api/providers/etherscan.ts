import { parseChainId } from '@latchkey/protocol'
import { kinds, type Kind } from '../../indexer/block.ts'
import type { Chain } from '../../kit/chains.ts'
import type { Provider } from '../../kit/provider.ts'
import type { HistoryQuestion } from '../history/historySource.ts'
import { ProviderSilent, type AskProvider } from './askProvider.ts'
import { joinLists, readBefore, type BlockList, type BlockPage } from './byBlocks.ts'
import { address, amount, count, decimalsOf, hash, list, read, text } from './read.ts'
import { nativeMove, type Moved, type Told } from './told.ts'

/** Lists of `module=account`, and what they tell movements of. */
const lists: readonly (readonly [action: string, kind: Kind])[] = [
  ['txlist', kinds.native],
  ['tokentx', kinds.erc20],
  ['tokennfttx', kinds.erc721],
  ['token1155tx', kinds.erc1155],
]
const perList = 100

/** A page of history from Etherscan's API v2: transactions, and movements of the three kinds of tokens. */
export async function etherscanPage(
  ask: AskProvider,
  provider: Provider,
  chain: Chain,
  { address: account, cursor, size }: Pick<HistoryQuestion, 'address' | 'cursor' | 'size'>,
): Promise<BlockPage> {
  const before = readBefore(cursor)
  const answers = await Promise.all(
    lists.map(async ([action, kind]): Promise<BlockList> => {
      const answer = await ask(provider, '', {
        chainid: parseChainId(chain.caipNetworkId).reference,
        module: 'account',
        action,
        address: account,
        startblock: '0',
        ...(before === undefined ? {} : { endblock: String(before - 1) }),
        page: '1',
        offset: String(perList),
        sort: 'desc',
      })
      const rows = rowsOf(answer)
      return { told: rows.flatMap((row) => readRow(row, kind) ?? []), more: rows.length >= perList }
    }),
  )
  return joinLists(answers, size)
}

/** Nothing found is told as a failure with an empty list; a failure has a sentence in the place of the list. */
function rowsOf(answer: unknown): readonly unknown[] {
  const result = read(answer, 'result')
  if (!Array.isArray(result)) throw new ProviderSilent('etherscan refuses to tell.')
  return list(result)
}

function readRow(row: unknown, kind: Kind): Told | undefined {
  const [id, sender, block] = [hash(read(row, 'hash')), address(read(row, 'from')), count(read(row, 'blockNumber'))]
  const seconds = count(read(row, 'timeStamp'))
  if (id === undefined || sender === undefined || block === undefined || seconds === undefined) return undefined
  const receiver = address(read(row, 'to')) ?? null
  const told = { hash: id, block, minedAt: seconds * 1_000, nonce: count(read(row, 'nonce')) ?? 0 }
  if (kind !== kinds.native) {
    // Who sent the transaction is not told here, only whose token moved.
    return { ...told, sender, receiver, created: null, method: null, succeeded: true, moved: readMoved(row, kind) }
  }
  const method = text(read(row, 'methodId'))
  return {
    ...told,
    sender,
    receiver,
    created: receiver === null ? (address(read(row, 'contractAddress')) ?? null) : null,
    method: method !== undefined && /^0x[0-9a-f]{8}$/i.test(method) ? `0x${method.slice(2).toLowerCase()}` : null,
    succeeded: read(row, 'isError') !== '1' && read(row, 'txreceipt_status') !== '0',
    moved: nativeMove(sender, receiver, amount(read(row, 'value')) ?? 0n),
  }
}

function readMoved(row: unknown, kind: Kind): readonly Moved[] {
  const token = address(read(row, 'contractAddress'))
  const [sender, receiver] = [address(read(row, 'from')), address(read(row, 'to'))]
  const id = amount(read(row, 'tokenID'))
  const value = kind === kinds.erc721 ? 1n : amount(read(row, kind === kinds.erc1155 ? 'tokenValue' : 'value'))
  if (token === undefined || sender === undefined || receiver === undefined || value === undefined) return []
  const about = {
    name: text(read(row, 'tokenName')),
    symbol: text(read(row, 'tokenSymbol')),
    decimals: decimalsOf(read(row, 'tokenDecimal')),
  }
  return [
    { kind, token, sender, receiver, tokenId: id === undefined ? null : String(id), amount: String(value), about },
  ]
}
