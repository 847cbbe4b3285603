import { signInWithEthereum, type Namespace, type Network, type SignInSession } from '@latchkey/protocol'
import type { OneClickSignIn } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import { policyOf } from './subject.ts'

/** A sign-in offered with the request for consent, and what to do with what comes of it. */
export type OneClick = { offer: OneClickSignIn; keep(): Promise<void> }

/**
 * Makes the sign-in that travels with a connection, where every chain can carry it [R5.2.2].
 *
 * @returns undefined where none can: the visitor is asked after connecting, as ever.
 */
export async function offerSignIn(
  latchkey: Latchkey,
  namespaces: readonly Namespace[],
  networks: readonly Network[],
): Promise<OneClick | undefined> {
  const [first] = networks
  if (first === undefined || namespaces.some((each) => each !== signInWithEthereum)) return undefined
  const policy = policyOf(latchkey)
  const signed: SignInSession[] = []
  try {
    // Who signs is not known yet: the wallet says it.
    const draft = await policy.createMessage({ chainId: first.caipNetworkId, accountAddress: '' })
    const { chainId: _, accountAddress: __, toString: ___, ...said } = draft
    const message = { ...said, chains: networks.map(({ caipNetworkId }) => caipNetworkId) }
    return {
      offer: { message, signed: (session) => void signed.push(session) },
      async keep() {
        const [one, ...more] = signed
        if (one === undefined) return
        try {
          // Sessions of one nonce can only be kept together.
          await (more.length === 0 ? policy.addSession(one) : policy.setSessions(signed))
        } catch {
          // The visitor is connected, and is asked to sign in as if nothing had been signed.
        }
      },
    }
  } catch {
    return undefined
  }
}
