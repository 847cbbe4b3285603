import { expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createProjectGuard } from '../http/projectGuard.ts'
import { createSupportedChainsEndpoint } from './supportedChainsEndpoint.ts'

const createChain = (caipNetworkId: Chain['caipNetworkId'], more: Partial<Chain> = {}): Chain => ({
  caipNetworkId,
  name: caipNetworkId,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:1'],
  tokens: [],
  ...more,
})

test('supported-chains lists chains with HTTP, with sockets, with histories and with swaps [R7.1.2]', async () => {
  const chains = [
    createChain('eip155:1', { wsUrls: ['ws://127.0.0.1:1'] }),
    createChain('eip155:10', { exchange: false }),
    createChain('eip155:31337', { exchange: { wrappedNative: '0x1', router: '0x2' } }),
    createChain('eip155:31338'),
    createChain('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'),
  ]
  const historySources = [{ covers: ({ caipNetworkId }: Chain) => caipNetworkId.startsWith('solana:') }]
  const projects = createProjects('any')
  const app = await createHttp({ logLevel: 'silent', projects })
  const rate = { perSecond: 1, burst: 2 }
  const guard = createProjectGuard({
    projects,
    trustedProxies: 0,
    limiter: createInProcessRateLimiters({ now: () => 0 }).create('test', rate),
  })
  mountEndpoints(app, [createSupportedChainsEndpoint({ chains, historySources })], guard)
  const response = await app.inject('/v1/supported-chains')
  expect(response.json()).toEqual({
    http: chains.map(({ caipNetworkId }) => caipNetworkId),
    ws: ['eip155:1'],
    history: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    swaps: ['eip155:1', 'eip155:31337'],
  })
  expect(response.headers['cache-control']).toContain('max-age=86400')
})
