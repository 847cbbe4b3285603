import { isRecord } from '@latchkey/protocol'
import { invalidPolicyResponse } from './policyService.ts'
import type { ServiceRequest } from './serviceRequest.ts'
import { fromBase64url, toBase64url } from './toBase64url.ts'

/** A sealed request that waits for another device. */
export type StoredPolicyRequest = {
  readonly id: string
  /** Thumbprint of the device that asks. */
  readonly key: string
  readonly sealed: Uint8Array
  readonly expiresAt: number
}

/** The requests for second devices at the share store. */
export type PolicyRequests = {
  /** @throws ServiceRefusal 429 `requests` */
  add(id: string, sealed: Uint8Array): Promise<{ expiresAt: number }>
  list(): Promise<readonly StoredPolicyRequest[]>
  /** @throws ServiceRefusal 404 `id` after the decision or the expiry */
  decide(id: string, decision: string): Promise<void>
  /**
   * Returns the decision, once there is one.
   *
   * @throws ServiceRefusal 404 `id` after it has expired
   */
  read(id: string): Promise<string | undefined>
}

/** Creates the client of the share store's requests. */
export function createPolicyRequests(request: ServiceRequest): PolicyRequests {
  const post = (path: string, body: object) => request('POST', `/shares/v1/policy/requests${path}`, body)
  return {
    async add(id, sealed) {
      const { expiresAt } = await post('', { id, sealed: toBase64url(sealed) })
      if (typeof expiresAt !== 'number') throw invalidPolicyResponse()
      return { expiresAt }
    },
    async list() {
      const { requests } = await post('/list', {})
      if (!Array.isArray(requests)) throw invalidPolicyResponse()
      return requests.map(parseRequest)
    },
    decide: async (id, decision) => void (await post('/decide', { id, decision })),
    async read(id) {
      const { decision } = await post('/read', { id })
      return typeof decision === 'string' ? decision : undefined
    },
  }
}

function parseRequest(value: unknown): StoredPolicyRequest {
  const { id, key, sealed, expiresAt } = isRecord(value) ? value : {}
  if (
    typeof id !== 'string' ||
    typeof key !== 'string' ||
    typeof sealed !== 'string' ||
    typeof expiresAt !== 'number'
  ) {
    throw invalidPolicyResponse()
  }
  return { id, key, sealed: fromBase64url(sealed), expiresAt }
}
