import type { ConnectRequest, OneClickSignIn } from '@latchkey/core'
import { signInNamespace } from '../../session/namespaceScopes.ts'
import { namespaceOfId } from '../../session/sessionNamespaces.ts'
import type { Cacao } from '../cacao.ts'
import { toSignInSession } from '../toSignInSession.ts'
import type { ProposedSignIn } from './proposedSignIn.ts'

/** A sign-in that an app offers with a connection. */
export type OneClickSignInProposal = {
  /** The options for the proposal. */
  readonly proposed: ProposedSignIn
  /** Passes the signed sign-ins to the app, after the connection is established. */
  report(): void
}

/**
 * Creates the proposal of a sign-in.
 *
 * @returns `undefined` unless all chains of both requests belong to the namespace that supports it
 */
export function createOneClickSignIn(
  { message, signed }: OneClickSignIn,
  { networks }: Pick<ConnectRequest, 'networks'>,
): OneClickSignInProposal | undefined {
  const chains = [...networks.map(({ caipNetworkId }) => caipNetworkId), ...message.chains]
  if (chains.some((chain) => namespaceOfId(chain) !== signInNamespace)) return undefined
  const cacaos: Cacao[] = []
  const { issuedAt: iat, expirationTime: exp, notBefore: nbf, ...content } = message
  return {
    proposed: { signIn: { ...content, iat, exp, nbf }, onSignIn: (auths) => void cacaos.push(...auths) },
    report: () => cacaos.forEach((cacao) => signed(toSignInSession(cacao))),
  }
}
