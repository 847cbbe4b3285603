import type { Connection, Connector } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import { stateOf } from '../state/wallet.ts'
import { settle } from './connect.ts'
import { guardNetwork } from './guardNetwork.ts'

/** Takes over what came of an attempt of an earlier page, where its visitor has not connected otherwise since. */
export async function finishAttempt(
  latchkey: Latchkey,
  connector: Connector,
  attempt: Promise<readonly Connection[]>,
): Promise<void> {
  const [first, ...others] = await attempt.catch(() => [])
  if (first === undefined) return
  const free = latchkey.adapters
    .map(({ namespace }) => namespace)
    .filter((namespace) => stateOf(latchkey, namespace).status === 'disconnected')
  if (![first, ...others].some(({ namespace }) => free.includes(namespace))) return
  settle(latchkey, connector, free, [first, ...others])
  latchkey.memory.addRecentWallet({ id: connector.id, name: connector.name })
  await guardNetwork(latchkey)
}
