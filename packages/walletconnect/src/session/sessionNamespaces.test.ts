import { fakeNetwork } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import {
  assertNamespacesCovered,
  proposeNamespaces,
  parseEventChainId,
  parseProposedNamespaces,
  parseSessionNamespaces,
  listAccountsOnChain,
  listUsableChains,
} from './sessionNamespaces.ts'
import { toNamespaceError } from '../wallet/toNamespaceError.ts'

const invalid = expect.objectContaining({ code: 'session/invalid' })
const address = '0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb'
const scope = { methods: ['personal_sign'], events: ['chainChanged'] }

describe('a proposal', () => {
  test('contains each network of the app once, with the methods of its namespace [R7.3.3]', () => {
    const mainnet = { ...fakeNetwork(), id: 1, caipNetworkId: 'eip155:1', chainNamespace: 'eip155' } as const
    const solana = {
      ...mainnet,
      caipNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      chainNamespace: 'solana',
    } as const
    const { eip155, solana: other } = proposeNamespaces([
      mainnet,
      { ...mainnet, caipNetworkId: 'eip155:10' },
      mainnet,
      solana,
    ])
    expect(eip155?.chains).toEqual(['eip155:1', 'eip155:10'])
    expect(eip155?.methods).toEqual(
      expect.arrayContaining(['eth_sendTransaction', 'personal_sign', 'wallet_sendCalls']),
    )
    expect(other?.methods).toContain('solana_signMessage')
  })

  test.each([
    ['empty chains', { cosmos: { ...scope, chains: [] } }],
    ['chains that are not CAIP-2', { eip155: { ...scope, chains: ['42'] } }],
    ['chains of another namespace', { eip155: { ...scope, chains: ['eip155:1', 'cosmos:cosmoshub-4'] } }],
    ['a key that is not a namespace', { '**': { ...scope, chains: ['**:1'] } }],
    ['a key that is too short', { ab: { ...scope, chains: ['eip155:1'] } }],
    ['a key that is too long', { abcdefghi: { ...scope, chains: ['abcdefghi:1'] } }],
    ['a key in upper case', { EIP155: { ...scope, chains: ['EIP155:1'] } }],
    ['a namespace that is not an object', { eip155: 'eip155:1' }],
    ['chains that are not a list', { 'eip155:1': { ...scope, chains: 'eip155:1' } }],
    ['no methods', { eip155: { chains: ['eip155:1'], events: [] } }],
    ['no events', { eip155: { chains: ['eip155:1'], methods: [] } }],
    ['a key that names a chain and lists another', { 'eip155:1': { ...scope, chains: ['eip155:10'] } }],
    [
      'one good and one bad namespace',
      { eip155: { ...scope, chains: ['eip155:1'] }, cosmos: { ...scope, chains: [] } },
    ],
    ['methods that are not strings', { eip155: { chains: ['eip155:1'], methods: [1], events: [] } }],
    ['not an object', 'eip155'],
  ])('is refused: %s', (_, namespaces) => {
    expect(() => parseProposedNamespaces(namespaces)).toThrow(invalid)
  })

  test('may have chains as keys, and may be empty', () => {
    const read = parseProposedNamespaces({
      eip155: { ...scope, chains: ['eip155:1'] },
      'eip155:10': { methods: ['eth_sign'], events: [] },
    })
    expect(read).toEqual({
      eip155: { chains: ['eip155:1', 'eip155:10'], methods: ['personal_sign', 'eth_sign'], events: ['chainChanged'] },
    })
    expect(parseProposedNamespaces({})).toEqual({})
  })
})

