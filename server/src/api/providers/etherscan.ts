import { parseChainId } from '@latchkey/protocol'
import { transferKinds, type TransferKind } from '../../indexer/block.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import type { HistoryRequest } from '../history/historySource.ts'
import { ProviderUnavailableError, type ProviderFetch } from './providerFetch.ts'
import { mergeBlockLists, parseBlockCursor, type BlockList, type BlockPage } from './blockPages.ts'
import {
  fromUnixSeconds,
  toAddress,
  toAmount,
  toCount,
  toDecimals,
  toTransactionHash,
  toList,
  toFirstText,
} from '../http/toAmount.ts'
import { getField } from '../../kit/runtime/getField.ts'
import { toNativeTransfer, type ProviderTransfer, type ProviderTransaction } from './providerTransaction.ts'

/** The lists of `module=account`, with the kind of their transfers. */
const lists: readonly (readonly [action: string, kind: TransferKind])[] = [
  ['txlist', transferKinds.native],
  ['tokentx', transferKinds.erc20],
  ['tokennfttx', transferKinds.erc721],
  ['token1155tx', transferKinds.erc1155],
]
const perList = 100

/** Gets a page of the history of an account from Etherscan's API v2: transactions, and transfers of ERC-20, ERC-721 and ERC-1155. */
export async function getEtherscanPage(
  fetchJson: ProviderFetch,
  provider: DataProvider,
  chain: Chain,
  { address: account, cursor, size }: Pick<HistoryRequest, 'address' | 'cursor' | 'size'>,
): Promise<BlockPage> {
  const before = parseBlockCursor(cursor)
  const responses = await Promise.all(
    lists.map(async ([action, kind]): Promise<BlockList> => {
      const response = await fetchJson(provider, '', {
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
      const rows = getResultRows(response)
      return { transactions: rows.flatMap((row) => parseEtherscanRow(row, kind) ?? []), more: rows.length >= perList }
    }),
  )
  return mergeBlockLists(responses, size)
}

/** An empty result is reported as a failure with an empty list. A real failure has a text instead of the list. */
function getResultRows(response: unknown): readonly unknown[] {
  const result = getField(response, 'result')
  if (!Array.isArray(result)) throw new ProviderUnavailableError('etherscan rejected the request.')
  return toList(result)
}

function parseEtherscanRow(row: unknown, kind: TransferKind): ProviderTransaction | undefined {
  const [id, sender, block] = [
    toTransactionHash(getField(row, 'hash')),
    toAddress(getField(row, 'from')),
    toCount(getField(row, 'blockNumber')),
  ]
  const minedAt = fromUnixSeconds(getField(row, 'timeStamp'))
  if (id === undefined || sender === undefined || block === undefined || minedAt === undefined) return undefined
  const receiver = toAddress(getField(row, 'to')) ?? null
  const common = { hash: id, block, minedAt, nonce: toCount(getField(row, 'nonce')) ?? 0 }
  if (kind !== transferKinds.native) {
    // Lists of token transfers name the sender of the token, not of the transaction.
    return {
      ...common,
      signer: null,
      sender,
      receiver,
      created: null,
      method: null,
      succeeded: true,
      transfers: parseEtherscanTransfers(row, kind),
    }
  }
  const method = toFirstText(getField(row, 'methodId'))
  return {
    ...common,
    signer: sender,
    sender,
    receiver,
    created: receiver === null ? (toAddress(getField(row, 'contractAddress')) ?? null) : null,
    method: method !== undefined && /^0x[0-9a-f]{8}$/i.test(method) ? `0x${method.slice(2).toLowerCase()}` : null,
    succeeded: getField(row, 'isError') !== '1' && getField(row, 'txreceipt_status') !== '0',
    transfers: toNativeTransfer(sender, receiver, toAmount(getField(row, 'value')) ?? 0n),
  }
}

function parseEtherscanTransfers(row: unknown, kind: TransferKind): readonly ProviderTransfer[] {
  const token = toAddress(getField(row, 'contractAddress'))
  const [sender, receiver] = [toAddress(getField(row, 'from')), toAddress(getField(row, 'to'))]
  const id = toAmount(getField(row, 'tokenID'))
  const value =
    kind === transferKinds.erc721
      ? 1n
      : toAmount(getField(row, kind === transferKinds.erc1155 ? 'tokenValue' : 'value'))
  if (token === undefined || sender === undefined || receiver === undefined || value === undefined) return []
  const about = {
    name: toFirstText(getField(row, 'tokenName')),
    symbol: toFirstText(getField(row, 'tokenSymbol')),
    decimals: toDecimals(getField(row, 'tokenDecimal')),
  }
  return [
    { kind, token, sender, receiver, tokenId: id === undefined ? null : String(id), amount: String(value), about },
  ]
}
