import { fakeNetwork } from '@latchkey/core/fakes'
import type { ProposedNamespaces, SessionProposal } from '@latchkey/walletconnect/wallet'
import { expect, test } from 'vitest'
import { createEvmAdapter } from '../namespaces/evm/createEvmAdapter.ts'
import { toApproval, getProposalSupport } from './proposalSupport.ts'

const adapters = [createEvmAdapter()]
const networks = [fakeNetwork({ id: 1, name: 'First' })]

function offerOf(optionalNamespaces: ProposedNamespaces, requiredNamespaces: ProposedNamespaces = {}) {
  const proposal: SessionProposal = {
    id: 1,
    pairingTopic: '',
    proposer: { name: '', description: '', url: '', icons: [] },
    proposerPublicKey: '',
    requiredNamespaces,
    optionalNamespaces,
    authentication: [],
    expiry: 0,
  }
  return getProposalSupport(proposal, adapters, networks)
}

test('proposal lists every requested network, supported ones first', () => {
  const support = offerOf({
    solana: { chains: ['solana:mainnet'], methods: ['solana_signMessage'], events: [] },
    eip155: { chains: ['eip155:10', 'eip155:1'], methods: ['personal_sign', 'eth_sign'], events: [] },
  })
  expect(support.networks).toEqual([
    { chainId: 'eip155:1', name: 'First', isSupported: true, isRequired: false },
    { chainId: 'solana:mainnet', name: 'solana:mainnet', isSupported: false, isRequired: false },
    { chainId: 'eip155:10', name: 'eip155:10', isSupported: false, isRequired: false },
  ])
  expect(support.methods).toEqual([
    { name: 'solana_signMessage', isSupported: false },
    { name: 'personal_sign', isSupported: true },
    { name: 'eth_sign', isSupported: false },
  ])
  expect(support.obstacle).toBeUndefined()
})

test('approval contains each selected account on each supported network and only supported methods', () => {
  const support = offerOf({ eip155: { chains: ['eip155:1', 'eip155:10'], methods: ['eth_sign'], events: [] } })
  const { accounts, methods } = toApproval(support, support.accounts.slice(0, 2), adapters)
  expect(accounts).toEqual(support.accounts.slice(0, 2).map(({ address }) => `eip155:1:${address}`))
  expect(methods).not.toContain('eth_sign')
})

test.each([
  ['a required network', { eip155: { chains: ['eip155:10'], methods: [], events: [] } }, 'the network eip155:10'],
  ['a required method', { eip155: { chains: ['eip155:1'], methods: ['eth_sign'], events: [] } }, 'requires eth_sign'],
] as const)('missing %s is reported as the obstacle', (_, required, text) => {
  const optional = { eip155: { chains: ['eip155:1'], methods: [], events: [] } } as const
  expect(offerOf(optional, required).obstacle).toContain(text)
})

test('proposal without a supported network has no accounts and reports the obstacle', () => {
  expect(offerOf({ solana: { chains: ['solana:mainnet'], methods: [], events: [] } })).toMatchObject({
    accounts: [],
    obstacle: 'The app requests no network that this wallet supports.',
  })
})
