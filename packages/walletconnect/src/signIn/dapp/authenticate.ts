import { isLatchkeyError, type ChainId, requestError } from '@latchkey/protocol'
import { linkModeUrl } from '../../channel/linkMode/linkModeUrl.ts'
import { peerErrors } from '../../channel/peerError.ts'
import { signMethods } from '../../channel/signMethod.ts'
import { createKeyPair } from '../../crypto/createKeyPair.ts'
import { topicOfKey } from '../../crypto/envelope.ts'
import type { DappClient } from '../../dapp/dappClient.ts'
import { publishSessionProposal, toRejection } from '../../dapp/proposeSession.ts'
import { showPairingUris, type PairingOffer, type PairingUriOptions } from '../../dapp/showPairingUris.ts'
import { runInBackground, withResolvers } from '../../primitives/withResolvers.ts'
import { createPairing, formatPairingUri } from '../../session/pairing.ts'
import { createAuthPayload, type SignIn } from '../authPayload.ts'
import type { VerifyContract } from '../checkSignIn.ts'
import { openFirstResponse } from '../firstResponse.ts'
import { authenticateByLink } from './authenticateByLink.ts'
import {
  completeSignIn,
  fallbackNamespaces,
  formatAuthenticateParams,
  type PreparedSignIn,
  type SignedIn,
} from './signedIn.ts'

export type AuthenticateOptions = SignIn &
  PairingUriOptions & {
    /** The chains to sign in on, of eip155. The user signs once for each that the wallet approves. */
    chains: readonly ChainId[]
    /** The methods of the resulting session. Without any, there is only a sign-in. */
    methods?: readonly string[]
    /** Timeout of the wallet's response, in seconds. At least an hour, which is the default. */
    expiry?: number
    /**
     * The universal link of a wallet on the same phone that supports link mode. If this app supports it, too
     * (`redirect.linkMode` and `openLink`), the wallet opens at once, without a pairing URI and a relay.
     */
    walletLink?: string
  }

const method = 'wc_sessionAuthenticate'

/**
 * Shows pairing URIs until a wallet signs in through one of them (`wc_sessionAuthenticate`) or, without support for that
 * method, settles the session that is proposed in addition.
 *
 * @throws LatchkeyError `config/invalid`, `connection/rejected`, `connection/aborted`, `connection/timed-out`,
 * `session/invalid` if the sign-in does not verify or differs from the request, `request/failed` with the wallet's code,
 * `relay/refused`, `relay/unreachable`
 */
export async function authenticate(
  client: DappClient,
  { chains, methods = [], expiry = 0, walletLink, signal, onUri, onRejected, ...signIn }: AuthenticateOptions,
  verifyContract?: VerifyContract,
): Promise<SignedIn> {
  const { links, metadata, clock } = client
  const payload = createAuthPayload(signIn, chains, methods, clock.now())
  const timeoutSeconds = Math.max(expiry, signMethods[method].ttl)
  const request = { payload, methods, timeoutSeconds, verifyContract }
  if (walletLink !== undefined && links !== undefined && linkModeUrl(metadata) !== undefined) {
    const signInByLink = { ...request, keys: await createKeyPair(), link: walletLink }
    return authenticateByLink(client, links, signInByLink, signal)
  }
  const createOffer = async (): Promise<PairingOffer<SignedIn>> =>
    publishAuthenticate(client, { ...request, keys: await createKeyPair() })
  return showPairingUris(client, { signal, onUri, onRejected }, createOffer)
}

/** Publishes a sign-in on a new pairing, and a session proposal for wallets that don't support sign-ins. */
async function publishAuthenticate(client: DappClient, signIn: PreparedSignIn): Promise<PairingOffer<SignedIn>> {
  const { relay, keyring, clock } = client
  const pairing = createPairing(clock.now())
  const { topic, symmetricKey } = pairing
  const responseTopic = topicOfKey(signIn.keys.publicKey)
  const topics = [topic, responseTopic]
  const controller = new AbortController()
  keyring.holdInMemory(topic, symmetricKey)
  const cancel = (): void => {
    controller.abort()
    for (const each of topics) relay.unsubscribe(each)
    keyring.remove(topic)
  }
  try {
    await Promise.all(topics.map((each) => relay.subscribe(each)))
    const { settled, published } = exchangeSignIn(client, signIn, { topic, responseTopic }, controller.signal)
    await published
    return { uri: formatPairingUri(pairing, method), settled, cancel }
  } catch (error) {
    cancel()
    throw error
  }
}

type SignInExchange = { readonly settled: Promise<SignedIn>; readonly published: Promise<unknown> }

/** Sends the sign-in and the fallback proposal, and waits for the first outcome of the two. */
function exchangeSignIn(
  client: DappClient,
  signIn: PreparedSignIn,
  { topic, responseTopic }: { topic: string; responseTopic: string },
  signal: AbortSignal,
): SignInExchange {
  const { channel } = client
  const { keys, timeoutSeconds } = signIn
  const { promise: settled, resolve, reject } = withResolvers<SignedIn>()
  runInBackground(settled)
  const exchange = channel.request(topic, method, formatAuthenticateParams(client, signIn), { timeoutSeconds })
  const fallback = publishSessionProposal(client, topic, keys, { namespaces: fallbackNamespaces(signIn) })
  const release = channel.intercept(responseTopic, (message) => void receive(message).catch(reject))
  signal.addEventListener('abort', () => {
    release()
    exchange.cancel()
    fallback.cancel()
  })
  const rejectUnlessPending = (error: unknown): void => {
    if (!isOtherRequestPending(error)) reject(toRejection(error))
  }
  exchange.response.catch(rejectUnlessPending)
  fallback.settled.then((session) => resolve({ session, auths: [] }), rejectUnlessPending)

  async function receive(message: string): Promise<void> {
    const response = await openFirstResponse(keys, message)
    if (response?.id !== exchange.id || response.kind === 'request') return
    // Only the first response counts: the session of a second one would have no owner.
    release()
    if (response.kind === 'result') return resolve(await completeSignIn(client, signIn, response.result, signal))
    rejectUnlessPending(requestError('request/failed', { method, code: response.code, reason: response.reason }))
  }

  return { settled, published: Promise.all([exchange.published, fallback.published]) }
}

/**
 * True if the other of the two requests is still pending: a wallet that does not support the sign-in gets the proposal, and
 * the sign-in outlives the proposal.
 */
function isOtherRequestPending(error: unknown): boolean {
  if (isLatchkeyError(error, 'request/failed')) return error.context.code === peerErrors.unsupportedMethod.code
  return isLatchkeyError(error, 'request/expired') && error.context.method === 'wc_sessionPropose'
}
