import type { TokenBalance } from '@latchkey/protocol'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createProjectGuard } from '../http/projectGuard.ts'
import type { BalanceSource } from './balanceSource.ts'
import { createBalancesEndpoint } from './balancesEndpoint.ts'

const projectId = 'ab'.repeat(16)
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const createChain = (caipNetworkId: Chain['caipNetworkId']): Chain => ({
  caipNetworkId,
  name: caipNetworkId,
  nativeCurrency,
  rpcUrls: ['http://127.0.0.1:1'],
  tokens: [],
})
const chains = [createChain('eip155:1'), createChain('eip155:10'), createChain('solana:mainnet')]

const createEtherBalance = (chainId: string): TokenBalance => ({
  name: 'Ether',
  symbol: 'ETH',
  chainId,
  price: 0,
  quantity: { decimals: '18', numeric: '1' },
  iconUrl: '',
})

const isEvm: BalanceSource['covers'] = ({ caipNetworkId }) => caipNetworkId.startsWith('eip155:')
const rich: BalanceSource = {
  covers: isEvm,
  balances: async ({ caipNetworkId }) => [createEtherBalance(caipNetworkId)],
}

type BalanceCall = { query: Record<string, string>; source?: BalanceSource; who?: string }

async function createApp(source = rich): Promise<FastifyInstance> {
  const projects = createProjects('any')
  const app = await createHttp({ logLevel: 'silent', projects })
  const rate = { perSecond: 1, burst: 2 }
  const guard = createProjectGuard({
    projects,
    trustedProxies: 0,
    limiter: createInProcessRateLimiters({ now: () => 0 }).create('test', rate),
  })
  mountEndpoints(app, [createBalancesEndpoint({ chains, sources: [source] })], guard)
  return app
}

async function request({ query, source, who = address }: BalanceCall): Promise<{ status: number; body: unknown }> {
  const app = await createApp(source)
  const response = await app.inject(`/v1/account/${who}/balance?${new URLSearchParams({ projectId, ...query })}`)
  return { status: response.statusCode, body: response.json() }
}

test('balance returns all EVM chains, or the requested one [R7.1.5]', async () => {
  expect(await request({ query: { currency: 'usd', st: 'appkit', sv: 'html-1' } })).toEqual({
    status: 200,
    body: { balances: [createEtherBalance('eip155:1'), createEtherBalance('eip155:10')] },
  })
  const forceUpdate = `eip155:10:${address}`
  expect(await request({ query: { currency: 'eur', chainId: 'eip155:10', forceUpdate } })).toEqual({
    status: 200,
    body: { balances: [createEtherBalance('eip155:10')] },
  })
})

test.each<[string, BalanceCall, string]>([
  ['an address of something else', { query: { currency: 'usd' }, who: 'alice.eth' }, 'address'],
  ['a chain that is not configured', { query: { currency: 'usd', chainId: 'eip155:56' } }, 'chainId'],
  ['a chain that cannot be read', { query: { currency: 'usd', chainId: 'solana:mainnet' } }, 'address'],
  [
    'forced assets of another namespace',
    { query: { currency: 'usd', forceUpdate: 'solana:mainnet:abc' } },
    'forceUpdate',
  ],
  ['no currency', { query: {} }, 'currency'],
  ['no project', { query: { currency: 'usd', projectId: '' } }, 'projectId'],
])('balance rejects %s', async (_what, call, field) => {
  const { status, body } = await request(call)
  expect([status, body]).toMatchObject([400, { status: 'FAILED', reasons: [{ field }] }])
})

test('balance rejects an unknown currency with 422', async () => {
  const { status, body } = await request({ query: { currency: 'xau' } })
  expect([status, body]).toMatchObject([422, { status: 'FAILED', reasons: [{ field: 'currency' }] }])
})

test('balance rejects an invalid project id', async () => {
  expect((await request({ query: { currency: 'usd', projectId: 'abc' } })).status).toBe(401)
})

test('balance leaves out an unavailable chain, and fails if no other remains', async () => {
  const source: BalanceSource = {
    covers: isEvm,
    async balances({ caipNetworkId }) {
      if (caipNetworkId === 'eip155:1') throw new Error('away')
      return [createEtherBalance(caipNetworkId)]
    },
  }
  const { body } = await request({ query: { currency: 'usd' }, source })
  expect(body).toEqual({ balances: [createEtherBalance('eip155:10')] })
  expect((await request({ query: { currency: 'usd', chainId: 'eip155:1' }, source })).status).toBe(503)
})

test('balance rejects a client above its rate limit with Retry-After [P-04]', async () => {
  const app = await createApp()
  const get = (): Promise<LightMyRequestResponse> =>
    app.inject({
      url: `/v1/account/${address}/balance?currency=usd&projectId=${projectId}`,
      headers: { 'x-forwarded-for': '203.0.113.7' },
    })
  const responses = [await get(), await get(), await get()]
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429])
  expect(responses[2]?.headers['retry-after']).toBe('1')
})
