import { Type } from '@sinclair/typebox'
import { describeBrowser } from '../../custody/requests/source/describeBrowser.ts'
import type { AuditLog } from '../../custody/auditLog.ts'
import { assertAllowedOrigin } from '../../custody/requests/assertAllowedOrigin.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { requestSource } from '../../custody/requests/source/requestSource.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { Projects } from '../../kit/http/projects.ts'
import { tokensResponse } from '../sessions/sessionEndpoints.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Codes } from './codes.ts'
import { describeUser, userResponse, type UserSources } from './describeUser.ts'
import type { Users } from './users.ts'

export type LoginEndpointsDependencies = UserSources & {
  codes: Codes
  sessions: Sessions
  users: Users
  authenticator: Authenticator
  auditLog: AuditLog
  projects: Projects
  trustedProxies: number
}

const emailText = Type.String({ maxLength: 254 })
const common = { method: 'POST', group: 'Login' } as const
const refused = { status: 401 }

/** The endpoints of the login with a one-time code. */
export function loginEndpoints(dependencies: LoginEndpointsDependencies): readonly Endpoint[] {
  return [codeEndpoint(dependencies), redeemEndpoint(dependencies)]
}

function codeEndpoint(dependencies: LoginEndpointsDependencies): Endpoint {
  const { codes, users, authenticator, projects, trustedProxies } = dependencies
  return defineEndpoint({
    ...common,
    path: '/auth/v1/codes',
    summary:
      'Sends a one-time code by mail. The next step depends on the device, and never on whether an account exists.',
    body: Type.Object({
      email: emailText,
      projectId: Type.String({ maxLength: 64 }),
      /** The origin of the embedding page, as the browser reported it to the frame. */
      origin: Type.String({ maxLength: 256 }),
    }),
    response: Type.Object({ id: Type.String(), action: Type.Enum({ device: 'VERIFY_DEVICE', code: 'VERIFY_OTP' }) }),
    example: {
      body: { email: 'ann@example.org', projectId: 'ab'.repeat(16), origin: 'http://localhost' },
      ...refused,
    },
    async handle({ body: { email, projectId, origin }, raw }) {
      const key = await authenticator.authenticateKey(raw)
      const shownOrigin = assertAllowedOrigin(projects, projectId, origin)
      const { client, browser, locale } = requestSource(raw, trustedProxies)
      const requester = { origin: shownOrigin, browser, locale }
      const [{ id }, isKnown] = await Promise.all([
        codes.send({ email, purpose: 'login', key, project: projectId, client, requester }),
        users.isKnownDevice(key),
      ])
      return { id, action: isKnown ? 'VERIFY_OTP' : 'VERIFY_DEVICE' } as const
    },
  })
}

function redeemEndpoint(dependencies: LoginEndpointsDependencies): Endpoint {
  const { codes, sessions, users, authenticator, auditLog } = dependencies
  return defineEndpoint({
    ...common,
    path: '/auth/v1/codes/redeem',
    summary: 'Redeems a one-time code of the same device and begins a session.',
    body: Type.Object({ id: Type.String({ maxLength: 36 }), email: emailText, code: Type.String({ maxLength: 12 }) }),
    response: Type.Object({ tokens: tokensResponse, user: userResponse }),
    example: { body: { id: '0', email: 'ann@example.org', code: '123456' }, ...refused },
    async handle({ body, raw }) {
      const key = await authenticator.authenticateKey(raw)
      const { mailbox, email } = await codes.redeem({ ...body, purpose: 'login', key }).catch(async (error) => {
        await auditLog.record('code refused', { key, raw })
        throw error
      })
      const { id: user } = await users.findOrCreateByMailbox(mailbox, email)
      const [tokens, description] = await Promise.all([
        sessions.begin({ user, key, methods: ['email'] }, describeBrowser(raw.headers['user-agent'])),
        describeUser(dependencies, user),
        users.recordDevice(user, key),
        auditLog.record('login', { user, key, raw }),
      ])
      return { tokens: { ...tokens }, user: description }
    },
  })
}
