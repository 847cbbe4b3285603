import type { SignInMessage } from '@latchkey/protocol'
import type { SignInAsk } from './signIn.ts'

/** What a sign-in says besides who signs, and when. */
export type SignInTexts = {
  /** The authority that asks; the page's when left out. */
  domain?: string
  /** What the sign-in is for; the page's origin when left out. */
  uri?: string
  /** One line of ASCII for the visitor to read. */
  statement?: string
  resources?: readonly string[]
  requestId?: string
  /** How long the session lasts, in milliseconds. */
  lifetime?: number
}

/** Writes down what is to be signed now. */
export function draftOf(texts: SignInTexts, ask: SignInAsk, nonce: string, now: number): SignInMessage {
  const { domain = location.host, uri = location.origin, statement, resources, requestId, lifetime } = texts
  const { chainId, accountAddress, notBefore } = ask
  return {
    domain,
    accountAddress,
    ...(statement === undefined ? {} : { statement }),
    uri,
    version: '1',
    chainId,
    nonce,
    issuedAt: new Date(now).toISOString(),
    ...(lifetime === undefined ? {} : { expirationTime: new Date(now + lifetime).toISOString() }),
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(resources === undefined ? {} : { resources }),
  }
}
