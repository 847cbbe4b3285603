import type { ChainRequest } from '../../kit/chain/chainRpc.ts'
import { getField } from '../../kit/runtime/getField.ts'
import type { Hex } from '../block.ts'
import { InvalidBlockError } from '../parseBlock.ts'
import { eventSignatures } from '../parseLog.ts'

/** A transaction that a source names: its block and its hash. */
export type TransactionReference = { block: number; hash: Hex }

export type BlockRange = { from: number; to: number }

/** Nodes accept about this many values of a topic in one request. */
export const addressesPerRequest = 500

const { transfer, approval, approvalForAll, transferSingle, transferBatch } = eventSignatures

/**
 * The positions of accounts in the topics of transfers and approvals: the sender or owner is the second topic, the receiver
 * or spender the third. ERC-1155 has its operator first, so that its accounts are the third and the fourth.
 */
const filters: readonly ((accounts: readonly string[]) => readonly unknown[])[] = [
  (accounts) => [[transfer, approval, approvalForAll], accounts],
  (accounts) => [[transfer, approval, approvalForAll, transferSingle, transferBatch], null, accounts],
  (accounts) => [[transferSingle, transferBatch], null, null, accounts],
]

/** Creates the requests for the logs of all transfers and approvals from or to addresses. */
export function createLogRequests(addresses: readonly Hex[], range: BlockRange): readonly ChainRequest[] {
  const groups = Array.from({ length: Math.ceil(addresses.length / addressesPerRequest) }, (_, index) =>
    addresses.slice(index * addressesPerRequest, (index + 1) * addressesPerRequest),
  )
  return groups.flatMap((group) => {
    const accounts = group.map(toTopic)
    return filters.map((toTopics) => createLogRequest(range, toTopics(accounts)))
  })
}

/** Creates the request for the logs of all transfers and approvals of a range, for as many addresses that filters don't pay off. */
export function createLogRequestForAll(range: BlockRange): ChainRequest {
  return createLogRequest(range, [Object.values(eventSignatures)])
}

function createLogRequest({ from, to }: BlockRange, topics: readonly unknown[]): ChainRequest {
  return ['eth_getLogs', [{ fromBlock: toQuantity(from), toBlock: toQuantity(to), topics }]]
}

/** Formats an address as a topic of a log. */
export function toTopic(address: Hex): Hex {
  return `0x${address.slice(2).padStart(64, '0')}`
}

/** Formats a number for a node. */
export function toQuantity(number: number): string {
  return `0x${number.toString(16)}`
}

/**
 * Parses the transactions of logs.
 *
 * @throws InvalidBlockError if a log is outside of the range, or has no transaction
 */
export function parseLogReferences(logs: unknown, { from, to }: BlockRange): readonly TransactionReference[] {
  if (!Array.isArray(logs)) throw new InvalidBlockError('The logs are missing.')
  return logs.map((log: unknown) => {
    const [number, hash] = [getField(log, 'blockNumber'), getField(log, 'transactionHash')]
    const block = typeof number === 'string' && /^0x[0-9a-f]{1,13}$/i.test(number) ? Number(number) : Number.NaN
    if (!(block >= from && block <= to) || typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) {
      throw new InvalidBlockError('A log belongs to another block.')
    }
    return { block, hash: `0x${hash.slice(2).toLowerCase()}` }
  })
}
