import type { PeerRequest } from '../channel/channel.ts'
import { peerErrors } from '../channel/peerError.ts'
import type { SignClient } from '../channel/signClient.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import { pairingLifetime } from './pairing.ts'

/** Ends and extends the pairings of one side. */
export type PairingActions = {
  end(topic: string): void
  /** @param expiry Unix seconds */
  extend(topic: string, expiry: number): void
}

/**
 * Handles a request for a pairing itself: `wc_pairingPing`, `wc_pairingDelete` or `wc_pairingExtend`. The key of a pairing
 * is in its URI, so any reader of the URI can send them. Ignores other methods, and topics without a key.
 */
export function receivePairingRequest(
  { channel, clock, keyring }: Pick<SignClient, 'channel' | 'clock' | 'keyring'>,
  pairings: PairingActions,
  request: PeerRequest,
): void {
  const { topic, method, params } = request
  // Messages in link mode arrive without a key.
  if (keyring.get(topic) === undefined) return
  if (method === 'wc_pairingPing') runInBackground(channel.respond(request, true))
  if (method === 'wc_pairingDelete') {
    // Before the end, which removes the key.
    runInBackground(channel.respond(request, true))
    pairings.end(topic)
  }
  if (method !== 'wc_pairingExtend') return
  const now = Math.floor(clock.now() / 1000)
  const { expiry } = params
  if (typeof expiry !== 'number' || !(expiry > now)) {
    return runInBackground(channel.reject(request, peerErrors.invalidExtend))
  }
  pairings.extend(topic, Math.min(expiry, now + pairingLifetime))
  runInBackground(channel.respond(request, true))
}
