import { Type, type Static } from '@sinclair/typebox'
import { chainIdQuery, commonQuery, isNamespaceAddress } from '../api/http/commonQuery.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import { defineEndpoint, type Endpoint } from '../kit/http/defineEndpoint.ts'
import { Problem } from '../kit/http/problem.ts'
import { getNamedChain } from './getNamedChain.ts'
import type { NameRegistry } from './nameRegistry.ts'
import type { NameRecord } from './nameStore.ts'

const time = Type.String()
const attributes = Type.Record(Type.String(), Type.String())
const addresses = Type.Record(Type.String(), Type.Object({ address: Type.String(), created_at: time }))
const record = Type.Object({
  name: Type.String(),
  registered_at: time,
  updated_at: Type.Union([time, Type.Null()]),
  expires_at: time,
  attributes: Type.Union([attributes, Type.Null()]),
  addresses,
})
type NameResponse = Static<typeof record>

const group = 'Names'
const nameParam = Type.Object({ name: Type.String({ maxLength: 128 }) })
const versioned = Type.Object({
  ...commonQuery,
  apiVersion: Type.Optional(Type.String({ maxLength: 8 })),
  sender: Type.Optional(Type.String({ maxLength: 128 })),
})
const plain = Type.Object(commonQuery)
const signed = Type.Object({
  coin_type: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
  address: Type.String({ maxLength: 64 }),
  message: Type.String({ maxLength: 4_096 }),
  signature: Type.String({ maxLength: 20_000 }),
})

const who = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** An expired registration, so that the example's signature has no effect. */
const late = {
  coin_type: 60,
  address: who,
  message: '{"name":"visitor.latchkey.test","attributes":{},"timestamp":1700000000}',
  signature: `0x${'00'.repeat(65)}`,
}

/** `/v1/profile/…`: names of this server's own. */
export function createNameEndpoints(registry: NameRegistry, clock: Clock): readonly Endpoint[] {
  return [
    zonesEndpoint(registry, clock),
    ...lookUpEndpoints(registry),
    suggestionsEndpoint(registry),
    ...changeEndpoints(registry),
    ...transitionEndpoints(registry),
  ]
}

/** The available suffixes and the server's time, because a message is valid for a few seconds only. */
function zonesEndpoint({ zones: given }: NameRegistry, clock: Clock): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/profile/zones',
    group,
    isPublic: true,
    summary: 'The suffixes that names of this server end in, best first, and its time in seconds.',
    query: plain,
    response: Type.Object({ zones: Type.Array(Type.String()), now: Type.Number() }),
    example: {},
    handle: () => ({ zones: [...given], now: clock.now() / 1000 }),
  })
}

function lookUpEndpoints(registry: NameRegistry): readonly Endpoint[] {
  return [
    defineEndpoint({
      method: 'GET',
      path: '/v1/profile/account/:name',
      group,
      isPublic: true,
      summary: 'A registered name and the addresses that it resolves to.',
      params: nameParam,
      query: versioned,
      response: Type.Union([record, Type.Array(record)]),
      example: { params: { name: 'nobody.latchkey.test' }, query: { apiVersion: '2' } },
      async handle({ params: { name }, query: { apiVersion } }) {
        const found = await registry.find(name)
        if (found !== undefined) return toNameResponse(found)
        if (apiVersion === '2') return []
        throw new Problem(404, 'name', 'This name is not registered.')
      },
    }),
    defineEndpoint({
      method: 'GET',
      path: '/v1/profile/reverse/:address',
      group,
      isPublic: true,
      summary: 'The names that an address registered, with those of a contract on the given chain.',
      params: Type.Object({ address: Type.String({ maxLength: 128 }) }),
      query: Type.Object({ ...versioned.properties, ...chainIdQuery }),
      response: Type.Array(record),
      example: { params: { address: who }, query: { apiVersion: '2' } },
      async handle({ params: { address }, query: { apiVersion, chainId } }) {
        if (!isNamespaceAddress('eip155', address)) {
          throw new Problem(400, 'address', 'This is not an eip155 address.')
        }
        const found = (await registry.ofOwner(address)).filter((each) => isNameOf(each, chainId))
        if (found.length > 0 || apiVersion === '2') return found.map(toNameResponse)
        throw new Problem(404, 'address', 'This address has no name.')
      },
    }),
    defineEndpoint({
      method: 'GET',
      path: '/v1/profile/offers/:address',
      group,
      isPublic: true,
      summary: 'The names that are offered to an address. It owns them once it accepts.',
      params: Type.Object({ address: Type.String({ maxLength: 128 }) }),
      query: plain,
      response: Type.Array(record),
      example: { params: { address: who } },
      cache: 'no-store',
      async handle({ params: { address } }) {
        if (!isNamespaceAddress('eip155', address)) {
          throw new Problem(400, 'address', 'This is not an eip155 address.')
        }
        return (await registry.offeredTo(address)).map(toNameResponse)
      },
    }),
  ]
}

