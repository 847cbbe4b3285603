import { describe, expect, test } from 'vitest'
import { getNamespaceScope } from '../session/namespaceScopes.ts'
import { parseRequestedNamespaces } from './requestedNamespaces.ts'

const permissions = { methods: ['personal_sign'], events: ['chainChanged'] }

describe('parseRequestedNamespaces', () => {
  test('keeps given chains, methods and events', () => {
    const requested = {
      eip155: { chains: ['eip155:1', 'eip155:10'], ...permissions },
      cosmos: { chains: ['cosmos:hub-4'], ...permissions },
    } as const
    expect(parseRequestedNamespaces(requested)).toEqual(requested)
  })

  test('accepts a chain as scope, with the default methods and events of the namespace', () => {
    expect(parseRequestedNamespaces({ 'eip155:10': {}, solana: { chains: ['solana:devnet'] } })).toEqual({
      eip155: { chains: ['eip155:10'], ...getNamespaceScope('eip155') },
      solana: { chains: ['solana:devnet'], ...getNamespaceScope('solana') },
    })
  })

  test('merges two requests', () => {
    const required = { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } } as const
    const optional = { eip155: { chains: ['eip155:1', 'eip155:10'], ...permissions, methods: ['eth_sign'] } } as const
    expect(parseRequestedNamespaces(required, optional, undefined)).toEqual({
      eip155: { chains: ['eip155:1', 'eip155:10'], methods: ['personal_sign', 'eth_sign'], events: ['chainChanged'] },
    })
  })

  test.each([
    ['no namespaces', {}],
    ['a namespace without chains', { eip155: { ...permissions } }],
    ['a chain of another namespace', { eip155: { chains: ['solana:devnet'] as const } }],
    ['an invalid namespace', { 'EIP 155': { chains: ['eip155:1'] as const } }],
  ])('refuses %s', (_, requested) => {
    expect(() => parseRequestedNamespaces(requested)).toThrow(expect.objectContaining({ code: 'config/invalid' }))
  })
})
