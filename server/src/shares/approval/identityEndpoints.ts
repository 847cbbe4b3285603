import { Type } from '@sinclair/typebox'
import { socialProviders, type SocialProvider } from '../../custody/identity/socialProviders.ts'
import { assertAllowedOrigin } from '../../custody/requests/assertAllowedOrigin.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { base64urlSchema, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { Projects } from '../../kit/http/projects.ts'
import type { IdentityApprovals } from './identityApprovals.ts'
import type { ProviderLogins } from './providerLogins.ts'

const random = base64urlSchema(32)
const exampleBytes = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const example = (body: object) => ({ body, status: 401 })
const providerName = Type.Enum(
  Object.fromEntries(socialProviders.map((name) => [name, name])) as { [name in SocialProvider]: name },
)
const common = { method: 'POST', group: 'Share store' } as const

export type IdentityEndpointsDependencies = {
  identityApprovals: IdentityApprovals
  providerLogins: Pick<ProviderLogins, 'begin' | 'redeem'>
  authenticator: Authenticator
  projects: Projects
}

/** The endpoints that approve a device by an account at an identity provider, without a mail. */
export function identityEndpoints(dependencies: IdentityEndpointsDependencies): readonly Endpoint[] {
  return [...providerLoginEndpoints(dependencies), farcasterEndpoint(dependencies)]
}

function providerLoginEndpoints(dependencies: IdentityEndpointsDependencies): readonly Endpoint[] {
  const { identityApprovals, providerLogins, authenticator, projects } = dependencies
  return [
    defineEndpoint({
      ...common,
      path: '/shares/v1/social/begin',
      summary: 'Begins the share store’s own login at a provider.',
      body: Type.Object({
        provider: providerName,
        projectId: Type.String({ maxLength: 64 }),
        origin: Type.String({ maxLength: 256 }),
      }),
      response: Type.Object({ id: Type.String(), uri: Type.String() }),
      example: example({ provider: 'google', projectId: 'ab'.repeat(16), origin: 'http://localhost' }),
      async handle({ body: { provider, projectId, origin }, raw }) {
        const key = await authenticator.authenticateKey(raw)
        assertAllowedOrigin(projects, projectId, origin)
        return providerLogins.begin({ provider, key, origin })
      },
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/social/redeem',
      summary: 'Approves this device by the code that the last page of its provider login shows.',
      body: Type.Object({ id: Type.String({ maxLength: 36 }), code: Type.String({ pattern: '^[0-9]{8}$' }) }),
      response: Type.Object({}),
      example: example({ id: '0', code: '00000000' }),
      async handle({ body, raw }) {
        const device = await authenticator.authenticateUser(raw)
        await identityApprovals.approve(device, await providerLogins.redeem({ ...body, key: device.key }))
        return {}
      },
    }),
  ]
}

function farcasterEndpoint({ identityApprovals, authenticator }: IdentityEndpointsDependencies): Endpoint {
  return defineEndpoint({
    ...common,
    path: '/shares/v1/identity/farcaster',
    summary: 'Approves this device by a message that the user’s Farcaster account signed.',
    body: Type.Object({
      message: Type.String({ maxLength: 4_096 }),
      signature: Type.String({ maxLength: 8_192, pattern: '^0x([0-9a-fA-F]{2})+$' }),
      random,
    }),
    response: Type.Object({}),
    example: example({ message: '', signature: '0x00', random: exampleBytes }),
    async handle({ body, raw }) {
      const owner = await authenticator.authenticateUser(raw)
      await identityApprovals.approveByFarcaster(owner, {
        ...body,
        random: parseBase64url(body.random, 'random', 32),
      })
      return {}
    },
  })
}
