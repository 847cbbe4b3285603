import { Type } from '@sinclair/typebox'
import { bytesSchema, readBytes } from '../auth/bytes.ts'
import { tokenNames, type TokenName } from '../auth/social/providers.ts'
import type { Who } from '../auth/who.ts'
import { endpoint, type Endpoint } from '../kit/endpoint.ts'
import type { Identities } from './identity.ts'

const random = bytesSchema(32)
const one = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const example = (body: object) => ({ body, status: 401 })

/** The endpoints by which a frame has its device approved without a mail: by who its user is elsewhere. */
export function identityEndpoints({ identities, who }: { identities: Identities; who: Who }): readonly Endpoint[] {
  const common = { method: 'POST', group: 'Share store', answer: Type.Object({}) } as const
  return [
    endpoint({
      ...common,
      path: '/shares/v1/identity',
      summary: 'Approves this device by the ID token of the provider that its user logged in at.',
      body: Type.Object({
        provider: Type.Enum(
          Object.fromEntries(tokenNames.map((name) => [name, name])) as { [name in TokenName]: name },
        ),
        token: Type.String({ maxLength: 8_192 }),
        random,
      }),
      example: example({ provider: 'google', token: '0', random: one }),
      async handle({ body, raw }) {
        const owner = await who.user(raw)
        await identities.byToken(owner, { ...body, random: readBytes(body.random, 'random', 32) })
        return {}
      },
    }),
    endpoint({
      ...common,
      path: '/shares/v1/identity/farcaster',
      summary: 'Approves this device by what the Farcaster account of its user signed.',
      body: Type.Object({
        message: Type.String({ maxLength: 4_096 }),
        signature: Type.String({ maxLength: 8_192, pattern: '^0x([0-9a-fA-F]{2})+$' }),
        random,
      }),
      example: example({ message: '', signature: '0x00', random: one }),
      async handle({ body, raw }) {
        const owner = await who.user(raw)
        await identities.byFarcaster(owner, { ...body, random: readBytes(body.random, 'random', 32) })
        return {}
      },
    }),
    endpoint({
      ...common,
      path: '/shares/v1/identity/first',
      summary:
        'Lets the first device of a user make the wallet, after a login that nobody but the auth service can check.',
      body: Type.Object({ email: Type.String({ maxLength: 254 }) }),
      example: example({ email: 'ann@example.org' }),
      async handle({ body, raw }) {
        await identities.first(await who.user(raw), body.email)
        return {}
      },
    }),
  ]
}
