import { Type, type Static } from '@sinclair/typebox'
import { isAccountId, parseAccountId } from '@latchkey/protocol'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { commonQuery, isNamespaceAddress } from '../http/commonQuery.ts'
import type { SmartSession } from './smartSessionStore.ts'
import type { SessionAccount, SmartSessions } from './smartSessions.ts'

const params = Type.Object({ address: Type.String({ maxLength: 180 }) })
const query = Type.Object({ ...commonQuery, v: Type.Optional(Type.String({ maxLength: 4 })) })
const typed = Type.Object({ type: Type.String({ minLength: 1, maxLength: 128 }), data: Type.Unknown() })
const typedListSchema = Type.Array(typed, { maxItems: 64 })
const hex = Type.String({ pattern: '^0x(?:[0-9a-fA-F]{2})+$', maxLength: 65_538 })
const uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
const terms = {
  expiry: Type.Integer({ minimum: 1, maximum: 99_999_999_999 }),
  signer: typed,
  permissions: typedListSchema,
  policies: typedListSchema,
}
const done = Type.Object({ success: Type.Literal(true) })

const group = 'Smart sessions'
const account = 'eip155:31337:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const pci = '00000000-0000-4000-8000-000000000000'
const exampleTerms = {
  expiry: 4_102_444_800,
  signer: { type: 'keys', data: { ids: ['did:key:z6Mk'] } },
  permissions: [{ type: 'native-token-recurring-allowance', data: { allowance: '0x1', period: 86_400 } }],
  policies: [],
}

/** `/v1/sessions/:address…`: permissions that wallets grant to apps. This server holds one key of each. */
export function createSmartSessionEndpoints(sessions: SmartSessions): readonly Endpoint[] {
  return [
    createCreateEndpoint(sessions),
    createListEndpoint(sessions),
    createContextEndpoint(sessions),
    createActivateEndpoint(sessions),
    createRevokeEndpoint(sessions),
  ]
}

function createCreateEndpoint(sessions: SmartSessions): Endpoint {
  return defineEndpoint({
    method: 'POST',
    isWrite: true,
    path: '/v1/sessions/:address',
    group,
    summary: 'Creates an inactive permission with a key.',
    params,
    query,
    body: Type.Object(terms),
    response: Type.Object({
      pci: Type.String(),
      key: Type.Object({ type: Type.Literal('secp256k1'), publicKey: Type.String() }),
    }),
    example: { params: { address: account }, body: exampleTerms },
    async handle({ params: { address }, query: { v, projectId = '' }, body }) {
      const made = await sessions.create(parseSessionAccount(address), projectId.toLowerCase(), body)
      // The first version encoded the hex digits of the key as bytes, and those as hex again.
      const publicKey = v === '2' ? made.publicKey : Buffer.from(made.publicKey).toString('hex')
      return { pci: made.pci, key: { type: 'secp256k1' as const, publicKey: `0x${publicKey}` } }
    },
  })
}

const sessionSchema = Type.Object({
  project: Type.Object({ id: Type.String(), name: Type.String() }),
  pci: Type.String(),
  expiry: Type.Number(),
  createdAt: Type.Number(),
  permissions: typedListSchema,
  policies: typedListSchema,
  context: Type.Union([Type.String(), Type.Null()]),
  revokedAt: Type.Union([Type.Number(), Type.Null()]),
})

function createListEndpoint(sessions: SmartSessions): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/sessions/:address',
    group,
    summary: 'The permissions that an account granted, newest first, at most 255.',
    params,
    query,
    response: Type.Object({ pcis: Type.Array(sessionSchema) }),
    example: { params: { address: account } },
    handle: async ({ params: { address } }) => ({
      pcis: (await sessions.active(parseSessionAccount(address))).map(toSessionResponse),
    }),
  })
}

function toSessionResponse(session: SmartSession): Static<typeof sessionSchema> {
  const { pci: id, project, expiry, createdAt, permissions, policies, context, revokedAt } = session
  return {
    project: { id: project, name: project },
    pci: id,
    expiry,
    createdAt: toSeconds(createdAt),
    permissions: [...permissions],
    policies: [...policies],
    context: context ?? null,
    revokedAt: revokedAt === undefined ? null : toSeconds(revokedAt),
  }
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000)
}

function createContextEndpoint(sessions: SmartSessions): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/sessions/:address/getcontext',
    group,
    summary: 'The id that the wallet gave a permission. Each use of the permission contains it.',
    params,
    query: Type.Object({ ...query.properties, pci: uuid }),
    response: Type.Object({ context: Type.String() }),
    example: { params: { address: account }, query: { pci }, status: 400 },
    handle: async ({ params: { address }, query }) => ({
      context: await sessions.contextOf(parseSessionAccount(address), query.pci),
    }),
  })
}

function createActivateEndpoint(sessions: SmartSessions): Endpoint {
  return defineEndpoint({
    method: 'POST',
    isWrite: true,
    path: '/v1/sessions/:address/activate',
    group,
    summary: 'Activates a permission with what the wallet granted.',
    params,
    query,
    body: Type.Object({ ...terms, pci: uuid, context: hex }),
    response: done,
    example: { params: { address: account }, body: { ...exampleTerms, pci, context: '0x01' }, status: 400 },
    async handle({ params: { address }, body: { pci: id, context, ...granted } }) {
      await sessions.activate(parseSessionAccount(address), id, context, granted)
      return { success: true as const }
    },
  })
}

function createRevokeEndpoint(sessions: SmartSessions): Endpoint {
  return defineEndpoint({
    method: 'POST',
    isWrite: true,
    path: '/v1/sessions/:address/revoke',
    group,
    summary:
      'Ends a permission. The account signs "Revoke the permission <pci> of <account>." (EIP-191, ERC-1271, ERC-6492).',
    params,
    query,
    body: Type.Object({ pci: uuid, signature: hex }),
    response: done,
    example: { params: { address: account }, body: { pci, signature: '0x01' }, status: 400 },
    async handle({ params: { address }, body }) {
      // The pattern is that of the type.
      await sessions.revoke(parseSessionAccount(address), body.pci, body.signature as `0x${string}`)
      return { success: true as const }
    },
  })
}

/** @throws Problem 400 `address` */
function parseSessionAccount(id: string): SessionAccount {
  if (!isAccountId(id)) throw new Problem(400, 'address', 'This is not a CAIP-10 id.')
  const { namespace, reference, chainId, address } = parseAccountId(id)
  if (namespace !== 'eip155' || !isNamespaceAddress('eip155', address) || !/^[1-9]\d{0,15}$/.test(reference)) {
    throw new Problem(400, 'address', 'Permissions are available for eip155 accounts only.')
  }
  const plain = address.toLowerCase() as `0x${string}`
  return { id: `${chainId}:${plain}`, chainId: Number(reference), address: plain }
}
