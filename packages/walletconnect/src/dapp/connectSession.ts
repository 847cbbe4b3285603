import type { Network } from '@latchkey/protocol'
import type { Session } from '../session/session.ts'
import { parseProposedNamespaces, proposeNamespaces, type ProposedNamespaces } from '../session/sessionNamespaces.ts'
import type { VerifyContract } from '../signIn/checkSignIn.ts'
import type { ProposedSignIn } from '../signIn/dapp/proposedSignIn.ts'
import type { DappClient } from './dappClient.ts'
import { proposeSession } from './proposeSession.ts'
import type { SessionProposalOptions } from './sessionProposalOptions.ts'
import { showPairingUris, type PairingUriOptions } from './showPairingUris.ts'

export type SessionConnectOptions = PairingUriOptions &
  Partial<ProposedSignIn> & {
    /** The app's networks. Their default methods and events are proposed. */
    networks?: readonly Network[]
    /** The proposed namespaces. Replaces `networks`. */
    namespaces?: ProposedNamespaces
  } & Pick<SessionProposalOptions, 'requiredNamespaces' | 'sessionProperties' | 'scopedProperties'>

/**
 * Shows pairing URIs until a wallet settles a session through one of them.
 *
 * @throws LatchkeyError `connection/rejected`, `connection/aborted`, `connection/timed-out`, `session/invalid`,
 * `request/failed` with the wallet's code, `relay/refused`, `relay/unreachable` after four minutes without a relay
 */
export async function connectSession(
  client: DappClient,
  { networks = [], signIn, onSignIn, ...options }: SessionConnectOptions,
  verifyContract?: VerifyContract,
): Promise<Session> {
  const { namespaces = proposeNamespaces(networks), sessionProperties, scopedProperties } = options
  const requiredNamespaces = parseProposedNamespaces(options.requiredNamespaces ?? {})
  const proposal: SessionProposalOptions = { namespaces, requiredNamespaces, sessionProperties, scopedProperties }
  if (signIn === undefined) return showPairingUris(client, options, () => proposeSession(client, proposal))
  const { proposeWithSignIn } = await import('../signIn/dapp/index.ts')
  const withSignIn = { ...proposal, ...proposeWithSignIn(client, namespaces, { signIn, onSignIn }, verifyContract) }
  return showPairingUris(client, options, () => proposeSession(client, withSignIn))
}
