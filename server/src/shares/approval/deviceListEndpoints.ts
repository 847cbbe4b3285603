import { Type } from '@sinclair/typebox'
import type { AuditLog } from '../../custody/auditLog.ts'
import { storeProofSchema } from '../../custody/requests/storeProofSchema.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { StoreProofs } from '../account/storeProofs.ts'
import type { RecoveryStore } from '../recovery/recoveryStore.ts'
import type { Devices } from './devices.ts'
import type { IdentityApprovals } from './identityApprovals.ts'
import type { ShareAccess } from './shareAccess.ts'

export type DeviceListEndpointsDependencies = {
  access: ShareAccess
  storeProofs: Pick<StoreProofs, 'assertProof'>
  devices: Pick<Devices, 'describe' | 'isEstablishedDevice'>
  store: Pick<RecoveryStore, 'removeDevice'>
  identityApprovals: Pick<IdentityApprovals, 'revokeApproval'>
  auditLog: Pick<AuditLog, 'record'>
}

const common = { method: 'POST', group: 'Share store' } as const
const refused = { status: 401 }
const thumbprint = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })

/** The endpoints of the devices that the share store knows. The auth service has a list of its own, which may differ. */
export function deviceListEndpoints(dependencies: DeviceListEndpointsDependencies): readonly Endpoint[] {
  const { access, storeProofs, devices, store, identityApprovals, auditLog } = dependencies
  return [
    defineEndpoint({
      ...common,
      path: '/shares/v1/devices/list',
      summary: 'Lists the devices of the user by the thumbprints of their keys.',
      body: Type.Object({}),
      response: Type.Object({
        devices: Type.Array(Type.Object({ key: Type.String(), since: Type.Integer(), current: Type.Boolean() })),
      }),
      example: { body: {}, ...refused },
      async handle({ raw }) {
        const { user, key } = await access.admit(raw)
        const listed = await devices.describe(user)
        return { devices: listed.map((device) => ({ ...device, current: device.key === key })) }
      },
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/devices/remove',
      summary:
        'Removes a device and its enrolments. An established one needs a proof that this device has the wallet open.',
      body: Type.Object({ key: thumbprint, proof: Type.Optional(storeProofSchema) }),
      response: Type.Object({}),
      example: { body: { key: 'A'.repeat(43) }, ...refused },
      async handle({ body, raw }) {
        const device = await access.admit(raw)
        const target = { user: device.user, key: body.key }
        // An attacker's new device must not lock out the owner's other devices [C-05].
        if (body.key !== device.key && (await devices.isEstablishedDevice(target.user, target.key))) {
          await device.assertEstablishedDevice()
          await storeProofs.assertProof(device, { purpose: 'remove-device', key: body.key }, body.proof)
        }
        // A link approval names no user, so removing a stranger's device must not end it.
        const known = await devices.describe(target.user)
        if (!known.some(({ key }) => key === target.key)) return {}
        await store.removeDevice(target)
        await identityApprovals.revokeApproval(target.user, target.key)
        await auditLog.record('device revoked', { user: device.user, key: device.key, raw, about: body.key })
        return {}
      },
    }),
  ]
}
