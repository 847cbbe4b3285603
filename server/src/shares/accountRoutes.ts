import { Type } from '@sinclair/typebox'
import type { Who } from '../auth/who.ts'
import { endpoint, type Endpoint } from '../kit/endpoint.ts'
import type { ShareAccess } from './access.ts'
import type { Adoptions } from './adoptions.ts'
import type { ShareDeletions } from './deletions.ts'
import type { Identities } from './identity.ts'
import type { Links } from './links.ts'

export type ShareAccountParts = {
  access: ShareAccess
  who: Who
  links: Pick<Links, 'approvedBy'>
  identities: Pick<Identities, 'approvedBy'>
  deletions: ShareDeletions
  adoptions: Adoptions
}

const refused = { status: 401 }

/** The endpoints of a wallet that goes, and of one whose owner got another name. */
export function shareAccountEndpoints(parts: ShareAccountParts): readonly Endpoint[] {
  const { access, who, links, identities, deletions, adoptions } = parts
  const common = { method: 'POST', group: 'Share store' } as const
  return [
    endpoint({
      ...common,
      path: '/shares/v1/deletion',
      summary: 'Has what is kept deleted after three days; until then it can be kept.',
      body: Type.Object({}),
      answer: Type.Object({ at: Type.Integer() }),
      example: { body: {}, ...refused },
      async handle({ raw }) {
        const { user, assertFresh, assertSeasoned } = await access.admit(raw)
        assertFresh()
        await assertSeasoned()
        return { at: await deletions.ask(user) }
      },
    }),
    endpoint({
      ...common,
      path: '/shares/v1/deletion/cancel',
      summary: 'Keeps it after all.',
      body: Type.Object({}),
      answer: Type.Object({}),
      example: { body: {}, ...refused },
      async handle({ raw }) {
        await deletions.cancel((await access.admit(raw)).user)
        return {}
      },
    }),
    endpoint({
      ...common,
      path: '/shares/v1/adopt',
      summary: 'Takes the wallet over to a new name, after the auth service lost the one before.',
      body: Type.Object({}),
      answer: Type.Object({}),
      example: { body: {}, ...refused },
      async handle({ raw }) {
        const { user, key } = await who.user(raw)
        await adoptions.adopt(user, key, (await links.approvedBy(key)) ?? (await identities.approvedBy(user, key)))
        return {}
      },
    }),
  ]
}
