import { Type } from '@sinclair/typebox'
import type { AuditLog } from '../../custody/auditLog.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import type { RiskChecks } from '../../custody/requests/riskChecks.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { Users } from '../login/users.ts'
import type { Sessions } from './sessions.ts'

export type DeviceSessionEndpointsDependencies = {
  authenticator: Authenticator
  sessions: Pick<Sessions, 'endAll' | 'endDevice' | 'listDevices'>
  users: Pick<Users, 'forgetDevice' | 'isEstablishedDevice' | 'isProvenDevice'>
  riskChecks: Pick<RiskChecks, 'assertEstablishedDevice'>
  auditLog: AuditLog
}

const common = { method: 'POST', group: 'Account', response: Type.Object({}) } as const

/**
 * The endpoints that end the sessions of other devices. A device that only logged in has no key share that could be revoked. A
 * new device ends no session of an established one, so that the thief of a code can't log the owner out again and again.
 */
export function deviceSessionEndpoints(dependencies: DeviceSessionEndpointsDependencies): readonly Endpoint[] {
  const { authenticator, sessions, users, riskChecks, auditLog } = dependencies
  return [
    defineEndpoint({
      ...common,
      path: '/auth/v1/sessions/end',
      summary: 'Ends the sessions of a device. One that only logged in is forgotten.',
      body: Type.Object({ key: Type.String({ maxLength: 64 }) }),
      example: { body: { key: 'A'.repeat(43) }, status: 401 },
      async handle({ body, raw }) {
        const claims = await authenticator.authenticateUser(raw)
        const { user, key } = claims
        const loggedIn = await sessions.listDevices(user)
        if (!loggedIn.some((device) => device.key === body.key)) return {}
        if (body.key !== key && (await users.isEstablishedDevice(user, body.key))) {
          await riskChecks.assertEstablishedDevice(claims)
        }
        await sessions.endDevice(user, body.key)
        if (!(await users.isProvenDevice(user, body.key))) await users.forgetDevice(user, body.key)
        await auditLog.record('sessions ended', { user, key, raw, about: body.key })
        return {}
      },
    }),
    defineEndpoint({
      ...common,
      path: '/auth/v1/sessions/end-others',
      summary: 'Ends the sessions of all other devices of the user. Their key shares stay.',
      body: Type.Object({}),
      example: { body: {}, status: 401 },
      async handle({ raw }) {
        const claims = await authenticator.authenticateUser(raw)
        const { user, key } = claims
        await riskChecks.assertEstablishedDevice(claims)
        await sessions.endAll(user, key)
        await auditLog.record('sessions ended', { user, key, raw })
        return {}
      },
    }),
  ]
}
