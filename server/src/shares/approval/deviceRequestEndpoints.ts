import { Type } from '@sinclair/typebox'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { DeviceRequests } from './deviceRequests.ts'
import type { ShareAccess } from './shareAccess.ts'

export type DeviceRequestEndpointsDependencies = {
  authenticator: Authenticator
  access: ShareAccess
  deviceRequests: Pick<DeviceRequests, 'getState' | 'list' | 'approve' | 'stop'>
}

const common = { method: 'POST', group: 'Share store' } as const
const id = Type.String({ maxLength: 36 })
const waitingDevice = Type.Object({
  id: Type.String(),
  browser: Type.String(),
  place: Type.String(),
  at: Type.Integer(),
  opensAt: Type.Integer(),
})

/** The endpoints with which known devices approve or stop a new one. */
export function deviceRequestEndpoints({
  authenticator,
  access,
  deviceRequests,
}: DeviceRequestEndpointsDependencies): readonly Endpoint[] {
  return [
    defineEndpoint({
      ...common,
      path: '/shares/v1/devices/state',
      summary: 'Returns whether this new device was approved.',
      body: Type.Object({}),
      response: Type.Object({
        state: Type.Enum({ waiting: 'waiting', approved: 'approved', stopped: 'stopped' }),
      }),
      example: { body: {}, status: 401 },
      handle: async ({ raw }) => ({ state: await deviceRequests.getState(await authenticator.authenticateUser(raw)) }),
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/devices/waiting',
      summary: 'Lists the new devices that wait for an approval, to a known device.',
      body: Type.Object({}),
      response: Type.Object({ devices: Type.Array(waitingDevice) }),
      example: { body: {}, status: 401 },
      handle: async ({ raw }) => ({ devices: [...(await deviceRequests.list((await access.admit(raw)).user))] }),
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/devices/approve',
      summary: 'Approves a new device by the two digits that it shows.',
      body: Type.Object({ id, match: Type.String({ pattern: '^[0-9]{2}$' }) }),
      response: Type.Object({}),
      example: { body: { id: '0', match: '00' }, status: 401 },
      async handle({ body, raw }) {
        await deviceRequests.approve((await access.admit(raw)).user, body)
        return {}
      },
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/devices/stop',
      summary: 'Refuses a new device.',
      body: Type.Object({ id }),
      response: Type.Object({}),
      example: { body: { id: '0' }, status: 401 },
      async handle({ body, raw }) {
        await deviceRequests.stop((await access.admit(raw)).user, body.id)
        return {}
      },
    }),
  ]
}
