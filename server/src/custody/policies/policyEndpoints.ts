import type { IncomingMessage } from 'node:http'
import { Type, type Static } from '@sinclair/typebox'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { AdmittedDevice } from '../deletionEndpoints.ts'
import { base64urlSchema, formatBase64url, parseBase64url } from '../requests/parseBase64url.ts'
import { storeProofSchema, type StoreProof } from '../requests/storeProofSchema.ts'
import type { PolicyRecords, StoredPolicyRecord } from './policyRecords.ts'
import { policyKinds } from './verifyPolicyRecord.ts'

/** The key of a device that opens the wallet, and whether it is established, see `RiskChecks`. */
export type PolicyDevice = { readonly key: string; readonly isEstablished: boolean }

/** The key of a first record, and the proofs that the wallet has it: each service verifies another one. */
export type CertifiedVerifier = {
  readonly verifier: Uint8Array
  /** Signature of an account of the wallet, for the auth service. */
  readonly certificate: Uint8Array
  /** For the share store, which does not have the accounts. */
  readonly proof?: StoreProof | undefined
}

export type PolicyEndpointsOptions = {
  /** The path in front of `/read` and `/write`. */
  path: `/${string}`
  /** The heading in the API documentation. */
  group: string
  policies: Pick<PolicyRecords, 'list' | 'write'>
  clock: Clock
  admit(request: IncomingMessage): Promise<AdmittedDevice>
  /** Lists the devices of the user that open the wallet. */
  listDevices(user: string): Promise<readonly PolicyDevice[]>
  /**
   * Checks the key of a first record. Later ones need the same key, so a device that can't open the wallet must not choose it.
   *
   * @throws Problem 401 `wallet`
   */
  assertVerifier(device: { readonly user: string; readonly key: string }, verifier: CertifiedVerifier): Promise<void>
  /**
   * Notifies the owner of a policy that takes effect later.
   *
   * @throws Problem 503 `mail`
   */
  notifyPending?(user: string, request: IncomingMessage): Promise<void>
}

/** A record of a hundred receivers and limits has a fraction of this. */
const maxSealedBytes = 16 * 1_024

const kind = Type.Union(policyKinds.map((each) => Type.Literal(each)))
const counter = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const signed = {
  kind,
  counter,
  verifier: base64urlSchema(32),
  sealed: base64urlSchema(maxSealedBytes),
  signature: base64urlSchema(64),
}
const change = Type.Object({
  ...signed,
  previous: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  certificate: base64urlSchema(64),
  proof: Type.Optional(storeProofSchema),
})
const stored = Type.Object({ ...signed, storedAt: Type.Integer() })
const device = Type.Object({ key: Type.String(), isEstablished: Type.Boolean() })

/** The endpoints of the signing policy. Each key service has its own copy, so that neither can hide or replace one alone. */
export function policyEndpoints(options: PolicyEndpointsOptions): readonly Endpoint[] {
  const { path, group, policies, clock, admit, listDevices } = options
  return [
    defineEndpoint({
      method: 'POST',
      group,
      path: `${path}/read`,
      summary: 'Returns the signed records of the wallet’s signing policy, the time, and the devices of the wallet.',
      body: Type.Object({}),
      response: Type.Object({
        now: Type.Integer(),
        records: Type.Array(stored),
        devices: Type.Array(device),
        hasFreshPasskey: Type.Boolean(),
      }),
      example: { body: {}, status: 401 },
      async handle({ raw }) {
        const { user, hasFreshPasskey } = await admit(raw)
        const [records, devices] = await Promise.all([policies.list(user), listDevices(user)])
        return {
          now: clock.now(),
          records: records.map(formatRecord),
          devices: [...devices],
          hasFreshPasskey: hasFreshPasskey(),
        }
      },
    }),
    writeEndpoint(options),
  ]
}

function writeEndpoint(options: PolicyEndpointsOptions): Endpoint {
  const { path, group, policies, admit, assertVerifier, notifyPending } = options
  return defineEndpoint({
    method: 'POST',
    group,
    path: `${path}/write`,
    summary: 'Stores a signed record of the signing policy, unless another change came first.',
    body: change,
    response: Type.Object({}),
    example: {
      body: {
        kind: 'policy',
        counter: 1,
        previous: 0,
        verifier: 'A'.repeat(43),
        sealed: 'AAAA',
        signature: 'A'.repeat(86),
        certificate: 'A'.repeat(86),
      },
      status: 401,
    },
    async handle({ body, raw }) {
      const { user, key } = await admit(raw)
      const parsed = parseChange(body)
      if (parsed.kind === 'policy' && parsed.previous === 0) await assertVerifier({ user, key }, parsed)
      await policies.write(user, parsed)
      if (parsed.kind === 'pending') await notifyPending?.(user, raw)
      return {}
    },
  })
}

function parseChange({ verifier, sealed, signature, certificate, ...rest }: Static<typeof change>) {
  return {
    ...rest,
    verifier: parseBase64url(verifier, 'verifier', 32),
    sealed: parseBase64url(sealed, 'sealed'),
    signature: parseBase64url(signature, 'signature', 64),
    certificate: parseBase64url(certificate, 'certificate', 64),
  }
}

function formatRecord({ verifier, sealed, signature, ...rest }: StoredPolicyRecord): Static<typeof stored> {
  return {
    ...rest,
    verifier: formatBase64url(verifier),
    sealed: formatBase64url(sealed),
    signature: formatBase64url(signature),
  }
}
