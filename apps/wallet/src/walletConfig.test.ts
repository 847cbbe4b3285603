import { isLatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { parseWalletConfig } from './walletConfig.ts'

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
    parseWalletConfig(JSON.stringify(config))
  } catch (error) {
    if (isLatchkeyError(error, 'config/invalid')) return error.context.problems
  }
  return []
}

test('wallet configuration is parsed without unknown properties', () => {
  const config = parseWalletConfig(
    JSON.stringify({ ...valid, server: 'http://127.0.0.1:4000', wallet: 'http://127.0.0.1:4002' }),
  )
  expect(config).toEqual({ ...valid, web: undefined })
})

test('invalid configuration lists all problems in one error', () => {
  expect(
    problemsOf({ relay: 'http://127.0.0.1', web: 'javascript:alert(1)', networks: [{ name: 'x' }], tokens: [{}] }),
  ).toEqual([
    'projectId is missing',
    'relay is not a websocket URL',
    'web is not a web URL',
    'networks[0] is not a network',
    'tokens[0] is not a token',
  ])
})

test('network without an endpoint or with a non-web endpoint is rejected', () => {
  const withUrls = (http: readonly string[]) => ({
    ...valid,
    networks: [{ ...network, rpcUrls: { default: { http } } }],
  })
  expect(problemsOf(withUrls([]))).toEqual(['networks[0] is not a network'])
  expect(problemsOf(withUrls(['ftp://127.0.0.1']))).toEqual(['networks[0] is not a network'])
})

test('page without configuration throws', () => {
  expect(problemsOf({})).toContain('networks is empty')
  expect(() => parseWalletConfig('not JSON')).toThrow('it is not a JSON object')
})
