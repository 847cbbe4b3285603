import { fakeNetwork } from '@latchkey/core/fakes'
import type { ProposedNamespaces, SessionProposal } from '@latchkey/walletconnect/wallet'
import { expect, test } from 'vitest'
import { evm } from '../families/evm/evm.ts'
import { approvalOf, readOffer } from './offer.ts'

const families = [evm()]
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
  return readOffer(proposal, families, networks)
}

test('names every network that is asked for, those it has first', () => {
  const offer = offerOf({
    solana: { chains: ['solana:mainnet'], methods: ['solana_signMessage'], events: [] },
    eip155: { chains: ['eip155:10', 'eip155:1'], methods: ['personal_sign', 'eth_sign'], events: [] },
  })
  expect(offer.networks).toEqual([
    { chainId: 'eip155:1', name: 'First', isSupported: true, isRequired: false },
    { chainId: 'solana:mainnet', name: 'solana:mainnet', isSupported: false, isRequired: false },
    { chainId: 'eip155:10', name: 'eip155:10', isSupported: false, isRequired: false },
  ])
  expect(offer.methods).toEqual([
    { name: 'solana_signMessage', isSupported: false },
    { name: 'personal_sign', isSupported: true },
    { name: 'eth_sign', isSupported: false },
  ])
  expect(offer.obstacle).toBeUndefined()
})

test('shares each chosen account on each network it has, and only what it can do', () => {
  const offer = offerOf({ eip155: { chains: ['eip155:1', 'eip155:10'], methods: ['eth_sign'], events: [] } })
  const { accounts, methods } = approvalOf(offer, offer.accounts.slice(0, 2), families)
  expect(accounts).toEqual(offer.accounts.slice(0, 2).map(({ address }) => `eip155:1:${address}`))
  expect(methods).not.toContain('eth_sign')
})

test.each([
  ['a required network', { eip155: { chains: ['eip155:10'], methods: [], events: [] } }, 'the network eip155:10'],
  ['a required method', { eip155: { chains: ['eip155:1'], methods: ['eth_sign'], events: [] } }, 'on eth_sign'],
] as const)('says that %s is missing', (_, required, said) => {
  const optional = { eip155: { chains: ['eip155:1'], methods: [], events: [] } } as const
  expect(offerOf(optional, required).obstacle).toContain(said)
})

test('says when nothing that is asked for is there', () => {
  expect(offerOf({ solana: { chains: ['solana:mainnet'], methods: [], events: [] } })).toMatchObject({
    accounts: [],
    obstacle: 'It asks for no network that this wallet has.',
  })
})
