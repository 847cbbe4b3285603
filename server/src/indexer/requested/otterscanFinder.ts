import type { ChainRpc } from '../../kit/chain/chainRpc.ts'
import { getField } from '../../kit/runtime/getField.ts'
import type { TransactionFinder } from './transactionFinder.ts'
import { parseLogReferences } from './createLogRequests.ts'

const pageSize = 50

/**
 * Creates the source on nodes with the Otterscan API (`ots_searchTransactionsBefore`), such as Erigon and anvil. They
 * search traces, so that they know payments in the native currency, even between contracts. Other nodes lack this data:
 * their result is empty.
 */
export function createOtterscanFinder(rpc: ChainRpc): TransactionFinder {
  let isSupported: boolean | undefined
  return {
    async find(address, { from, to }) {
      isSupported ??= (await rpc.tryBatch([['ots_getApiLevel', []]]))[0] !== undefined
      if (!isSupported) return { references: [], from }
      const [page] = await rpc.batch([['ots_searchTransactionsBefore', [address, to + 1, pageSize]]])
      const references = parsePage(getField(page, 'txs'), to)
      const isLast = getField(page, 'lastPage') === true || references.length === 0
      const oldest = Math.min(...references.map(({ block }) => block))
      // A page contains whole blocks.
      const start = isLast ? from : Math.max(from, oldest)
      return { references: references.filter(({ block }) => block >= start), from: start }
    },
  }
}

/** The transactions of a page have the fields of logs, with another name of their hash. */
function parsePage(transactions: unknown, to: number): ReturnType<typeof parseLogReferences> {
  const rows = Array.isArray(transactions)
    ? transactions.map((row: unknown) => ({
        blockNumber: getField(row, 'blockNumber'),
        transactionHash: getField(row, 'hash'),
      }))
    : undefined
  return parseLogReferences(rows, { from: 0, to })
}
