import { randomBytes } from 'node:crypto'
import { verifySignIn, type SignedText, type SignInProof } from '@latchkey/verify'
import { config } from './config.ts'
import { createStore } from './createStore.ts'

type ValidProof = Extract<SignInProof, { valid: true }>
type Session = SignedText & { data: ValidProof['data'] }
type Result = { valid: true; sessionId: string } | { valid: false; reason: string }

const minute = 60_000
const nonces = createStore<true>({ lifetimeMs: 5 * minute, capacity: 100_000 })
const sessions = createStore<Session[]>({ lifetimeMs: 24 * 60 * minute, capacity: 100_000 })

/** Creates the nonce of a sign-in. Send it to the page, and as a cookie that ties the sign-in to the browser. */
export function createNonce(): string {
  const nonce = randomBytes(16).toString('hex')
  nonces.set(nonce, true)
  return nonce
}

/**
 * Verifies the sign-ins that the page sends: one, or one per chain.
 *
 * @param body the body of the request
 * @param nonce the cookie with the nonce
 * @param oldSessionId the cookie with the session
 * @returns the id of the new session, or the reason why a sign-in is invalid
 */
export async function signIn(body: unknown, nonce?: string, oldSessionId?: string): Promise<Result> {
  // Deleted first: a nonce is valid once, whatever the result.
  if (nonce === undefined || nonces.take(nonce) === undefined) return { valid: false, reason: 'wrong-nonce' }
  const signed = parseSigned(body)
  if (signed === undefined) return { valid: false, reason: 'malformed' }
  const added: Session[] = []
  for (const { message, signature } of signed) {
    const { host: domain } = config.origin
    const expected = { nonce, domain, chains: config.chains, chainSource: config.findNode, now: Date.now() }
    const proof = await verifySignIn({ message, signature }, expected)
    if (!proof.valid) return proof
    added.push({ message, signature, data: proof.data })
  }
  // The cookie identifies one user: sessions on other chains remain, those of other accounts end.
  const accounts = new Set(added.map(({ data }) => data.accountAddress))
  const chains = new Set(added.map(({ data }) => data.chainId))
  const kept = takeSessions(oldSessionId).filter(
    ({ data }) => accounts.has(data.accountAddress) && !chains.has(data.chainId),
  )
  // A new id for each sign-in: an id from before the sign-in could be known to an attacker.
  const sessionId = randomBytes(32).toString('base64url')
  sessions.set(sessionId, [...kept, ...added])
  return { valid: true, sessionId }
}

/** Finds the current sign-ins of a session. */
export function findSessions(sessionId?: string): Session[] {
  const found = sessionId === undefined ? [] : (sessions.get(sessionId) ?? [])
  return found.filter(
    ({ data: { expirationTime } }) => expirationTime === undefined || Date.now() < Date.parse(expirationTime),
  )
}

/** Ends the session of one account on one chain, or all sessions. */
export function signOut(sessionId?: string, { chainId, accountAddress }: Record<string, unknown> = {}): void {
  const all = takeSessions(sessionId)
  const kept = all.filter(({ data }) => data.chainId !== chainId || data.accountAddress !== accountAddress)
  if (sessionId !== undefined && chainId !== undefined && kept.length > 0) sessions.set(sessionId, kept)
}

function takeSessions(sessionId?: string): Session[] {
  return sessionId === undefined ? [] : (sessions.take(sessionId) ?? [])
}

/** Parses `{ sessions: [{ message, signature }] }`. `verifySignIn` checks the two strings, whatever their types. */
function parseSigned(body: unknown): SignedText[] | undefined {
  const { sessions: list }: { sessions?: unknown } = Object(body)
  if (!Array.isArray(list) || list.length === 0 || list.length > 10) return undefined
  return list.map((each) => Object(each))
}
