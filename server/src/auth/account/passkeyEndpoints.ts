import { Type } from '@sinclair/typebox'
import { describeBrowser } from '../../custody/requests/source/describeBrowser.ts'
import type { AuditLog } from '../../custody/auditLog.ts'
import { parseAssertion, passkeyAssertionSchema, passkeyIdSchema } from '../../custody/passkeys/parseAssertion.ts'
import type { Passkeys } from '../../custody/passkeys/passkeys.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { base64urlSchema, formatBase64url, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import type { RiskChecks } from '../../custody/requests/riskChecks.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { tokensResponse } from '../sessions/sessionEndpoints.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { addMethod } from './stepUpEndpoints.ts'

export type PasskeyEndpointsDependencies = {
  authenticator: Authenticator
  sessions: Pick<Sessions, 'begin'>
  passkeys: Pick<Passkeys, 'add' | 'remove' | 'createChallenge' | 'verify'>
  riskChecks: RiskChecks
  auditLog: Pick<AuditLog, 'record'>
}

const common = { method: 'POST', group: 'Account' } as const
const refused = { status: 401 }
const exampleBytes = 'AAAAAAAAAAAAAAAAAAAAAA'

/** The endpoints of passkeys: registration, and a fresh session after an assertion. */
export function passkeyEndpoints(dependencies: PasskeyEndpointsDependencies): readonly Endpoint[] {
  return [...registrationEndpoints(dependencies), challengeEndpoint(dependencies), assertionEndpoint(dependencies)]
}

function registrationEndpoints(dependencies: PasskeyEndpointsDependencies): readonly Endpoint[] {
  const { authenticator, passkeys, riskChecks, auditLog } = dependencies
  return [
    defineEndpoint({
      ...common,
      path: '/auth/v1/passkeys',
      summary: 'Registers a passkey of the user.',
      body: Type.Object({ id: passkeyIdSchema, publicKey: base64urlSchema(256) }),
      response: Type.Object({}),
      example: { body: { id: exampleBytes, publicKey: exampleBytes }, ...refused },
      async handle({ body, raw }) {
        const claims = await authenticator.authenticateUser(raw)
        await riskChecks.assertEstablishedDevice(claims)
        const { user, key } = claims
        const publicKey = parseBase64url(body.publicKey, 'publicKey')
        await passkeys.add(user, { id: parseBase64url(body.id, 'id'), publicKey })
        await auditLog.record('passkey added', { user, key, raw })
        return {}
      },
    }),
    defineEndpoint({
      ...common,
      path: '/auth/v1/passkeys/remove',
      summary: 'Removes a passkey.',
      body: Type.Object({ id: passkeyIdSchema }),
      response: Type.Object({}),
      example: { body: { id: exampleBytes }, ...refused },
      async handle({ body, raw }) {
        const claims = await authenticator.authenticateUser(raw)
        await riskChecks.assertEstablishedDevice(claims)
        await passkeys.remove(claims.user, parseBase64url(body.id, 'id'))
        return {}
      },
    }),
  ]
}

function challengeEndpoint({ authenticator, passkeys }: PasskeyEndpointsDependencies): Endpoint {
  return defineEndpoint({
    ...common,
    path: '/auth/v1/passkeys/challenge',
    summary: 'Creates a challenge for a passkey.',
    body: Type.Object({}),
    response: Type.Object({ challenge: Type.String() }),
    example: { body: {}, ...refused },
    async handle({ raw }) {
      const { user, key } = await authenticator.authenticateUser(raw)
      return { challenge: formatBase64url(await passkeys.createChallenge(user, key)) }
    },
  })
}

function assertionEndpoint(dependencies: PasskeyEndpointsDependencies): Endpoint {
  const { authenticator, sessions, passkeys, auditLog } = dependencies
  return defineEndpoint({
    ...common,
    path: '/auth/v1/passkeys/prove',
    summary: 'Verifies a passkey assertion and begins a fresh session.',
    body: passkeyAssertionSchema,
    response: tokensResponse,
    example: {
      body: {
        id: exampleBytes,
        authenticatorData: exampleBytes,
        clientDataJSON: exampleBytes,
        signature: exampleBytes,
      },
      ...refused,
    },
    async handle({ body, raw }) {
      const claims = await authenticator.authenticateUser(raw)
      const { user, key } = claims
      await passkeys.verify(user, key, parseAssertion(body)).catch(async (error: unknown) => {
        await auditLog.record('passkey refused', { user, key, raw })
        throw error
      })
      await auditLog.record('passkey verified', { user, key, raw })
      const browser = describeBrowser(raw.headers['user-agent'])
      return { ...(await sessions.begin({ user, key, methods: addMethod(claims, 'passkey') }, browser)) }
    },
  })
}
