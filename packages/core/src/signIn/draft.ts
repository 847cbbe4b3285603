import type { SignInMessage } from '@latchkey/protocol'
import type { SignInMessageRequest } from './signInState.ts'

/** The texts of a sign-in message. */
export type SignInTexts = {
  /** The domain that requests the sign-in. Defaults to the page's host. */
  domain?: string
  /** The subject of the sign-in. Defaults to the page's origin. */
  uri?: string
  /** One line of ASCII text for the user. */
  statement?: string
  resources?: readonly string[]
  requestId?: string
  /** The lifetime of the session, in milliseconds. */
  lifetime?: number
}

/** Creates the data of the message to sign. */
export function draftOf(texts: SignInTexts, request: SignInMessageRequest, nonce: string, now: number): SignInMessage {
  const { domain = location.host, uri = location.origin, statement, resources, requestId, lifetime } = texts
  const { chainId, accountAddress, notBefore } = request
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
