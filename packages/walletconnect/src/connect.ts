import type { Network } from '@latchkey/protocol'
import { proposedNamespaces, type ProposedNamespaces } from './grants.ts'
import { showLinks, type LinkParts } from './links.ts'
import { propose, type Proposed, type Proposer } from './propose.ts'
import type { Session } from './session.ts'
import type { SignInBeside } from './signIn/besideProposal.ts'
import type { VerifyContract } from './signIn/checkSignIn.ts'

export type ConnectParts = LinkParts &
  Partial<SignInBeside> & {
    /** What is asked for, in the words that this package has for it … */
    networks?: readonly Network[]
    /** … or in the app's own, which count instead. */
    namespaces?: ProposedNamespaces
  } & Pick<Proposed, 'sessionProperties' | 'scopedProperties'>

/**
 * Shows pairing links until a wallet settles a session through one of them.
 *
 * @throws LatchkeyError `connection/rejected`, `connection/aborted`, `connection/timed-out`, `session/invalid`,
 * `relay/refused`, `relay/unreachable` after four minutes without a relay, or `request/failed` with the wallet's code.
 */
export async function connectSession(
  proposer: Proposer,
  { networks = [], signIn, onSignIn, ...asked }: ConnectParts,
  verifyContract?: VerifyContract,
): Promise<Session> {
  const { namespaces = proposedNamespaces(networks), sessionProperties, scopedProperties } = asked
  const session: Proposed = { namespaces, sessionProperties, scopedProperties }
  if (signIn === undefined) return showLinks(proposer, asked, () => propose(proposer, session))
  const { proposedWith } = await import('./signIn/dappSide.ts')
  const both = { ...session, ...proposedWith(proposer, namespaces, { signIn, onSignIn }, verifyContract) }
  return showLinks(proposer, asked, () => propose(proposer, both))
}
