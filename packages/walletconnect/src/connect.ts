import type { Network } from '@latchkey/protocol'
import { proposedNamespaces, type ProposedNamespaces } from './grants.ts'
import { showLinks, type LinkParts } from './links.ts'
import { propose, type Proposer } from './propose.ts'
import type { Session } from './session.ts'

export type ConnectParts = LinkParts & {
  /** What is asked for, in the words that this package has for it … */
  networks?: readonly Network[]
  /** … or in the app's own, which count instead. */
  namespaces?: ProposedNamespaces
}

/**
 * Shows pairing links until a wallet settles a session through one of them.
 *
 * @throws LatchkeyError `connection/rejected`, `connection/aborted`, `connection/timed-out`, `session/invalid`,
 * `relay/refused`, `relay/unreachable` after four minutes without a relay, or `request/failed` with the wallet's code.
 */
export function connectSession(proposer: Proposer, { networks = [], ...asked }: ConnectParts): Promise<Session> {
  const namespaces = asked.namespaces ?? proposedNamespaces(networks)
  return showLinks(proposer, asked, () => propose(proposer, { namespaces }))
}
