import { isLatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { parseConfig } from './config.ts'

const network = {
  id: 31337,
  caipNetworkId: 'eip155:31337',
  chainNamespace: 'eip155',
  name: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } },
}
const token = { caipNetworkId: 'eip155:31337', address: '0x5FbD', name: 'Local Dollar', symbol: 'LUSD', decimals: 6 }
const valid = { projectId: 'local', relay: 'ws://127.0.0.1:4000/relay', networks: [network], tokens: [token] }

function problemsOf(config: unknown): readonly string[] {
  try {
    parseConfig(JSON.stringify(config))
  } catch (error) {
    if (isLatchkeyError(error, 'config/invalid')) return error.context.problems
  }
  return []
}

test('reads what the host wrote and leaves out what the wallet has no use for', () => {
  const config = parseConfig(
    JSON.stringify({ ...valid, server: 'http://127.0.0.1:4000', wallet: 'http://127.0.0.1:4002' }),
  )
  expect(config).toEqual({ ...valid, web: undefined })
})

test('lists all that is wrong at once', () => {
  expect(
    problemsOf({ relay: 'http://127.0.0.1', web: 'javascript:alert(1)', networks: [{ name: 'x' }], tokens: [{}] }),
  ).toEqual([
    'projectId is missing',
    'relay is no websocket address',
    'web is no web address',
    'networks[0] is no network',
    'tokens[0] is no token',
  ])
})

test('takes no network without an endpoint, and no endpoint that is no web address', () => {
  const withUrls = (http: readonly string[]) => ({
    ...valid,
    networks: [{ ...network, rpcUrls: { default: { http } } }],
  })
  expect(problemsOf(withUrls([]))).toEqual(['networks[0] is no network'])
  expect(problemsOf(withUrls(['ftp://127.0.0.1']))).toEqual(['networks[0] is no network'])
})

test('says that a page without configuration has none', () => {
  expect(problemsOf({})).toContain('networks is empty')
  expect(() => parseConfig('not JSON')).toThrow('it is no JSON object')
})
