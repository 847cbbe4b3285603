import { ChainRequestError, type ChainRpc } from '../../kit/chain/chainRpc.ts'
import { RequestTooLargeError } from '../../kit/chain/postJsonRpc.ts'
import { InvalidBlockError } from '../parseBlock.ts'
import { mergeReferences, type TransactionFinder } from './transactionFinder.ts'
import { createLogRequests, parseLogReferences } from './createLogRequests.ts'

/** Public nodes accept ranges of about this size. */
const initialWindow = 10_000
const maxWindow = 1_000_000

/**
 * Creates the source on the logs of the chain's own nodes. It knows transfers and approvals of tokens, and not payments in
 * the native currency, which have no logs. The window of blocks follows what the nodes accept.
 */
export function createLogFinder(rpc: ChainRpc): TransactionFinder {
  let window = initialWindow
  return {
    async find(address, { from, to }) {
      for (;;) {
        const start = Math.max(from, to - window + 1)
        const range = { from: start, to }
        try {
          const results = await rpc.batch(createLogRequests([address], range))
          const references = results.flatMap((logs) => parseLogReferences(logs, range))
          if (start > from) window = Math.min(maxWindow, 2 * window)
          return { references: mergeReferences(references, start), from: start }
        } catch (error) {
          if (window === 1 || error instanceof InvalidBlockError) throw error
          window = Math.max(1, Math.floor(Math.min(window, to - start + 1) / 4))
          // Nodes that did not respond may be unreachable. They are asked for less the next time.
          if (!(error instanceof ChainRequestError || error instanceof RequestTooLargeError)) throw error
        }
      }
    },
  }
}
