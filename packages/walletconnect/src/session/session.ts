import type { LatestIds } from './latestIds.ts'
import type { Metadata } from './metadata.ts'
import type { ProposedNamespaces, SessionNamespaces } from './sessionNamespaces.ts'
import type { ScopedProperties, SessionConfig, SessionProperties } from './sessionExtras.ts'

/** An approved connection between app and wallet. It contains no key, so it can be shown and logged. */
export type Session = {
  readonly topic: string
  /** The peer's metadata. */
  readonly peer: Metadata
  /** The namespaces that the wallet approved. */
  readonly namespaces: SessionNamespaces
  /** The namespaces that the dapp requires. Every update covers them. */
  readonly requiredNamespaces?: ProposedNamespaces
  /** The namespaces that the dapp proposed and does not require. */
  readonly optionalNamespaces: ProposedNamespaces
  readonly sessionProperties?: SessionProperties
  readonly scopedProperties?: ScopedProperties
  readonly sessionConfig?: SessionConfig
  /** The ids of the newest messages, so that older ones are refused. */
  readonly latestIds?: LatestIds
  /** The peer's universal link, in link mode. */
  readonly link?: string
  /** Unix seconds. */
  readonly expiry: number
}

/** The lifetime of a session from settlement or extension: seven days, in seconds. */
export const sessionLifetime = 604_800
