import type { Clock } from '@latchkey/core'
import { walletConnectError } from './errors.ts'
import { messageKinds } from './messages.ts'
import { isExpired, pairingLifetime, readPairingUri, type Pairing } from './pairing.ts'
import { pairingUriIn } from './pairingLink.ts'
import { withResolvers } from './promise.ts'
import { endPairing, type WalletPeer } from './walletReceiver.ts'

/** How long a relay is tried when a link is taken up, in seconds. */
const relayPatience = 60

/** How long a link that looks old may take to prove that it is not, in seconds. */
const doubtPatience = 5

/**
 * Reads what a wallet was opened with. A relay keeps a proposal a little longer than its link counts; a link that looks
 * even older is either that old, or somebody's clock is wrong: the relay knows.
 *
 * @param now milliseconds since the epoch
 * @throws LatchkeyError `pairing/invalid` or `pairing/expired`.
 */
export function readPairing(text: string, now: number): { pairing: Pairing; isDoubtful: boolean } {
  const pairing = readPairingUri(pairingUriIn(text), now)
  const isDoubtful = now / 1000 >= pairing.expiry - pairingLifetime + messageKinds.wc_sessionPropose.ttl
  if (!isDoubtful && isExpired(pairing, now)) throw walletConnectError('pairing/expired', {})
  return { pairing, isDoubtful }
}

/** Who waits for the first request on a pairing, by its topic. */
export type Arrivals = Map<string, () => void>

/**
 * Listens on a pairing.
 *
 * @throws LatchkeyError `relay/…`, or `pairing/expired` when nothing comes of a doubtful one.
 */
export async function listenOnPairing(
  peer: WalletPeer & { readonly arrivals: Arrivals },
  { pairing, isDoubtful }: ReturnType<typeof readPairing>,
): Promise<void> {
  const { keyring, expirer, relay, clock } = peer
  const { topic, symmetricKey } = pairing
  const expiry = isDoubtful ? Math.floor(clock.now() / 1000) + pairingLifetime : pairing.expiry
  keyring.hold(topic, symmetricKey)
  expirer.at(topic, expiry, () => endPairing(peer, topic))
  const proof = isDoubtful ? firstRequest(peer, topic) : undefined
  try {
    await relay.ready(relayPatience)
    await relay.subscribe(topic)
    await proof?.()
  } catch (error) {
    endPairing(peer, topic)
    throw error
  } finally {
    peer.arrivals.delete(topic)
  }
}

/** Follows a topic from now on; the returned function waits a few seconds for something to have come. */
function firstRequest({ arrivals, clock }: { arrivals: Arrivals; clock: Clock }, topic: string): () => Promise<void> {
  const { promise, resolve, reject } = withResolvers<void>()
  arrivals.set(topic, resolve)
  return async () => {
    const cancel = clock.after(doubtPatience * 1000, () => reject(walletConnectError('pairing/expired', {})))
    await promise.finally(cancel)
  }
}
