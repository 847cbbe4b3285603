import type { ChainRpc } from '../../kit/chain/chainRpc.ts'
import { getField } from '../../kit/runtime/getField.ts'
import type { Hex } from '../block.ts'
import { InvalidBlockError } from '../parseBlock.ts'
import { createLogRequests, toTopic, type BlockRange } from './createLogRequests.ts'

/** Requests the logs of transfers and approvals from or to an address. */
export type RequestLogs = (address: Hex, range: BlockRange) => Promise<readonly unknown[]>

type Shared = { addresses: Set<Hex>; logs: Promise<readonly unknown[]> }

/**
 * Creates the requests for logs. Those of the same range that begin at the same time share one request to the node, because
 * addresses that were requested together have the same gap.
 */
export function createSharedLogs(rpc: ChainRpc): RequestLogs {
  const open = new Map<string, Shared>()

  async function send(key: string, addresses: ReadonlySet<Hex>, range: BlockRange): Promise<readonly unknown[]> {
    // All that begin now join before it is sent.
    await Promise.resolve()
    open.delete(key)
    const results = await rpc.batch(createLogRequests([...addresses], range))
    return results.flatMap((logs) => {
      if (!Array.isArray(logs)) throw new InvalidBlockError('The logs are missing.')
      return logs as readonly unknown[]
    })
  }

  return async (address, range) => {
    const key = `${range.from}/${range.to}`
    let shared = open.get(key)
    if (shared === undefined) {
      const addresses = new Set<Hex>()
      shared = { addresses, logs: send(key, addresses, range) }
      open.set(key, shared)
    }
    shared.addresses.add(address)
    const logs = await shared.logs
    return shared.addresses.size === 1 ? logs : logs.filter((log) => hasAccount(log, address))
  }
}

/** Compares whole topics: a token id may end like an address. */
function hasAccount(log: unknown, address: Hex): boolean {
  const topics = getField(log, 'topics')
  const account = toTopic(address)
  return (
    Array.isArray(topics) &&
    topics.slice(1).some((topic: unknown) => typeof topic === 'string' && topic.toLowerCase() === account)
  )
}
