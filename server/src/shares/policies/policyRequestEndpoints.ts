import { Type } from '@sinclair/typebox'
import { base64urlSchema, formatBase64url, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { ShareAccess } from '../approval/shareAccess.ts'
import type { PolicyRequests } from './policyRequests.ts'

export type PolicyRequestEndpointsDependencies = { access: ShareAccess; policyRequests: PolicyRequests }

/** A large batch of calls fits. */
const maxSealedBytes = 128 * 1_024
const maxDecisionLength = 1_024
const id = Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' })
const exampleId = '00000000-0000-4000-8000-000000000000'
const common = { method: 'POST', group: 'Share store' } as const
const path = '/shares/v1/policy/requests'

/** The endpoints at which a device asks another device of the wallet to approve a request, and at which that device decides. */
export function policyRequestEndpoints(dependencies: PolicyRequestEndpointsDependencies): readonly Endpoint[] {
  return [...requestEndpoints(dependencies), ...decisionEndpoints(dependencies)]
}

function requestEndpoints({ access, policyRequests }: PolicyRequestEndpointsDependencies): readonly Endpoint[] {
  return [
    defineEndpoint({
      ...common,
      path,
      summary: 'Stores a sealed request that another device of the wallet may approve within ten minutes.',
      body: Type.Object({ id, sealed: base64urlSchema(maxSealedBytes) }),
      maxBodyBytes: 2 * maxSealedBytes,
      response: Type.Object({ expiresAt: Type.Integer() }),
      example: { body: { id: exampleId, sealed: 'AAAA' }, status: 401 },
      async handle({ body, raw }) {
        const owner = await access.admit(raw)
        return policyRequests.add(owner, { id: body.id, sealed: parseBase64url(body.sealed, 'sealed') })
      },
    }),
    defineEndpoint({
      ...common,
      path: `${path}/read`,
      summary: 'Returns the decision of the other device, once there is one.',
      body: Type.Object({ id }),
      response: Type.Object({ decision: Type.Optional(Type.String()) }),
      example: { body: { id: exampleId }, status: 401 },
      handle: async ({ body, raw }) => policyRequests.read(await access.admit(raw), body.id),
    }),
  ]
}

function decisionEndpoints({ access, policyRequests }: PolicyRequestEndpointsDependencies): readonly Endpoint[] {
  const waiting = Type.Object({
    id: Type.String(),
    key: Type.String(),
    sealed: Type.String(),
    expiresAt: Type.Integer(),
  })
  return [
    defineEndpoint({
      ...common,
      path: `${path}/list`,
      summary: 'Lists the sealed requests that wait for a decision.',
      body: Type.Object({}),
      response: Type.Object({ requests: Type.Array(waiting) }),
      example: { body: {}, status: 401 },
      async handle({ raw }) {
        const { user } = await access.admit(raw)
        const requests = await policyRequests.list(user)
        return { requests: requests.map(({ sealed, ...rest }) => ({ ...rest, sealed: formatBase64url(sealed) })) }
      },
    }),
    defineEndpoint({
      ...common,
      path: `${path}/decide`,
      summary:
        'Approves or refuses a request of another device. The wallet verifies the decision, not the share store.',
      body: Type.Object({ id, decision: Type.String({ maxLength: maxDecisionLength }) }),
      response: Type.Object({}),
      example: { body: { id: exampleId, decision: '{}' }, status: 401 },
      async handle({ body, raw }) {
        await policyRequests.decide(await access.admit(raw), body.id, body.decision)
        return {}
      },
    }),
  ]
}
