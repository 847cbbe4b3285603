import { isLatchkeyError, LatchkeyError, type ChainId } from '@latchkey/protocol'
import { topicOf } from '../crypto.ts'
import { createKeyPair } from '../curves.ts'
import { showLinks, type Link, type LinkParts } from '../links.ts'
import { messageKinds, peerErrors } from '../messages.ts'
import { createPairing, formatPairingUri } from '../pairing.ts'
import { inBackground, withResolvers } from '../promise.ts'
import { offerSession, refusalOf, type Proposer } from '../propose.ts'
import { askByLink } from './askByLink.ts'
import { authPayloadOf, type SignIn } from './authPayload.ts'
import type { VerifyContract } from './checkSignIn.ts'
import { openFirstAnswer } from './firstAnswer.ts'
import { linkOf } from './linkMode.ts'
import { fallbackOf, paramsOf, signedIn, type Question, type SignedIn } from './signedIn.ts'

export type AuthenticateParts = SignIn &
  LinkParts & {
    /** The chains to sign in on, of eip155; the person signs once for each that the wallet grants. */
    chains: readonly ChainId[]
    /** What the session that comes of it may be asked for; without any, the sign-in stands alone. */
    methods?: readonly string[]
    /** How long the wallet may take, in seconds; an hour at least and by default. */
    expiry?: number
    /**
     * The universal link of a wallet on the same phone that is known to take messages by it. Where this app does, too
     * (`redirect.linkMode` and `openLink`), the wallet is opened at once, and neither link nor relay is needed.
     */
    walletLink?: string
  }

const method = 'wc_sessionAuthenticate'

/**
 * Shows pairing links until a wallet signs in through one of them (`wc_sessionAuthenticate`) or, not knowing that
 * method, settles the session that is proposed beside it.
 *
 * @throws LatchkeyError `config/invalid`, `connection/rejected`, `connection/aborted`, `connection/timed-out`,
 * `session/invalid` when the sign-in does not verify or is not what was asked for, `request/failed` with the wallet's
 * code, `relay/refused` or `relay/unreachable`.
 */
export async function authenticate(
  proposer: Proposer,
  { chains, methods = [], expiry = 0, walletLink, signal, onUri, onRejected, ...signIn }: AuthenticateParts,
  verifyContract?: VerifyContract,
): Promise<SignedIn> {
  const { links, metadata, clock } = proposer
  const payload = authPayloadOf(signIn, chains, methods, clock.now())
  const within = Math.max(expiry, messageKinds[method].ttl)
  const asked = { payload, methods, within, verifyContract }
  if (walletLink !== undefined && links !== undefined && linkOf(metadata) !== undefined) {
    return askByLink(proposer, links, { ...asked, keys: await createKeyPair(), link: walletLink }, signal)
  }
  const make = async (): Promise<Link<SignedIn>> => ask(proposer, { ...asked, keys: await createKeyPair() })
  return showLinks(proposer, { signal, onUri, onRejected }, make)
}

/** Publishes a question on a new pairing, and beside it the proposal for wallets that do not understand it. */
async function ask(proposer: Proposer, question: Question): Promise<Link<SignedIn>> {
  const { relay, channel, keyring, clock } = proposer
  const pairing = createPairing(clock.now())
  const topics = [pairing.topic, topicOf(question.keys.publicKey)] as const
  const [topic, responseTopic] = topics
  const { promise: settled, resolve, reject } = withResolvers<SignedIn>()
  const over = new AbortController()
  inBackground(settled)
  keyring.hold(topic, pairing.symmetricKey)
  const drop = (): void => {
    over.abort()
    for (const each of topics) relay.unsubscribe(each)
    keyring.drop(topic)
  }
  try {
    await Promise.all(topics.map((each) => relay.subscribe(each)))
    const exchange = channel.request(topic, method, paramsOf(proposer, question), { within: question.within })
    const fallback = offerSession(proposer, topic, question.keys, { namespaces: fallbackOf(question) })
    const release = channel.intercept(responseTopic, (message) => void take(message).catch(reject))
    over.signal.addEventListener('abort', () => {
      release()
      exchange.forget()
      fallback.drop()
    })
    exchange.answer.catch(refuse)
    fallback.settled.then((session) => resolve({ session, auths: [] }), refuse)
    await Promise.all([exchange.published, fallback.published])

    async function take(message: string): Promise<void> {
      const answer = await openFirstAnswer(question.keys, message)
      if (answer?.id !== exchange.id || answer.kind === 'request') return
      // One answer is enough: what comes of a second would have no owner.
      release()
      if (answer.kind === 'result') return resolve(await signedIn(proposer, question, answer.result, over.signal))
      refuse(new LatchkeyError('request/failed', { method, code: answer.code, reason: answer.reason }))
    }
  } catch (error) {
    drop()
    throw error
  }
  return { uri: formatPairingUri(pairing, method), settled, drop }

  function refuse(error: unknown): void {
    // The proposal speaks to a wallet that does not know the method; and the question outlives the proposal.
    const isUnknown =
      isLatchkeyError(error, 'request/failed') && error.context.code === peerErrors.unsupportedMethod.code
    const isProposal = isLatchkeyError(error, 'request/expired') && error.context.method === 'wc_sessionPropose'
    if (!isUnknown && !isProposal) reject(refusalOf(error))
  }
}
