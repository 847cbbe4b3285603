import { isLatchkeyError, type LatchkeyError, connectionError } from '@latchkey/protocol'
import type { ExchangeOptions } from '../channel/channel.ts'
import { isRejectionCode } from '../channel/peerError.ts'
import { signMethods } from '../channel/signMethod.ts'
import { bytesToHex, randomBytes } from '../crypto/bytes.ts'
import { createKeyPair } from '../crypto/createKeyPair.ts'
import type { KeyPair } from '../crypto/curves.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import { createPairing, formatPairingUri } from '../session/pairing.ts'
import type { Session } from '../session/session.ts'
import { parseScopedProperties } from '../session/sessionExtras.ts'
import type { DappClient } from './dappClient.ts'
import type { SessionProposalOptions } from './sessionProposalOptions.ts'
import { settleSession, unnamedWallet } from './settleSession.ts'
import type { PairingOffer } from './showPairingUris.ts'

/**
 * Publishes a proposal on a new pairing. `settled` waits for the wallet, for the TTL of the proposal. It resolves to the
 * settled session, or rejects with `connection/rejected`, `connection/timed-out`, `session/invalid`, `request/failed` (the
 * wallet's code) or `request/expired`.
 *
 * @throws LatchkeyError `relay/unreachable`, `relay/refused` or `request/failed` if it cannot be published
 */
export async function proposeSession(
  client: DappClient,
  options: SessionProposalOptions,
): Promise<PairingOffer<Session>> {
  const { relay, keyring, clock, channel, pairingEnds, pendingProposals } = client
  const privateKey = randomBytes(32)
  const keys = await createKeyPair(privateKey)
  const pairing = createPairing(clock.now())
  const { topic, symmetricKey } = pairing
  keyring.holdInMemory(topic, symmetricKey)
  const proposal = publishSessionProposal(client, topic, keys, options, (message, sending) =>
    relay.proposeSession(topic, message, sending),
  )
  // A wallet that deletes the pairing will not respond.
  pairingEnds.set(topic, () => channel.interrupt(createRejectedError(), topic))
  const cancel = (): void => {
    proposal.cancel()
    pairingEnds.delete(topic)
    pendingProposals.remove(topic)
    relay.unsubscribe(topic)
    keyring.remove(topic)
  }
  try {
    await proposal.published
  } catch (error) {
    cancel()
    throw error
  }
  // A later page cannot handle the responses to other requests.
  if (options.requests === undefined) {
    const { id, expiry } = proposal
    const { namespaces, requiredNamespaces } = options
    pendingProposals.add({ id, topic, symmetricKey, privateKey, namespaces, requiredNamespaces, expiry })
  }
  return { uri: formatPairingUri(pairing), settled: proposal.settled, cancel }
}

/** A proposal on an existing pairing. */
export type PublishedProposal = Omit<PairingOffer<Session>, 'uri'> & {
  readonly id: number
  /** Unix seconds. */
  readonly expiry: number
  readonly published: Promise<void>
}

/** Proposes a session on the topic of a pairing, by a plain publish or by `publish`. */
export function publishSessionProposal(
  client: DappClient,
  topic: string,
  keys: KeyPair,
  options: SessionProposalOptions,
  publish?: ExchangeOptions['publish'],
): PublishedProposal {
  const { channel, clock, metadata } = client
  // Longer than the pairing URI: a user who scans in the last moment still has time to approve.
  const expiry = Math.floor(clock.now() / 1000) + signMethods.wc_sessionPropose.ttl
  const params = {
    relays: [{ protocol: 'irn' }],
    proposer: { publicKey: bytesToHex(keys.publicKey), metadata },
    requiredNamespaces: options.requiredNamespaces ?? {},
    optionalNamespaces: options.namespaces,
    pairingTopic: topic,
    expiryTimestamp: expiry,
    sessionProperties: options.sessionProperties,
    scopedProperties: parseScopedProperties(options.scopedProperties, {
      ...options.namespaces,
      ...options.requiredNamespaces,
    }),
    requests: options.requests,
  }
  const exchange = channel.request(topic, 'wc_sessionPropose', params, { publish })
  const controller = new AbortController()
  const settled = exchange.response.then(
    (response) => settleSession(client, keys, response, options, controller.signal),
    (error: unknown) => {
      throw toRejection(error)
    },
  )
  runInBackground(settled)
  return {
    id: exchange.id,
    expiry,
    published: exchange.published,
    settled,
    cancel() {
      controller.abort()
      exchange.cancel()
    },
  }
}

/** Converts a rejection by the user to `connection/rejected`. Returns other errors unchanged. */
export function toRejection(error: unknown): unknown {
  if (!isLatchkeyError(error, 'request/failed') || !isRejectionCode(error.context.code)) return error
  return createRejectedError(error)
}

function createRejectedError(cause?: unknown): LatchkeyError<'connection/rejected'> {
  return connectionError('connection/rejected', { wallet: unnamedWallet }, { cause })
}
