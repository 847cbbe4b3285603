import type { PeerRequest } from '../channel/channel.ts'
import type { ProposedNamespaces } from '../session/sessionNamespaces.ts'
import type { ScopedProperties, SessionProperties } from '../session/sessionExtras.ts'

/** The content of a proposal. */
export type SessionProposalOptions = {
  /** The wallet approves all, some or none of them. */
  readonly namespaces: ProposedNamespaces
  /** A wallet that does not cover them cannot approve the session. */
  readonly requiredNamespaces?: ProposedNamespaces
  readonly sessionProperties?: SessionProperties
  /** The keys are among the namespaces. */
  readonly scopedProperties?: ScopedProperties
  /** Requests in addition to the session. */
  readonly requests?: object
  /** Checks a settlement before it is accepted. Rejects the settlement by throwing. */
  accept?(params: PeerRequest['params']): Promise<void>
}
