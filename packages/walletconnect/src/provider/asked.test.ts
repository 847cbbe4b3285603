import { describe, expect, test } from 'vitest'
import { vocabulary } from '../namespaces.ts'
import { readAsked } from './asked.ts'

const words = { methods: ['personal_sign'], events: ['chainChanged'] }

describe('what an app asks for', () => {
  test('is taken as it is written', () => {
    const asked = {
      eip155: { chains: ['eip155:1', 'eip155:10'], ...words },
      cosmos: { chains: ['cosmos:hub-4'], ...words },
    } as const
    expect(readAsked(asked)).toEqual(asked)
  })

  test('may name a chain as the scope, and leave methods and events to what is known of the namespace', () => {
    expect(readAsked({ 'eip155:10': {}, solana: { chains: ['solana:devnet'] } })).toEqual({
      eip155: { chains: ['eip155:10'], ...vocabulary.eip155 },
      solana: { chains: ['solana:devnet'], ...vocabulary.solana },
    })
  })

  test('in two goes becomes one', () => {
    const required = { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } } as const
    const optional = { eip155: { chains: ['eip155:1', 'eip155:10'], ...words, methods: ['eth_sign'] } } as const
    expect(readAsked(required, optional, undefined)).toEqual({
      eip155: { chains: ['eip155:1', 'eip155:10'], methods: ['personal_sign', 'eth_sign'], events: ['chainChanged'] },
    })
  })

  test.each([
    ['nothing', {}],
    ['a namespace without chains', { eip155: { ...words } }],
    ['a chain of another namespace', { eip155: { chains: ['solana:devnet'] as const } }],
    ['what is no namespace', { 'EIP 155': { chains: ['eip155:1'] as const } }],
  ])('is refused when it is %s', (_, asked) => {
    expect(() => readAsked(asked)).toThrow(expect.objectContaining({ code: 'config/invalid' }))
  })
})
