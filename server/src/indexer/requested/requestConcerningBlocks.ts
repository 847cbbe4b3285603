import { ChainRequestError, type ChainRequest, type ChainRpc } from '../../kit/chain/chainRpc.ts'
import { getField } from '../../kit/runtime/getField.ts'
import type { Block, Hex } from '../block.ts'
import type { RequestBlocks } from '../createBlockFetcher.ts'
import { InvalidBlockError, parseBlockHead, parseTransaction } from '../parseBlock.ts'
import { createSparseParser } from './createSparseParser.ts'
import { restrictBlock } from './restrictBlock.ts'
import {
  addressesPerRequest,
  createLogRequestForAll,
  createLogRequests,
  parseLogReferences,
  toQuantity,
} from './createLogRequests.ts'

/** Above this number of addresses, the logs of all transfers of a block are smaller than the filters. */
const maxFilteredAddresses = 4 * addressesPerRequest
/** A range is accepted up to this size, if it has only one block. */
const maxBytesPerBlock = 128 * 1024 * 1024

/**
 * Creates the requests for blocks of which only transactions with followed addresses are needed: the blocks without
 * receipts, and the logs of transfers from or to these addresses. Only the found transactions need receipts.
 *
 * Blocks and logs are in one batch, because a node that lags behind has no logs of the last blocks.
 */
export function requestConcerningBlocks(rpc: ChainRpc, followed: ReadonlySet<Hex>): RequestBlocks {
  return async (from, count) => {
    const range = { from, to: from + count - 1 }
    const numbers = Array.from({ length: count }, (_, index) => from + index)
    const { parse, restore } = createSparseParser(followed)
    let bytes = 0
    const results = await rpc.settle(
      [
        ...numbers.map((number): ChainRequest => ['eth_getBlockByNumber', [toQuantity(number), true]]),
        ...logRequests(range),
      ],
      {
        ...(count === 1 ? { maxBytes: maxBytesPerBlock } : {}),
        stopsWhenTooLarge: true,
        parse,
        onBytes: (received) => (bytes += received),
      },
    )
    const failed = results.find((result) => result instanceof ChainRequestError)
    if (failed !== undefined) throw failed
    const references = results.slice(count).flatMap((logs) => parseLogReferences(logs, range))
    const named = new Set(references.map(({ hash }) => hash))
    const blocksWithLogs = new Set(references.map(({ block }) => block))
    const blocks = numbers.map((number, index) => {
      const { transactions, ...head } = parseBlockHead(number, results[index])
      // Logs name transactions by their hashes.
      const rows = blocksWithLogs.has(number) ? transactions.map(restore) : transactions
      return { head, concerning: findConcerning(rows, named, followed) }
    })
    return { blocks: await addReceipts(blocks), bytes }
  }

  function logRequests(range: { from: number; to: number }): readonly ChainRequest[] {
    if (followed.size === 0) return []
    return followed.size > maxFilteredAddresses
      ? [createLogRequestForAll(range)]
      : createLogRequests([...followed], range)
  }

  async function addReceipts(blocks: readonly ConcerningBlock[]): Promise<readonly Block[]> {
    const wanted = blocks.flatMap(({ concerning }) => concerning)
    const receipts = await rpc.batch(wanted.map(({ hash }) => ['eth_getTransactionReceipt', [hash]]))
    const byHash = new Map(wanted.map(({ hash }, index) => [hash, receipts[index]]))
    return blocks.map(({ head, concerning }) => {
      const transactions = concerning.map(({ row, position, hash }) =>
        parseTransaction(row, byHash.get(hash), position, head.hash),
      )
      return restrictBlock({ ...head, transactions }, (address) => followed.has(address))
    })
  }
}

/** Numbers stand in for transactions that concern no address. */
function findConcerning(
  rows: readonly unknown[],
  named: ReadonlySet<Hex>,
  followed: ReadonlySet<Hex>,
): ConcerningBlock['concerning'] {
  const isFollowed = (row: unknown, field: 'from' | 'to'): boolean => {
    const address = getField(row, field)
    return typeof address === 'string' && followed.has(toLowerCaseHex(address))
  }
  return rows.flatMap((row, position) => {
    if (typeof row === 'number') return []
    const hash = toLowerCaseHex(getField(row, 'hash'))
    const isConcerned = named.has(hash) || isFollowed(row, 'from') || isFollowed(row, 'to')
    return isConcerned ? [{ row, position, hash }] : []
  })
}

type ConcerningBlock = {
  head: Omit<Block, 'transactions'>
  concerning: readonly { row: unknown; position: number; hash: Hex }[]
}

function toLowerCaseHex(value: unknown): Hex {
  if (typeof value !== 'string') throw new InvalidBlockError('A transaction has no hash.')
  return value.toLowerCase() as Hex
}
