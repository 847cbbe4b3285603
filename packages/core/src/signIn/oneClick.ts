import { signInWithEthereum, type Namespace, type Network, type SignInSession } from '@latchkey/protocol'
import type { OneClickSignIn } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { getSignInPolicy } from './subject.ts'

/** A sign-in offered with the connection request, and a function that saves its sessions. */
export type OneClick = { offer: OneClickSignIn; saveSessions(): Promise<void> }

/**
 * Creates the sign-in that is sent with a connection request, if all chains support it [R5.2.2].
 *
 * @returns undefined if a chain does not; the user is then asked after connecting
 */
export async function offerSignIn(
  latchkey: Pick<Latchkey, 'internal'>,
  namespaces: readonly Namespace[],
  networks: readonly Network[],
): Promise<OneClick | undefined> {
  const [first] = networks
  if (first === undefined || namespaces.some((each) => each !== signInWithEthereum)) return undefined
  const policy = getSignInPolicy(latchkey)
  const signed: SignInSession[] = []
  try {
    // The signer is unknown until the wallet responds.
    const draft = await policy.createMessage({ chainId: first.caipNetworkId, accountAddress: '' })
    const { chainId: _, accountAddress: __, toString: ___, ...fields } = draft
    const message = { ...fields, chains: networks.map(({ caipNetworkId }) => caipNetworkId) }
    return {
      offer: { message, signed: (session) => void signed.push(session) },
      async saveSessions() {
        const [one, ...more] = signed
        if (one === undefined) return
        try {
          // Sessions that share a nonce can only be saved together.
          await (more.length === 0 ? policy.addSession(one) : policy.setSessions(signed))
        } catch {
          // The user is connected, and is asked to sign in as if nothing had been signed.
        }
      },
    }
  } catch {
    return undefined
  }
}
