import { isLatchkeyError, LatchkeyError, type ChainId } from '@latchkey/protocol'
import { bytesToHex } from '../bytes.ts'
import { topicOf } from '../crypto.ts'
import { createKeyPair, type KeyPair } from '../curves.ts'
import type { ProposedNamespaces } from '../grants.ts'
import { showLinks, type Link, type LinkParts } from '../links.ts'
import { messageKinds, peerErrors } from '../messages.ts'
import { vocabulary } from '../namespaces.ts'
import { createPairing, formatPairingUri } from '../pairing.ts'
import { isRecord } from '../parse.ts'
import { inBackground, withResolvers } from '../promise.ts'
import { offerSession, refusalOf, sharedKey, type Proposer } from '../propose.ts'
import { readMetadata, sessionLifetime, type Session } from '../session.ts'
import { authPayloadOf, type AuthPayload, type SignIn } from './authPayload.ts'
import { readCacao, type Cacao } from './cacao.ts'
import { checkSignIn, type VerifyContract } from './checkSignIn.ts'
import { openFirstAnswer } from './firstAnswer.ts'
import { grantedBy } from './granted.ts'

export type AuthenticateParts = SignIn &
  LinkParts & {
    /** The chains to sign in on, of eip155; the person signs once for each that the wallet grants. */
    chains: readonly ChainId[]
    /** What the session that comes of it may be asked for; without any, the sign-in stands alone. */
    methods?: readonly string[]
    /** How long the wallet may take, in seconds; an hour at least and by default. */
    expiry?: number
  }

/** What came of a sign-in. */
export type SignedIn = {
  /** The session that was granted with the sign-in, or instead of it. */
  readonly session?: Session
  /** What was signed, checked; nothing from a wallet that does not know one-click sign-in and settled a session instead. */
  readonly auths: readonly Cacao[]
}

const method = 'wc_sessionAuthenticate'

/** What a dapp asks, and by which keys. */
type Question = {
  readonly payload: AuthPayload
  readonly methods: readonly string[]
  readonly within: number
  readonly keys: KeyPair
  readonly verifyContract: VerifyContract | undefined
}

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
  { chains, methods = [], expiry = 0, signal, onUri, ...signIn }: AuthenticateParts,
  verifyContract?: VerifyContract,
): Promise<SignedIn> {
  const within = Math.max(expiry, messageKinds[method].ttl)
  return showLinks(proposer, { signal, onUri }, async () => {
    const payload = authPayloadOf(signIn, chains, methods, proposer.clock.now())
    return ask(proposer, { payload, methods, within, keys: await createKeyPair(), verifyContract })
  })
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

function paramsOf({ clock, metadata }: Proposer, { payload: authPayload, within, keys }: Question): object {
  const requester = { publicKey: bytesToHex(keys.publicKey), metadata }
  return { requester, authPayload, expiryTimestamp: Math.floor(clock.now() / 1000) + within }
}

/** What a session needs so that its owner can be asked to sign in afterwards. */
function fallbackOf({ payload: { chains }, methods }: Pick<Question, 'payload' | 'methods'>): ProposedNamespaces {
  const { events } = vocabulary.eip155
  return { eip155: { chains, methods: [...new Set(['personal_sign', ...methods])], events } }
}

/** Checks an answer, and makes the session that it grants: both sides know its key without another word. */
async function signedIn(
  proposer: Proposer,
  { payload, keys, methods, verifyContract }: Question,
  result: unknown,
  over: AbortSignal,
): Promise<SignedIn> {
  const { relay, channel, keyring, live, clock } = proposer
  const { cacaos, responder } = isRecord(result) ? result : {}
  if (!Array.isArray(cacaos) || !isRecord(responder)) {
    throw new LatchkeyError('session/invalid', { reason: 'its answer to the sign-in is malformed' })
  }
  const key = await sharedKey(keys, responder.publicKey)
  const topic = topicOf(key)
  try {
    const auths = cacaos.map(readCacao)
    await checkSignIn(auths, payload, clock.now(), verifyContract)
    if (over.aborted) throw new LatchkeyError('connection/aborted', {})
    const namespaces = grantedBy(auths, payload)
    if (namespaces === undefined) return { auths }
    keyring.keep(topic, key)
    const session: Session = {
      topic,
      peer: readMetadata(responder.metadata),
      namespaces,
      optionalNamespaces: fallbackOf({ payload, methods }),
      expiry: Math.floor(clock.now() / 1000) + sessionLifetime,
    }
    live.save(session)
    inBackground(relay.subscribe(topic))
    return { session, auths }
  } catch (error) {
    // The wallet may hold the session that it granted already.
    keyring.hold(topic, key)
    inBackground(
      channel.tell(topic, 'wc_sessionDelete', peerErrors.settlementFailed).finally(() => keyring.drop(topic)),
    )
    throw error
  }
}