describe('an approval', () => {
  const account = `eip155:1:${address}`

  test.each([
    ['no accounts', { eip155: { ...scope, accounts: [] } }],
    ['accounts that are not CAIP-10', { eip155: { ...scope, accounts: [`eip155:${address}`] } }],
    ['accounts of another namespace', { eip155: { ...scope, accounts: ['cosmos:cosmoshub-4:abc'] } }],
    ['an account with a character that addresses do not have', { eip155: { ...scope, accounts: [`${account}!`] } }],
    ['an account with more than four fields', { eip155: { ...scope, accounts: [`${account}:1`] } }],
    ['an account with text before its namespace', { eip155: { ...scope, accounts: [`:${account}`] } }],
    ['an address that is too long', { eip155: { ...scope, accounts: [`eip155:1:${'a'.repeat(129)}`] } }],
    ['accounts that are not a list', { eip155: { ...scope, accounts: account } }],
    ['one good and one bad account', { eip155: { ...scope, accounts: [account, address] } }],
    ['no namespaces', {}],
  ])('is refused: %s', (_, namespaces) => {
    expect(() => parseSessionNamespaces(namespaces)).toThrow(invalid)
  })

  test('may have chains as keys, whose members are merged without duplicates', () => {
    const other = `eip155:10:${address}`
    const granted = parseSessionNamespaces({
      'eip155:1': { ...scope, accounts: [account] },
      'eip155:10': { methods: ['eth_sign', 'personal_sign'], events: ['accountsChanged'], accounts: [other] },
    })
    expect(granted).toEqual({
      eip155: {
        chains: ['eip155:1', 'eip155:10'],
        accounts: [account, other],
        methods: ['personal_sign', 'eth_sign'],
        events: ['chainChanged', 'accountsChanged'],
      },
    })
  })

  test('may have namespaces that Latchkey does not know', () => {
    const accounts = [`cosmos:cosmoshub-4:${'a'.repeat(128)}`]
    expect(parseSessionNamespaces({ cosmos: { ...scope, accounts } }).cosmos).toMatchObject({
      accounts,
      chains: ['cosmos:cosmoshub-4'],
    })
  })

  test('may have several accounts on a chain and more methods than proposed', () => {
    const granted = parseSessionNamespaces({
      eip155: { ...scope, accounts: [account, 'eip155:1:0x25caCa7f7Bf3A77b1738A8c98A666dd9e4C69A0C'] },
    })
    expect(granted.eip155).toMatchObject({ chains: ['eip155:1'] })
    expect(() =>
      assertNamespacesCovered(granted, { eip155: { chains: ['eip155:1'], methods: [], events: [] } }),
    ).not.toThrow()
  })

  test.each([
    ['a namespace', { solana: { chains: ['solana:abc'], methods: [], events: [] } } as const],
    ['a chain', { eip155: { chains: ['eip155:10'], methods: [], events: [] } } as const],
    ['a method', { eip155: { chains: ['eip155:1'], methods: ['eth_sign'], events: [] } } as const],
    ['an event', { eip155: { chains: ['eip155:1'], methods: [], events: ['accountsChanged'] } } as const],
  ])('is refused without the required scope: %s', (_, required) => {
    const granted = parseSessionNamespaces({ eip155: { ...scope, accounts: [account] } })
    expect(() => assertNamespacesCovered(granted, required)).toThrow(invalid)
  })

  test('makes a chain usable only with an account', () => {
    const granted = parseSessionNamespaces({
      eip155: { ...scope, chains: ['eip155:1', 'eip155:10'], accounts: [account] },
    })
    expect(granted.eip155 && listUsableChains(granted.eip155)).toEqual(['eip155:1'])
  })
})

describe('invalid namespaces have the error code of the member that is wrong', () => {
  const required = { eip155: { chains: ['eip155:1'], methods: ['eth_sign'], events: ['chainChanged'] } } as const
  const approve = (members: object) => () =>
    assertNamespacesCovered(
      parseSessionNamespaces({ eip155: { ...required.eip155, accounts: [`eip155:1:${address}`], ...members } }),
      required,
    )
  const propose = (members: object) => () => parseProposedNamespaces({ eip155: { ...required.eip155, ...members } })

  test.each([
    ['a missing chain', 5100, approve({ chains: [], accounts: [`eip155:10:${address}`] })],
    ['a missing method', 5101, approve({ methods: [] })],
    ['a missing event', 5102, approve({ events: [] })],
    ['no account', 5103, approve({ accounts: [] })],
    ['a malformed account', 5103, approve({ accounts: ['0x12'] })],
    ['a missing namespace', 5104, () => assertNamespacesCovered({}, required)],
    ['chains that are not CAIP-2', 5100, propose({ chains: ['42'] })],
    ['no chains', 5100, propose({ chains: [] })],
    ['methods that are not texts', 5101, propose({ methods: [1] })],
    ['events that are not a list', 5102, propose({ events: {} })],
    ['a namespace that is not CAIP-2', 5104, () => parseProposedNamespaces({ '**': scope })],
    ['a name with a character before it', 5104, () => parseProposedNamespaces({ '*abc': scope })],
    ['a name with a character after it', 5104, () => parseProposedNamespaces({ 'abc*': scope })],
  ])('%s: %d', (_, code, parse) => {
    expect(toNamespaceError(errorOf(parse)).code).toBe(code)
  })
})

function errorOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

test('accounts of a chain do not include those of a chain with a longer reference', () => {
  const accounts = [`eip155:10:${address}`, `eip155:1:${address}`]
  expect(listAccountsOnChain({ ...scope, chains: ['eip155:1'], accounts }, 'eip155:1')).toEqual([accounts[1]])
})

test('proposed chains are listed once', () => {
  const { eip155 } = parseProposedNamespaces({ eip155: { ...scope, chains: ['eip155:1', 'eip155:10', 'eip155:1'] } })
  expect(eip155?.chains).toEqual(['eip155:1', 'eip155:10'])
})

test.each([
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['', undefined],
  ['a:b:c', undefined],
  [{}, undefined],
])('the Solana chain %j is parsed as %s', (written, chain) => {
  expect(parseEventChainId(written, 'solana')).toBe(chain)
})

test.each([
  [1, 'eip155:1'],
  ['0xA', 'eip155:10'],
  ['137', 'eip155:137'],
  ['eip155:5', 'eip155:5'],
  [{}, undefined],
  ['0x', undefined],
  [-1, undefined],
])('the chain %j is parsed as %s', (written, chain) => {
  expect(parseEventChainId(written, 'eip155')).toBe(chain)
})
