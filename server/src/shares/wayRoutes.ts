import { Type } from '@sinclair/typebox'
import { writeBytes } from '../auth/bytes.ts'
import { endpoint, type Endpoint } from '../kit/endpoint.ts'
import type { ShareAccess } from './access.ts'
import type { AutoKeys } from './autoKeys.ts'
import type { Contacts } from './contacts.ts'
import type { Links } from './links.ts'
import { readWrap, wrapSchema } from './setRoutes.ts'
import type { Ways } from './ways.ts'

export type WayParts = {
  access: ShareAccess
  ways: Ways
  autoKeys: AutoKeys
  contacts: Contacts
  links: Pick<Links, 'mailboxOf'>
}

const refused = { status: 401 }

/** The endpoints of how a wallet is recovered, and by whose approval. */
export function wayEndpoints({ access, ways, autoKeys, contacts, links }: WayParts): readonly Endpoint[] {
  const common = { method: 'POST', group: 'Share store' } as const
  return [
    endpoint({
      ...common,
      path: '/shares/v1/auto',
      summary: 'The key of the way that needs nothing of the visitor, for a device that was approved.',
      body: Type.Object({}),
      answer: Type.Object({ key: Type.String() }),
      example: { body: {}, ...refused },
      handle: async ({ raw }) => ({ key: writeBytes(await autoKeys.of((await access.admit(raw)).user)) }),
    }),
    endpoint({
      ...common,
      path: '/shares/v1/ways/list',
      summary: 'The ways by which the wallet can be recovered.',
      body: Type.Object({}),
      answer: Type.Object({
        ways: Type.Array(
          Type.Object({
            id: Type.String(),
            method: Type.String(),
            facts: Type.String(),
            createdAt: Type.Integer(),
          }),
        ),
      }),
      example: { body: {}, ...refused },
      async handle({ raw }) {
        const { user } = await access.admit(raw)
        return { ways: [...(await ways.list(user))] }
      },
    }),
    endpoint({
      ...common,
      path: '/shares/v1/ways',
      summary: 'Adds a way to recover the wallet. One is taken away by beginning the next epoch without it.',
      body: wrapSchema,
      answer: Type.Object({}),
      example: {
        body: { id: 'password', method: 'password', wrapped: bytesExample, facts: '{}' },
        ...refused,
      },
      async handle({ body, raw }) {
        const { user, assertSeasoned } = await access.admit(raw)
        await assertSeasoned()
        await ways.add(user, readWrap(body))
        return {}
      },
    }),
    endpoint({
      ...common,
      path: '/shares/v1/contact',
      summary: 'Names the address that new devices are approved from, after a day.',
      body: Type.Object({ email: Type.String({ maxLength: 254 }) }),
      answer: Type.Object({ at: Type.Integer() }),
      example: { body: { email: 'ann@example.org' }, ...refused },
      async handle({ body, raw }) {
        const { user, assertSeasoned } = await access.admit(raw)
        await assertSeasoned()
        return { at: await contacts.change(user, links.mailboxOf(body.email)) }
      },
    }),
  ]
}

const bytesExample = 'AAAAAAAAAAAAAAAAAAAAAA'
