import { expect, test } from 'vitest'
import { findSchemaProblems } from '../config/parseWithSchema.ts'
import { chainsSchema } from './chains.ts'

const chain = {
  caipNetworkId: 'eip155:100',
  name: 'Gnosis',
  nativeCurrency: { name: 'xDai', symbol: 'XDAI', decimals: 18 },
  rpcUrls: ['https://node.example'],
}
const mistakesOf = (provider: object): readonly string[] =>
  findSchemaProblems(chainsSchema, [{ ...chain, tokens: [], providers: [provider] }]).map(({ message }) => message)

test.each<{ kind: string; url?: string; key?: string; network?: string; coin?: string }>([
  { kind: 'blockscout', url: 'https://gnosis.blockscout.com' },
  { kind: 'etherscan', key: 'secret' },
  { kind: 'goldrush', key: 'secret', network: 'gnosis-mainnet' },
  { kind: 'coingecko', network: 'xdai', coin: 'xdai' },
  { kind: 'esplora', url: 'https://esplora.example/api' },
  { kind: 'electrum', url: 'ssl://electrum.example:50002' },
  { kind: 'electrum', url: 'tcp://127.0.0.1:50001' },
  { kind: 'electrum', url: 'tcp://[::1]:50001' },
  { kind: 'subscan', url: 'https://polkadot.api.subscan.io', key: 'secret' },
])('the provider $kind is accepted', (provider) => {
  expect(mistakesOf(provider)).toEqual([])
})

test.each<[object, string]>([
  [{ kind: 'blockscout' }, 'need a url'],
  [{ kind: 'esplora' }, 'need a url'],
  [{ kind: 'electrum' }, 'need a url'],
  [{ kind: 'electrum', url: 'tcp://electrum.example:50001' }, 'ssl://'],
  [{ kind: 'electrum', url: 'tcp://127.0.0.1.electrum.example:50001' }, 'ssl://'],
  [{ kind: 'electrum', url: 'https://electrum.example' }, 'ssl://'],
  [{ kind: 'esplora', url: 'ssl://electrum.example:50002' }, 'must begin with http:// or https://'],
  [{ kind: 'subscan', key: 'secret' }, 'need a url'],
  [{ kind: 'goldrush', key: 'secret' }, 'need a network'],
  [{ kind: 'coingecko', key: 'secret' }, 'need a network'],
  [{ kind: 'coingecko', network: '../../admin' }, 'letters'],
  [{ kind: 'etherscan', url: 'file:///etc/passwd', key: 'secret' }, 'must begin with http:// or https://'],
  [{ kind: 'somebody', key: 'secret' }, 'must be one of'],
])('%j is rejected without its key in the message', (provider, words) => {
  const mistakes = mistakesOf(provider).join()
  expect(mistakes).toContain(words)
  expect(mistakes).not.toContain('secret')
})
