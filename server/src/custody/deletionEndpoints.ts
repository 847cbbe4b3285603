import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import { storeProofSchema, type StoreProof } from './requests/storeProofSchema.ts'
import { defineEndpoint, type Endpoint } from '../kit/http/defineEndpoint.ts'

/** A device that may act for a user, with the checks before actions that cannot be undone. */
export type AdmittedDevice = {
  readonly user: string
  /** The thumbprint of the device's key. */
  readonly key: string
  /** @throws Problem 403 `fresh` unless the login is from the last five minutes */
  assertFreshLogin(): void
  /** @throws Problem 403 `deviceAge`, see `RiskChecks` */
  assertEstablishedDevice(): Promise<void>
  /** True if the login verified a passkey within the last five minutes. */
  hasFreshPasskey(): boolean
}

export type DeletionEndpointsOptions = {
  /** The path of the endpoint that schedules the deletion. */
  path: `/${string}`
  /** The heading in the API documentation. */
  group: string
  admit(request: IncomingMessage): Promise<AdmittedDevice>
  /** Checks that the wallet is open on the device. No check by default. @throws Problem 401 `wallet` */
  assertProof?(device: AdmittedDevice, proof: StoreProof | undefined): Promise<void>
  /** @returns the time of the deletion, in milliseconds since the epoch */
  schedule(user: string, request: IncomingMessage): Promise<number>
  cancel(user: string): Promise<void>
}

/**
 * The endpoints of a deletion after three days. Each key service has its own, because neither trusts the other's
 * decisions.
 */
export function deletionEndpoints(options: DeletionEndpointsOptions): readonly Endpoint[] {
  const { path, group, admit, assertProof, schedule, cancel } = options
  const common = { method: 'POST', group, body: Type.Object({}), example: { body: {}, status: 401 } } as const
  return [
    defineEndpoint({
      ...common,
      path,
      summary: 'Schedules the deletion of everything that this service stores of the user, after three days.',
      body: Type.Object({ proof: Type.Optional(storeProofSchema) }),
      response: Type.Object({ at: Type.Integer() }),
      async handle({ body, raw }) {
        const device = await admit(raw)
        const { user, assertFreshLogin, assertEstablishedDevice } = device
        assertFreshLogin()
        await assertEstablishedDevice()
        await assertProof?.(device, body.proof)
        return { at: await schedule(user, raw) }
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
