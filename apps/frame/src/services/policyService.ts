import { httpError, isRecord } from '@latchkey/protocol'
import type { PolicyKind, PolicyRecord } from '../policy/policyRecord.ts'
import { postProven, type SignForStore } from './postProven.ts'
import type { ServiceRequest } from './serviceRequest.ts'
import { fromBase64url, toBase64url } from './toBase64url.ts'

/** A record with the time of its arrival at the service. */
export type StoredPolicyRecord = PolicyRecord & { readonly storedAt: number }

/** The report of a service about the signing policy. */
export type PolicyReport = {
  /** The clock of the service, in milliseconds since the epoch. */
  readonly now: number
  readonly records: readonly StoredPolicyRecord[]
  /** Thumbprints of the devices that open the wallet. */
  readonly devices: readonly { readonly key: string; readonly isEstablished: boolean }[]
  /** True if the login verified a passkey within the last five minutes. */
  readonly hasFreshPasskey: boolean
}

/** The copy of the signing policy at one service. */
export type PolicyService = {
  read(): Promise<PolicyReport>
  /**
   * @param previous counter of the replaced record, 0 for none
   * @param certificate signature of the wallet's account over the key of the records
   * @throws ServiceRefusal 409 `policy` if another change came first
   */
  write(record: PolicyRecord, previous: number, certificate: Uint8Array): Promise<void>
}

/** Creates the client of the auth service. */
export function createAuthPolicyService(request: ServiceRequest): PolicyService {
  const post = (path: string, body: object) => request('POST', `/auth/v1/policy${path}`, body)
  return {
    read: async () => parseReport(await post('/read', {})),
    write: async (record, previous, certificate) =>
      void (await post('/write', serializeChange(record, previous, certificate))),
  }
}

/**
 * Creates the client of the share store.
 *
 * @param proof URL of the share store, and how to sign the proof that it needs for a first record
 */
export function createSharePolicyService(
  request: ServiceRequest,
  proof: { readonly url: string; readonly sign: SignForStore },
): PolicyService {
  const post = (path: string, body: object) => request('POST', `/shares/v1${path}`, body)
  return {
    read: async () => parseReport(await post('/policy/read', {})),
    async write(record, previous, certificate) {
      const action = { purpose: 'policy', verifier: record.verifier } as const
      const body = serializeChange(record, previous, certificate)
      await postProven(post, { path: '/policy/write', body }, { ...proof, action })
    },
  }
}

function serializeChange(
  { kind, counter, verifier, sealed, signature }: PolicyRecord,
  previous: number,
  certificate: Uint8Array,
): object {
  return {
    kind,
    counter,
    previous,
    verifier: toBase64url(verifier),
    sealed: toBase64url(sealed),
    signature: toBase64url(signature),
    certificate: toBase64url(certificate),
  }
}

const kinds: readonly PolicyKind[] = ['policy', 'spending', 'pending']

function parseReport({ now, records, devices, hasFreshPasskey }: Record<string, unknown>): PolicyReport {
  if (typeof now !== 'number' || !Array.isArray(records) || !Array.isArray(devices)) throw invalidPolicyResponse()
  return {
    now,
    records: records.map(parseRecord),
    devices: devices.map(parseDevice),
    hasFreshPasskey: hasFreshPasskey === true,
  }
}

function parseRecord(value: unknown): StoredPolicyRecord {
  const { kind, counter, storedAt, verifier, sealed, signature } = isRecord(value) ? value : {}
  const known = kinds.find((each) => each === kind)
  if (known === undefined || typeof storedAt !== 'number' || !Number.isSafeInteger(counter))
    throw invalidPolicyResponse()
  const [key, content, proof] = [verifier, sealed, signature].map((each) => {
    if (typeof each === 'string') return fromBase64url(each)
    throw invalidPolicyResponse()
  })
  if (key === undefined || content === undefined || proof === undefined) throw invalidPolicyResponse()
  return { kind: known, counter: Number(counter), storedAt, verifier: key, sealed: content, signature: proof }
}

function parseDevice(value: unknown): PolicyReport['devices'][number] {
  const { key, isEstablished } = isRecord(value) ? value : {}
  if (typeof key !== 'string') throw invalidPolicyResponse()
  return { key, isEstablished: isEstablished === true }
}

/** Creates the error for a response in another form. */
export function invalidPolicyResponse(): Error {
  return httpError('http/invalid-response', { subject: 'the wallet' })
}
