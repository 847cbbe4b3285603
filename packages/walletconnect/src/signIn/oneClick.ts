import type { ConnectRequest, OneClickSignIn } from '@latchkey/core'
import { namespaceOf } from '../grants.ts'
import { signInNamespace } from '../namespaces.ts'
import type { SignInBeside } from './besideProposal.ts'
import type { Cacao } from './cacao.ts'
import { signInSessionOf } from './signInSession.ts'

/** A sign-in that an app offers along with a connection, and what comes of it. */
export type OneClick = {
  /** What goes into the proposal. */
  readonly asked: SignInBeside
  /** Hands over what was signed, once the connection stands. */
  tell(): void
}

/**
 * Puts the sign-in of a request into a proposal.
 *
 * @returns nothing unless all the chains of both are of the one namespace that knows it.
 */
export function oneClickOf(
  { message, signed }: OneClickSignIn,
  { networks }: Pick<ConnectRequest, 'networks'>,
): OneClick | undefined {
  const chains = [...networks.map(({ caipNetworkId }) => caipNetworkId), ...message.chains]
  if (chains.some((chain) => namespaceOf(chain) !== signInNamespace)) return undefined
  const taken: Cacao[] = []
  const { issuedAt: iat, expirationTime: exp, notBefore: nbf, ...said } = message
  return {
    asked: { signIn: { ...said, iat, exp, nbf }, onSignIn: (auths) => void taken.push(...auths) },
    tell: () => taken.forEach((cacao) => signed(signInSessionOf(cacao))),
  }
}
