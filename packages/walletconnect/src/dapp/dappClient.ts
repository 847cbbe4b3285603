import type { PeerRequest } from '../channel/channel.ts'
import type { SignClient } from '../channel/signClient.ts'
import type { ActiveSessions } from '../session/activeSessions.ts'
import type { PendingProposals } from './pendingProposals.ts'

/** The components of a dapp. */
export type DappClient = SignClient & {
  readonly activeSessions: ActiveSessions
  /** The handlers of expected settlements, by session topic. */
  readonly settlements: Map<string, (request: PeerRequest) => void>
  readonly pendingProposals: PendingProposals
  /** The handlers of pairings that the wallet deletes, by pairing topic. */
  readonly pairingEnds: Map<string, () => void>
}
