import type { Reachability } from '@latchkey/core'
import type { Dapp } from '../dapp/dapp.ts'
import type { RelayStatus } from '../relay/relayStatus.ts'
import { walletConnectError } from '../walletConnectError.ts'

/** Calls `onReach` with each change of the relay's status. */
export function reportReach({ status }: Dapp, origin: string, onReach: (reach: Reachability) => void): void {
  let isUnreachable = false
  status.subscribe((next) => {
    // A retry changes nothing for a waiting user.
    if (isUnreachable && next.state === 'connecting') return
    isUnreachable = next.state === 'waiting' || next.state === 'refused'
    onReach(toReach(next, origin))
  })
}

function toReach(status: RelayStatus, origin: string): Reachability {
  switch (status.state) {
    case 'idle':
      return { state: 'idle' }
    case 'connecting':
      return { state: 'reaching' }
    case 'open':
      return { state: 'ready' }
    case 'waiting':
      return { state: 'unreachable', error: walletConnectError('relay/unreachable', { origin }) }
    case 'refused':
      return { state: 'unreachable', error: walletConnectError('relay/refused', { reason: status.reason }) }
  }
}
