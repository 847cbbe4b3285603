import type { AccountId } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { checkNetwork } from '../network/checkNetwork.ts'
import { connect, type ConnectOptions } from './connect.ts'
import { setActiveNamespace } from './setActiveNamespace.ts'

/**
 * Connects a wallet in all its namespaces, one after another, because a wallet shows one prompt at a time. If the user
 * rejects a later prompt, the earlier connections stay. The first namespace of the app that was granted becomes active.
 * A warning about the network and the request to sign in follow after the last prompt.
 *
 * @param connectorIds the connector ids of a `WalletRow`
 * @returns the granted accounts, at least one
 * @throws LatchkeyError the same codes as `connect`, if nothing was granted
 * @example
 * const [row] = listWallets(latchkey).injected
 * if (row !== undefined) await connectAll(latchkey, row.connectorIds)
 */
export async function connectAll(
  latchkey: Latchkey,
  connectorIds: readonly string[],
  options: ConnectOptions = {},
): Promise<readonly AccountId[]> {
  const { tasks } = latchkey.internal
  tasks.connectingAll += 1
  try {
    return await connectInTurn(latchkey, connectorIds, options)
  } finally {
    tasks.connectingAll -= 1
    // Subscribers now handle the changes that they skipped.
    latchkey.wallet.setState({ ...latchkey.wallet.getState() }, true)
    checkNetwork(latchkey)
  }
}

async function connectInTurn(
  latchkey: Latchkey,
  connectorIds: readonly string[],
  options: ConnectOptions,
): Promise<readonly AccountId[]> {
  const granted: AccountId[] = []
  for (const connectorId of connectorIds) {
    try {
      granted.push(await connect(latchkey, connectorId, options))
    } catch (error) {
      if (granted.length === 0) throw error
      break
    }
  }
  const first = latchkey.adapters.find(({ namespace }) =>
    granted.some((account) => account.startsWith(`${namespace}:`)),
  )
  if (first !== undefined) setActiveNamespace(latchkey, first.namespace)
  return granted
}
