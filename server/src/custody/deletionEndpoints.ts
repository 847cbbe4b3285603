import type { IncomingMessage } from 'node:http'
import { Type, type Static } from '@sinclair/typebox'
import { base64urlSchema } from './requests/parseBase64url.ts'
import type { FreshAction } from './requests/riskChecks.ts'
import { defineEndpoint, type Endpoint } from '../kit/http/defineEndpoint.ts'

/** A device that may act for a user, with the checks before actions that cannot be undone. */
export type AdmittedDevice = {
  readonly user: string
  /** The thumbprint of the device's key. */
  readonly key: string
  /** @throws Problem 403 `fresh` unless the login is from the last five minutes */
  assertFreshLogin(action: FreshAction): void
  /** @throws Problem 403 `deviceAge`, see `RiskChecks` */
  assertEstablishedDevice(): Promise<void>
  /** True if the login verified a passkey within the last five minutes. */
  hasFreshPasskey(): boolean
}

/** A proof that the wallet is open. Only the share store needs the public key. */
const deletionProof = Type.Object({
  challenge: base64urlSchema(32),
  signature: base64urlSchema(64),
  publicKey: Type.Optional(base64urlSchema(32)),
})
export type DeletionProof = Static<typeof deletionProof>

export type DeletionEndpointsOptions = {
  /** The path of the endpoint that schedules the deletion. */
  path: `/${string}`
  /** The heading in the API documentation. */
  group: string
  admit(request: IncomingMessage): Promise<AdmittedDevice>
  /** The endpoint in a sentence. */
  summary: string
  /**
   * @param proof of the wallet, if the device sent one; not yet checked
   * @returns the time of the deletion, in milliseconds since the epoch
   * @throws Problem 401 `wallet` for a wrong proof, or for a missing one that the service requires
   */
  schedule(device: AdmittedDevice, proof: DeletionProof | undefined, request: IncomingMessage): Promise<number>
  cancel(user: string): Promise<void>
}

/**
 * The endpoints of a deletion after a wait. Each key service has its own, because neither trusts the other's
 * decisions.
 */
export function deletionEndpoints(options: DeletionEndpointsOptions): readonly Endpoint[] {
  const { path, group, summary, admit, schedule, cancel } = options
  const common = { method: 'POST', group, body: Type.Object({}), example: { body: {}, status: 401 } } as const
  return [
    defineEndpoint({
      ...common,
      path,
      summary,
      body: Type.Object({ proof: Type.Optional(deletionProof) }),
      response: Type.Object({ at: Type.Integer() }),
      async handle({ body, raw }) {
        const device = await admit(raw)
        device.assertFreshLogin('delete')
        await device.assertEstablishedDevice()
        return { at: await schedule(device, body.proof, raw) }
      },
    }),
    defineEndpoint({
      ...common,
      path: `${path}/cancel`,
      summary: 'Cancels a scheduled deletion.',
      response: Type.Object({}),
      async handle({ raw }) {
        await cancel((await admit(raw)).user)
        return {}
      },
    }),
  ]
}
