import { Type } from '@sinclair/typebox'
import { base64urlSchema, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import { oidcProviders, type OidcProvider } from '../../custody/identity/socialProviders.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { IdentityApprovals } from './identityApprovals.ts'

const random = base64urlSchema(32)
const exampleBytes = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const example = (body: object) => ({ body, status: 401 })

/** The endpoints that approve a device by an identity provider, without a mail. */
export function identityEndpoints({
  identityApprovals,
  authenticator,
}: {
  identityApprovals: IdentityApprovals
  authenticator: Authenticator
}): readonly Endpoint[] {
  const common = { method: 'POST', group: 'Share store', response: Type.Object({}) } as const
  return [
    defineEndpoint({
      ...common,
      path: '/shares/v1/identity',
      summary: 'Approves this device by an ID token of the provider that the user logged in at.',
      body: Type.Object({
        provider: Type.Enum(
          Object.fromEntries(oidcProviders.map((name) => [name, name])) as { [name in OidcProvider]: name },
        ),
        token: Type.String({ maxLength: 8_192 }),
        random,
      }),
      example: example({ provider: 'google', token: '0', random: exampleBytes }),
      async handle({ body, raw }) {
        const owner = await authenticator.authenticateUser(raw)
        await identityApprovals.approveByIdToken(owner, { ...body, random: parseBase64url(body.random, 'random', 32) })
        return {}
      },
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/identity/farcaster',
      summary: 'Approves this device by a message that the user’s Farcaster account signed.',
      body: Type.Object({
        message: Type.String({ maxLength: 4_096 }),
        signature: Type.String({ maxLength: 8_192, pattern: '^0x([0-9a-fA-F]{2})+$' }),
        random,
      }),
      example: example({ message: '', signature: '0x00', random: exampleBytes }),
      async handle({ body, raw }) {
        const owner = await authenticator.authenticateUser(raw)
        await identityApprovals.approveByFarcaster(owner, {
          ...body,
          random: parseBase64url(body.random, 'random', 32),
        })
        return {}
      },
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/identity/first',
      summary: 'Approves the first device of a user, after a login that only the auth service can verify.',
      body: Type.Object({ email: Type.String({ maxLength: 254 }) }),
      example: example({ email: 'ann@example.org' }),
      async handle({ body, raw }) {
        await identityApprovals.approveFirstDevice(await authenticator.authenticateUser(raw), body.email)
        return {}
      },
    }),
  ]
}
