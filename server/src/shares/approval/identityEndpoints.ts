import { Type } from '@sinclair/typebox'
import { socialProviders, type SocialProvider } from '../../custody/identity/socialProviders.ts'
import { assertAllowedOrigin } from '../../custody/requests/assertAllowedOrigin.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import type { FarcasterLogins } from '../../custody/identity/farcasterLogins.ts'
import type { Passkeys } from '../../custody/passkeys/passkeys.ts'
import { base64urlSchema } from '../../custody/requests/parseBase64url.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Projects } from '../../kit/http/projects.ts'
import { requestSource } from '../../custody/requests/source/requestSource.ts'
import type { Places } from '../../custody/requests/source/places.ts'
import type { DeviceRequests } from './deviceRequests.ts'
import type { Devices } from './devices.ts'
import type { IdentityApprovals } from './identityApprovals.ts'
import type { ProviderLogins } from './providerLogins.ts'

const challenge = base64urlSchema(32)
const exampleBytes = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const createExample = (body: object) => ({ body, status: 401 })
const providerName = Type.Enum(
  Object.fromEntries(socialProviders.map((name) => [name, name])) as { [name in SocialProvider]: name },
)
const common = { method: 'POST', group: 'Share store' } as const

export type IdentityEndpointsDependencies = {
  identityApprovals: Pick<IdentityApprovals, 'approve' | 'approveByFarcaster'>
  providerLogins: Pick<ProviderLogins, 'begin' | 'redeem'>
  /** Undefined if Farcaster is not configured. */
  farcasterLogins: Pick<FarcasterLogins, 'begin'> | undefined
  deviceRequests: Pick<DeviceRequests, 'isNeeded' | 'request'>
  devices: Pick<Devices, 'recordUse'>
  passkeys: Pick<Passkeys, 'list'>
  places: Places
  trustedProxies: number
  authenticator: Authenticator
  projects: Projects
}

/** The endpoints that approve a device by an account at an identity provider, without a mail. */
export function identityEndpoints(dependencies: IdentityEndpointsDependencies): readonly Endpoint[] {
  return [...providerLoginEndpoints(dependencies), ...farcasterEndpoints(dependencies)]
}

function providerLoginEndpoints(dependencies: IdentityEndpointsDependencies): readonly Endpoint[] {
  const { identityApprovals, providerLogins, authenticator, projects, places, trustedProxies } = dependencies
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
      example: createExample({ provider: 'google', projectId: 'ab'.repeat(16), origin: 'http://localhost' }),
      async handle({ body: { provider, projectId, origin }, raw }) {
        const key = await authenticator.authenticateKey(raw)
        const shownOrigin = assertAllowedOrigin(projects, projectId, origin)
        const { client, browser } = requestSource(raw, trustedProxies)
        return providerLogins.begin({ provider, key, origin: shownOrigin, browser, place: places.find(client) })
      },
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/social/redeem',
      summary: 'Approves this device by the code that the last page of its provider login shows.',
      body: Type.Object({ id: Type.String({ maxLength: 36 }), code: Type.String({ pattern: '^[0-9]{8}$' }) }),
      response: Type.Object({}),
      example: createExample({ id: '0', code: '00000000' }),
      async handle({ body, raw }) {
        const device = await authenticator.authenticateUser(raw)
        await identityApprovals.approve(device, await providerLogins.redeem({ ...body, key: device.key }))
        return {}
      },
    }),
  ]
}

function farcasterEndpoints(dependencies: IdentityEndpointsDependencies): readonly Endpoint[] {
  const { identityApprovals, farcasterLogins, authenticator, projects } = dependencies
  const { deviceRequests, devices, passkeys, places, trustedProxies } = dependencies
  return [
    defineEndpoint({
      ...common,
      path: '/shares/v1/farcaster/begin',
      summary: 'Returns a challenge. The nonce of the message that the Farcaster account signs commits to it.',
      body: Type.Object({ projectId: Type.String({ maxLength: 64 }), origin: Type.String({ maxLength: 256 }) }),
      response: Type.Object({ challenge: Type.String() }),
      example: createExample({ projectId: 'ab'.repeat(16), origin: 'http://localhost' }),
      async handle({ body: { projectId, origin }, raw }) {
        const key = await authenticator.authenticateKey(raw)
        assertAllowedOrigin(projects, projectId, origin)
        if (farcasterLogins === undefined) throw new Problem(400, 'provider', 'This login is not set up here.')
        return { challenge: await farcasterLogins.begin(key) }
      },
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/identity/farcaster',
      summary:
        'Approves this device by a message that the user’s Farcaster account signed. If the user has a wallet, the device waits for a second proof.',
      body: Type.Object({
        challenge,
        authChallenge: challenge,
        message: Type.String({ maxLength: 4_096 }),
        signature: Type.String({ maxLength: 8_192, pattern: '^0x([0-9a-fA-F]{2})+$' }),
      }),
      response: Type.Union([
        Type.Object({ state: Type.Literal('approved') }),
        Type.Object({
          state: Type.Literal('waiting'),
          match: Type.String(),
          opensAt: Type.Integer(),
          /** True if a passkey of the user can approve the device. */
          hasPasskey: Type.Boolean(),
        }),
      ]),
      example: createExample({ challenge: exampleBytes, authChallenge: exampleBytes, message: '', signature: '0x00' }),
      async handle({ body: { challenge: sharesChallenge, ...login }, raw }) {
        const device = await authenticator.authenticateUser(raw)
        await identityApprovals.approveByFarcaster(device, { ...login, sharesChallenge })
        const { user, key } = device
        const isKnown = !(await deviceRequests.isNeeded(user)) || (await devices.recordUse(user, key))
        if (isKnown) return { state: 'approved' } as const
        const { client, browser } = requestSource(raw, trustedProxies)
        const wait = await deviceRequests.request(device, { browser, place: places.find(client) })
        if (wait === undefined) return { state: 'approved' } as const
        const hasPasskey = (await passkeys.list(user)).length > 0
        return { state: 'waiting', ...wait, hasPasskey } as const
      },
    }),
  ]
}
