import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import { clientAddress } from '../../kit/clientAddress.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { Projects } from '../../kit/projects.ts'
import { browserOf } from '../browserOf.ts'
import type { Who } from '../who.ts'
import type { EmailChanges } from './emailChanges.ts'

export type EmailParts = { who: Who; changes: EmailChanges; projects: Projects; trustedProxies: number }

const refused = { status: 401 }
const answerOf = Type.Object({ id: Type.String({ maxLength: 36 }), code: Type.String({ maxLength: 12 }) })

/** The endpoints of another address for an account. */
export function emailEndpoints({ who, changes, projects, trustedProxies }: EmailParts): readonly Endpoint[] {
  const common = { method: 'POST', group: 'Account' } as const
  const askerOf = (raw: IncomingMessage, project: string, origin: string) => ({
    project,
    client: clientAddress(raw, trustedProxies),
    asker: { origin, browser: browserOf(raw.headers['user-agent']) },
  })
  return [
    endpoint({
      ...common,
      path: '/auth/v1/email/update',
      summary: 'Begins to change the address; a code is sent to the one in use, if there is one.',
      body: Type.Object({
        email: Type.String({ maxLength: 254 }),
        projectId: Type.String({ maxLength: 64 }),
        origin: Type.String({ maxLength: 256 }),
      }),
      answer: Type.Object({
        id: Type.String(),
        action: Type.Enum({ primary: 'VERIFY_PRIMARY_OTP', secondary: 'VERIFY_SECONDARY_OTP' }),
      }),
      example: {
        body: { email: 'ann@example.org', projectId: 'ab'.repeat(16), origin: 'http://localhost' },
        ...refused,
      },
      async handle({ body: { email, projectId, origin }, raw }) {
        const caller = await who.user(raw)
        if (projects.check(projectId, origin) !== 'ok') {
          throw new Problem(403, 'origin', 'This origin is not allowed for the project.')
        }
        return changes.begin(caller, email, askerOf(raw, projectId, origin))
      },
    }),
    endpoint({
      ...common,
      path: '/auth/v1/email/primary',
      summary: 'Redeems the code of the address in use, and sends one to the new address.',
      body: answerOf,
      answer: Type.Object({}),
      example: { body: { id: '0', code: '123456' }, ...refused },
      async handle({ body, raw, origin = '' }) {
        await changes.primary(await who.user(raw), body, askerOf(raw, 'email-update', origin))
        return {}
      },
    }),
    endpoint({
      ...common,
      path: '/auth/v1/email/secondary',
      summary: 'Redeems the code of the new address: it is the address from then on.',
      body: answerOf,
      answer: Type.Object({ email: Type.String() }),
      example: { body: { id: '0', code: '123456' }, ...refused },
      handle: async ({ body, raw }) => changes.secondary(await who.user(raw), body),
    }),
  ]
}
