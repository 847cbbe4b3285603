import type { Latchkey } from '../instance/latchkey.ts'
import { accountStateOf } from '../state/getAccount.ts'

/** Reports that the active account is on an unsupported network, and that it is back on a supported one. */
export function checkNetwork(latchkey: Latchkey): void {
  const account = accountStateOf(latchkey)
  const { tasks } = latchkey.internal
  if (tasks.connectingAll > 0) return
  if (account.status !== 'connected' || (account.supported && !tasks.isUnsupportedReported)) return
  tasks.isUnsupportedReported = !account.supported
  const { caipNetworkId: chainId } = account.network
  latchkey.events.emit({ type: account.supported ? 'network-supported' : 'network-unsupported', chainId })
}
