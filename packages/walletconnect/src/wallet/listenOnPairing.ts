import type { Clock } from '@latchkey/core'
import { signMethods } from '../channel/signMethod.ts'
import { withResolvers } from '../primitives/withResolvers.ts'
import { findPairingUri } from '../session/findPairingUri.ts'
import { isPairingExpired, pairingLifetime, parsePairingUriOfAnyAge, type Pairing } from '../session/pairing.ts'
import { pairingError } from '../session/pairingError.ts'
import { endPairing, type WalletClient } from './walletClient.ts'

/** Timeout of the relay, in seconds. */
const relayTimeout = 60

/** Timeout of the first request on a pairing that looks outdated, in seconds. */
const firstRequestTimeout = 5

/** A pairing, and whether its URI looks older than its proposal can be. */
export type PairingToUse = { pairing: Pairing; isOutdated: boolean }

/**
 * Parses the text that opened a wallet. A relay stores a proposal a little longer than its pairing URI is valid. If the URI
 * looks even older, it is that old, or one of the clocks is wrong. The relay knows which.
 *
 * @param now milliseconds since the epoch
 * @throws LatchkeyError `pairing/invalid`, `pairing/expired`
 */
export function parsePairingToUse(text: string, now: number): PairingToUse {
  const pairing = parsePairingUriOfAnyAge(findPairingUri(text), now)
  const isOutdated = now / 1000 >= pairing.expiry - pairingLifetime + signMethods.wc_sessionPropose.ttl
  if (!isOutdated && isPairingExpired(pairing, now)) throw pairingError('pairing/expired', {})
  return { pairing, isOutdated }
}

/** The callbacks for the first request on a pairing, by its topic. */
export type ArrivalCallbacks = Map<string, () => void>

/**
 * Subscribes to a pairing.
 *
 * @throws LatchkeyError `relay/…`, or `pairing/expired` if an outdated pairing delivers no request
 */
export async function listenOnPairing(
  client: WalletClient & { readonly arrivals: ArrivalCallbacks },
  { pairing, isOutdated }: PairingToUse,
): Promise<void> {
  const { keyring, expiryTimers, relay, clock } = client
  const { topic, symmetricKey } = pairing
  const expiry = isOutdated ? Math.floor(clock.now() / 1000) + pairingLifetime : pairing.expiry
  keyring.holdInMemory(topic, symmetricKey)
  expiryTimers.set(topic, expiry, () => endPairing(client, topic))
  const waitForFirstRequest = isOutdated ? expectFirstRequest(client, topic) : undefined
  try {
    await relay.ready(relayTimeout)
    await relay.subscribe(topic)
    await waitForFirstRequest?.()
  } catch (error) {
    endPairing(client, topic)
    throw error
  } finally {
    client.arrivals.delete(topic)
  }
}

/** Observes a topic from now on. The returned function waits a few seconds for a request. */
function expectFirstRequest(
  { arrivals, clock }: { arrivals: ArrivalCallbacks; clock: Clock },
  topic: string,
): () => Promise<void> {
  const { promise, resolve, reject } = withResolvers<void>()
  arrivals.set(topic, resolve)
  return async () => {
    const cancel = clock.after(firstRequestTimeout * 1000, () => reject(pairingError('pairing/expired', {})))
    await promise.finally(cancel)
  }
}
