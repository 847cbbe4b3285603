import { httpError } from '@latchkey/protocol'
import type { StoreSignature } from '../custody/signStoreProof.ts'
import { ServiceRefusal } from './serviceRequest.ts'
import { storeProofText, type ProvenAction } from './storeProofText.ts'
import { fromBase64url, toBase64url } from './toBase64url.ts'

/** Signs a message for the share store with the keys of the open wallet, see `signStoreProof`. */
export type SignForStore = (text: Uint8Array) => Promise<StoreSignature>

/** The action that a proof is for, and how to sign it. */
export type StoreProofRequest = {
  /** URL of the share store, without a trailing slash. */
  readonly url: string
  readonly action: ProvenAction
  /** Without it, the refusal is final. */
  readonly sign: SignForStore | undefined
}

/** Sends a request to a path after `/shares/v1`. */
export type PostToStore = (path: string, body: object) => Promise<Record<string, unknown>>

/**
 * Sends a request to the share store, and repeats it with a proof that the wallet is open if the share store requires one. Most requests
 * need none.
 *
 * @param post sends a request to a path after `/shares/v1`
 */
export async function postProven(
  post: PostToStore,
  { path, body }: { path: string; body: object },
  { url, action, sign }: StoreProofRequest,
): Promise<Record<string, unknown>> {
  try {
    return await post(path, body)
  } catch (error) {
    if (sign === undefined || !isProofNeeded(error)) throw error
    return postProof(post, { path, body }, { url, action, sign })
  }
}

/** Sends a request to the share store with a proof that the wallet is open. */
export async function postProof(
  post: PostToStore,
  { path, body }: { path: string; body: object },
  { url, action, sign }: StoreProofRequest & { sign: SignForStore },
): Promise<Record<string, unknown>> {
  const { challenge } = await post('/wallet/challenge', {})
  if (typeof challenge !== 'string') throw httpError('http/invalid-response', { subject: 'the wallet' })
  const { publicKey, signature } = await sign(storeProofText(url, action, fromBase64url(challenge)))
  const proof = { challenge, publicKey: toBase64url(publicKey), signature: toBase64url(signature) }
  return post(path, { ...body, proof })
}

/** True if a service requires a proof that the wallet is open. */
export function isProofNeeded(error: unknown): boolean {
  return error instanceof ServiceRefusal && error.status === 401 && error.field === 'wallet'
}
