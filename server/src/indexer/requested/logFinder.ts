import { ChainRequestError, type ChainRpc } from '../../kit/chain/chainRpc.ts'
import { RequestTooLargeError } from '../../kit/chain/postJsonRpc.ts'
import { InvalidBlockError } from '../parseBlock.ts'
import { mergeReferences, type TransactionFinder } from './transactionFinder.ts'
import { parseLogReferences } from './createLogRequests.ts'
import { createSharedLogs } from './createSharedLogs.ts'

/** Public nodes accept ranges of about this size. */
const initialWindow = 10_000
const maxWindow = 1_000_000

/**
 * Creates the source on the logs of the chain's own nodes. It knows transfers and approvals of tokens, and not payments in
 * the native currency, which have no logs. The window of blocks follows what the nodes accept.
 */
export function createLogFinder(rpc: ChainRpc): TransactionFinder {
  const requestLogs = createSharedLogs(rpc)
  let window = initialWindow
  return {
    async find(address, { from, to }) {
      for (;;) {
        const start = Math.max(from, to - window + 1)
        const range = { from: start, to }
        const size = to - start + 1
        try {
          const references = parseLogReferences(await requestLogs(address, range), range)
          if (start > from) window = Math.min(maxWindow, Math.max(window, 2 * size))
          return { references: mergeReferences(references, start), from: start }
        } catch (error) {
          if (size === 1 || error instanceof InvalidBlockError) throw error
          // Once, even if several addresses shared the request.
          window = Math.min(window, Math.max(1, Math.floor(size / 4)))
          // Nodes that did not respond may be unreachable. The next request to them covers less.
          if (!(error instanceof ChainRequestError || error instanceof RequestTooLargeError)) throw error
        }
      }
    },
  }
}
