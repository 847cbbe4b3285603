import type { Connection, Connector } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { connectionStateOf } from '../state/getAccount.ts'
import { applyGrant } from './connect.ts'
import { checkNetwork } from '../network/checkNetwork.ts'
import { addRecentWallet } from '../storage/recentWallets.ts'

/** Applies the result of a connection attempt of an earlier page, unless the user connected another wallet since. */
export async function resumeAttempt(
  latchkey: Latchkey,
  connector: Connector,
  attempt: Promise<readonly Connection[]>,
): Promise<void> {
  const [first, ...others] = await attempt.catch(() => [])
  if (first === undefined) return
  const free = latchkey.adapters
    .map(({ namespace }) => namespace)
    .filter((namespace) => connectionStateOf(latchkey, namespace).status === 'disconnected')
  if (![first, ...others].some(({ namespace }) => free.includes(namespace))) return
  applyGrant(latchkey, connector, free, [first, ...others])
  addRecentWallet(latchkey.internal.memory, { id: connector.id, name: connector.name })
  checkNetwork(latchkey)
}
