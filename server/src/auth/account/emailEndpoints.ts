import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import { assertAllowedOrigin } from '../../custody/requests/assertAllowedOrigin.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { requestSource } from '../../custody/requests/source/requestSource.ts'
import type { AccessClaims } from '../../custody/requests/verifyAccessToken.ts'
import type { RiskChecks } from '../../custody/requests/riskChecks.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { Projects } from '../../kit/http/projects.ts'
import type { Users } from '../login/users.ts'
import type { CodeRequester, EmailChanges } from './emailChanges.ts'

export type EmailEndpointsDependencies = {
  authenticator: Authenticator
  changes: Pick<EmailChanges, 'start' | 'confirmPrimary' | 'confirmSecondary'>
  projects: Projects
  trustedProxies: number
  /** A new device could take over the login before the owner reacts to its notice [C-05]. */
  riskChecks: Pick<RiskChecks, 'assertEstablishedDevice' | 'assertFreshLogin'>
  users: Pick<Users, 'hasMailbox'>
}

const refused = { status: 401 }
const codeBody = Type.Object({ id: Type.String({ maxLength: 36 }), code: Type.String({ maxLength: 12 }) })

/** The endpoints that change the address of an account. */
export function emailEndpoints(dependencies: EmailEndpointsDependencies): readonly Endpoint[] {
  const { authenticator, changes, projects, trustedProxies } = dependencies
  const common = { method: 'POST', group: 'Account' } as const
  const toRequester = (raw: IncomingMessage, project: string, origin: string): CodeRequester =>
    toCodeRequester(raw, { project, origin, trustedProxies })
  return [
    defineEndpoint({
      ...common,
      path: '/auth/v1/email/update',
      summary: 'Starts a change of the address. A code is sent to the current address, if there is one.',
      body: Type.Object({
        email: Type.String({ maxLength: 254 }),
        projectId: Type.String({ maxLength: 64 }),
        origin: Type.String({ maxLength: 256 }),
      }),
      response: Type.Object({
        id: Type.String(),
        action: Type.Enum({ primary: 'VERIFY_PRIMARY_OTP', secondary: 'VERIFY_SECONDARY_OTP' }),
      }),
      example: {
        body: { email: 'ann@example.org', projectId: 'ab'.repeat(16), origin: 'http://localhost' },
        ...refused,
      },
      async handle({ body: { email, projectId, origin }, raw }) {
        const owner = await authenticator.authenticateUser(raw)
        await assertMayChange(dependencies, owner)
        const shownOrigin = assertAllowedOrigin(projects, projectId, origin)
        return changes.start(owner, email, toRequester(raw, projectId, shownOrigin))
      },
    }),
    defineEndpoint({
      ...common,
      path: '/auth/v1/email/primary',
      summary: 'Redeems the code of the current address and sends one to the new address.',
      body: codeBody,
      response: Type.Object({}),
      example: { body: { id: '0', code: '123456' }, ...refused },
      async handle({ body, raw, origin = '' }) {
        const owner = await authenticator.authenticateUser(raw)
        // The mail names the origin, and programs can send any header.
        const shownOrigin = projects.findOwnOrEmbedder(origin) ?? ''
        await changes.confirmPrimary(owner, body, toRequester(raw, 'email-update', shownOrigin))
        return {}
      },
    }),
    defineEndpoint({
      ...common,
      path: '/auth/v1/email/secondary',
      summary: 'Redeems the code of the new address and changes the address.',
      body: codeBody,
      response: Type.Object({ email: Type.String() }),
      example: { body: { id: '0', code: '123456' }, ...refused },
      async handle({ body, raw, origin = '' }) {
        const owner = await authenticator.authenticateUser(raw)
        return changes.confirmSecondary(owner, body, toRequester(raw, 'email-update', origin))
      },
    }),
  ]
}

/** @throws Problem 403 `deviceAge`, `fresh` */
async function assertMayChange({ riskChecks, users }: EmailEndpointsDependencies, claims: AccessClaims): Promise<void> {
  await riskChecks.assertEstablishedDevice(claims)
  // Without a mailbox no code of the present address confirms the change.
  if (!(await users.hasMailbox(claims.user))) riskChecks.assertFreshLogin(claims, 'email')
}

function toCodeRequester(
  raw: IncomingMessage,
  { project, origin, trustedProxies }: { project: string; origin: string; trustedProxies: number },
): CodeRequester {
  const { client, browser, locale } = requestSource(raw, trustedProxies)
  return { project, client, requester: { origin, browser, locale } }
}