/** True if the name belongs to the account of its owner on the chain, or without a chain, on all chains. */
function isNameOf(record: NameRecord, chainId: string | undefined): boolean {
  const named = getNamedChain(record)
  return named === undefined || named === chainId
}

function suggestionsEndpoint(registry: NameRegistry): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/profile/suggestions/:name',
    group,
    isPublic: true,
    summary: 'Suggestions for a typed name: the name itself, then available ones.',
    params: nameParam,
    query: Type.Object({ ...commonQuery, zone: Type.Optional(Type.String({ maxLength: 128 })) }),
    response: Type.Object({
      suggestions: Type.Array(Type.Object({ name: Type.String(), registered: Type.Boolean() })),
    }),
    example: { params: { name: 'visitor' }, query: { zone: 'latchkey.test' } },
    async handle({ params: { name }, query: { zone } }) {
      if (name.length < 3 || name.length > 64 || !/^[a-z0-9.-]+$/.test(name)) {
        throw new Problem(400, 'name', 'Type three or more of the letters a to z, digits and hyphens.')
      }
      return { suggestions: [...(await registry.suggest(name, zone))] }
    },
  })
}

function changeEndpoints(registry: NameRegistry): readonly Endpoint[] {
  const example = { params: { name: 'visitor.latchkey.test' }, body: late, status: 400 }
  return [
    defineEndpoint({
      method: 'POST',
      isWrite: true,
      path: '/v1/profile/account',
      group,
      isPublic: true,
      summary: 'Registers the name in a message that its address signed within the last ten seconds.',
      query: plain,
      body: signed,
      response: record,
      example: { body: late, status: 400 },
      handle: async ({ body }) => toNameResponse(await registry.register(body)),
    }),
    defineEndpoint({
      method: 'POST',
      isWrite: true,
      path: '/v1/profile/account/:name/attributes',
      group,
      isPublic: true,
      summary: 'Changes the attributes of a name.',
      params: nameParam,
      query: plain,
      body: signed,
      response: attributes,
      example,
      handle: async ({ params: { name }, body }) => ({ ...(await registry.changeAttributes(name, body)).attributes }),
    }),
    defineEndpoint({
      method: 'POST',
      isWrite: true,
      path: '/v1/profile/account/:name/address',
      group,
      isPublic: true,
      summary: 'Changes the address that a name resolves to on a chain.',
      params: nameParam,
      query: plain,
      body: signed,
      response: addresses,
      example,
      handle: async ({ params: { name }, body }) => toNameResponse(await registry.changeAddress(name, body)).addresses,
    }),
  ]
}

/** Changes of the whole name. The message contains `action`, `name` and `timestamp`. */
function transitionEndpoints(registry: NameRegistry): readonly Endpoint[] {
  const define = (
    path: string,
    summary: string,
    change: (name: string, sent: Static<typeof signed>) => Promise<NameRecord>,
  ): Endpoint =>
    defineEndpoint({
      method: 'POST',
      isWrite: true,
      path: `/v1/profile/account/:name/${path}`,
      group,
      isPublic: true,
      summary,
      params: nameParam,
      query: plain,
      body: signed,
      response: record,
      example: { params: { name: 'visitor.latchkey.test' }, body: late, status: 400 },
      handle: async ({ params: { name }, body }) => toNameResponse(await change(name, body)),
    })
  return [
    define('renew', 'Starts a new term of a name, up to 90 days after its expiry.', registry.renew),
    define(
      'transfer',
      'Offers a name to the address `to`, for seven days. An offer to the owner withdraws it.',
      registry.transfer,
    ),
    define('accept', 'Accepts a name that is offered to the signer, who then owns it.', registry.accept),
    defineEndpoint({
      method: 'POST',
      isWrite: true,
      path: '/v1/profile/account/:name/release',
      group,
      isPublic: true,
      summary: 'Gives a name back. For 90 days, only its former owner can register it again.',
      params: nameParam,
      query: plain,
      body: signed,
      response: Type.Object({ name: Type.String() }),
      example: { params: { name: 'visitor.latchkey.test' }, body: late, status: 400 },
      async handle({ params: { name }, body }) {
        await registry.release(name, body)
        return { name: name.toLowerCase() }
      },
    }),
  ]
}

function toNameResponse({
  name,
  registeredAt,
  updatedAt,
  expiresAt,
  attributes: said,
  addresses: known,
}: NameRecord): NameResponse {
  return {
    name,
    registered_at: rfc3339(registeredAt),
    updated_at: updatedAt === null ? null : rfc3339(updatedAt),
    expires_at: rfc3339(expiresAt),
    attributes: said === null ? null : { ...said },
    addresses: Object.fromEntries(
      Object.entries(known).map(([coinType, { address, createdAt }]) => [
        coinType,
        { address, created_at: rfc3339(createdAt) },
      ]),
    ),
  }
}

function rfc3339(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
