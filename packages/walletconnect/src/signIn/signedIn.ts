import { LatchkeyError } from '@latchkey/protocol'
import { bytesToHex } from '../bytes.ts'
import { topicOf } from '../crypto.ts'
import type { KeyPair } from '../curves.ts'
import type { ProposedNamespaces } from '../grants.ts'
import { peerErrors } from '../messages.ts'
import { signInNamespace, vocabulary } from '../namespaces.ts'
import { isRecord } from '../parse.ts'
import { inBackground } from '../promise.ts'
import { sharedKey, type Proposer } from '../propose.ts'
import { readMetadata, sessionLifetime, type Session } from '../session.ts'
import type { AuthPayload } from './authPayload.ts'
import { readCacao, type Cacao } from './cacao.ts'
import { checkSignIn, type VerifyContract } from './checkSignIn.ts'
import { grantedBy } from './granted.ts'

/** What came of a sign-in. */
export type SignedIn = {
  /** The session that was granted with the sign-in, or instead of it. */
  readonly session?: Session
  /** What was signed, checked; nothing from a wallet that does not know one-click sign-in and settled a session instead. */
  readonly auths: readonly Cacao[]
}

/** What a dapp asks, and by which keys. */
export type Question = {
  readonly payload: AuthPayload
  readonly methods: readonly string[]
  /** How long an answer is waited for, in seconds. */
  readonly within: number
  readonly keys: KeyPair
  readonly verifyContract: VerifyContract | undefined
  /** The universal link of the wallet, where messages travel by links. */
  readonly link?: string
}

/** A question in the form of the wire. */
export function paramsOf({ clock, metadata }: Proposer, { payload: authPayload, within, keys }: Question): object {
  const requester = { publicKey: bytesToHex(keys.publicKey), metadata }
  return { requester, authPayload, expiryTimestamp: Math.floor(clock.now() / 1000) + within }
}

/** What a session needs so that its owner can be asked to sign in afterwards. */
export function fallbackOf({
  payload: { chains },
  methods,
}: Pick<Question, 'payload' | 'methods'>): ProposedNamespaces {
  const { events } = vocabulary[signInNamespace]
  return { [signInNamespace]: { chains, methods: [...new Set(['personal_sign', ...methods])], events } }
}

/** Checks an answer, and makes the session that it grants: both sides know its key without another word. */
export async function signedIn(
  proposer: Proposer,
  { payload, keys, methods, verifyContract, link }: Question,
  result: unknown,
  over: AbortSignal,
): Promise<SignedIn> {
  const { relay, keyring, live, clock } = proposer
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
      link,
      expiry: Math.floor(clock.now() / 1000) + sessionLifetime,
    }
    live.save(session)
    inBackground(relay.subscribe(topic))
    return { session, auths }
  } catch (error) {
    refuse(proposer, topic, key, link)
    throw error
  }
}

/** Has the wallet forget the session that it may have granted already. */
function refuse({ channel, keyring, links }: Proposer, topic: string, key: Uint8Array, link?: string): void {
  keyring.hold(topic, key)
  const lift = link === undefined ? undefined : links?.lay(topic, link)
  const told = channel.tell(topic, 'wc_sessionDelete', peerErrors.settlementFailed).finally(() => {
    keyring.drop(topic)
    lift?.()
  })
  inBackground(told)
}
