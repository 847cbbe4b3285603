import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { seal, unseal } from '../custody/seal.ts'
import { getMember } from '../platform/getMember.ts'
import { fromBase64url, toBase64url } from '../services/toBase64url.ts'
import type { SignRequest } from '../worker/keyHolder.ts'
import type { PolicyRule } from './policyRule.ts'

/** A request that one device asks another one to approve. */
export type SecondDeviceContent = {
  readonly request: SignRequest
  /** Origin of the page that sent the request. */
  readonly origin: string
  readonly rule: PolicyRule
  /** Two digits that both devices show. */
  readonly match: string
}

/** Public key of a device (P-256), as RFC 7638 orders its members. */
export type DeviceJwk = { readonly crv: string; readonly kty: string; readonly x: string; readonly y: string }

/** A decision, signed by the device that gave it. */
export type SecondDeviceDecision =
  | { readonly kind: 'refused' }
  | { readonly kind: 'approved'; readonly jwk: DeviceJwk; readonly signature: Uint8Array }

const what = 'The request of the other device'
const requestHeader = (id: string): Uint8Array => utf8ToBytes(`request/${id}`)
const parameters = { name: 'ECDSA', hash: 'SHA-256' } as const

/** Seals a request with a key of the wallet, so that its other devices can read it, and the share store can't. */
export function sealSecondDevice(entropy: Uint8Array, id: string, content: SecondDeviceContent): Promise<Uint8Array> {
  return seal(entropy, 'policy', requestHeader(id), utf8ToBytes(serializeContent(content)))
}

/** @throws LatchkeyError `custody/unreadable` */
export async function openSecondDevice(
  entropy: Uint8Array,
  id: string,
  sealed: Uint8Array,
): Promise<SecondDeviceContent> {
  const bytes = await unseal(entropy, 'policy', requestHeader(id), sealed, what)
  // Only a device with the wallet's entropy could seal it.
  return parseContent(new TextDecoder().decode(bytes)) as SecondDeviceContent
}

/** Returns the text of a request in one form, so that an approval is used for this request only. */
export const requestText = (request: SignRequest): string => serializeContent(request)

/**
 * Returns the bytes that a device signs to approve a request. They name the request by its id and its sealed content, so an
 * approval of another request does not fit.
 */
function approvalBytes(id: string, sealed: Uint8Array): Uint8Array<ArrayBuffer> {
  const hash = sha256(concatBytes(utf8ToBytes(`latchkey/policy-request/1/${id}`), sha256(sealed)))
  return Uint8Array.from(concatBytes(utf8ToBytes('latchkey/policy-approval/1'), hash))
}

/** Signs an approval with the key of this device. */
export async function signApproval(pair: CryptoKeyPair, id: string, sealed: Uint8Array): Promise<string> {
  const { crv = '', kty = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const signature = await crypto.subtle.sign(parameters, pair.privateKey, approvalBytes(id, sealed))
  return JSON.stringify({ jwk: { crv, kty, x, y }, signature: toBase64url(new Uint8Array(signature)) })
}

export const refusal = JSON.stringify({ refused: true })

/**
 * Verifies a decision.
 *
 * @returns the thumbprint of the device that approved; `undefined` if none did
 */
export async function approverOf(response: string, id: string, sealed: Uint8Array): Promise<string | undefined> {
  const parsed = parseDecision(response)
  if (parsed?.kind !== 'approved') return undefined
  const { jwk, signature } = parsed
  try {
    const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify'])
    const isSigned = await crypto.subtle.verify(parameters, key, Uint8Array.from(signature), approvalBytes(id, sealed))
    return isSigned ? toBase64url(sha256(utf8ToBytes(JSON.stringify(jwk)))) : undefined
  } catch {
    return undefined
  }
}

function parseDecision(text: string): SecondDeviceDecision | undefined {
  const json: unknown = JSON.parse(text)
  if (getMember(json, 'refused') === true) return { kind: 'refused' }
  const jwk = getMember(json, 'jwk')
  const [crv, kty, x, y] = ['crv', 'kty', 'x', 'y'].map((name) => getMember(jwk, name))
  const signature = getMember(json, 'signature')
  const isComplete = [crv, kty, x, y, signature].every((each) => typeof each === 'string')
  if (!isComplete) return undefined
  return {
    kind: 'approved',
    jwk: { crv: String(crv), kty: String(kty), x: String(x), y: String(y) },
    signature: fromBase64url(String(signature)),
  }
}

/** JSON has no large integers and no bytes. */
function serializeContent(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return { $units: String(each) }
    return each instanceof Uint8Array ? { $bytes: toBase64url(each) } : each
  })
}

function parseContent(text: string): unknown {
  return JSON.parse(text, (_, each: unknown): unknown => {
    const [units, bytes] = [getMember(each, '$units'), getMember(each, '$bytes')]
    if (typeof units === 'string') return BigInt(units)
    return typeof bytes === 'string' ? fromBase64url(bytes) : each
  })
}
