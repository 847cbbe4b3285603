import type { AccountId, ChainId } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { createAuthPayload } from './authPayload.ts'
import { createCacao, type Cacao } from './cacao.ts'
import { namespacesFromCacaos } from './namespacesFromCacaos.ts'
import { formatRecap } from './recap.ts'

const chains: readonly ChainId[] = ['eip155:1', 'eip155:10']
const address = `0x${'11'.repeat(20)}`
const requested = createAuthPayload(
  { domain: 'app.example', uri: 'https://app.example', nonce: 'abcdef0123456789' },
  chains,
  ['personal_sign'],
  Date.UTC(2026, 0, 1),
)

/** Signs a ReCap with methods on the given chains, or on all without any. */
function createCacaoOf(account: AccountId, methods: readonly string[], on?: readonly string[]): Cacao {
  const uses = [on === undefined ? {} : { chains: on }]
  const abilities = Object.fromEntries(methods.map((method) => [`request/${method}`, uses]))
  return createCacao({ ...requested, resources: [formatRecap({ att: { eip155: abilities } })] }, account, '0x')
}

describe('namespacesFromCacaos', () => {
  test('returns the signed methods on the signed chains', () => {
    const one = createCacaoOf(`eip155:1:${address}`, ['personal_sign', 'eth_sign'], chains)
    expect(namespacesFromCacaos([one], requested)?.eip155).toEqual({
      chains,
      accounts: [`eip155:1:${address}`, `eip155:10:${address}`],
      methods: ['eth_sign', 'personal_sign'],
      events: ['accountsChanged', 'chainChanged'],
    })
  })

  test('applies a ReCap without chains to the chain of its signer', () => {
    expect(
      namespacesFromCacaos([createCacaoOf(`eip155:10:${address}`, ['eth_sign'])], requested)?.eip155,
    ).toMatchObject({
      chains: ['eip155:10'],
      accounts: [`eip155:10:${address}`],
    })
  })

  test('contains no chain that was not requested, and none of another namespace', () => {
    const wide = createCacaoOf(`eip155:1:${address}`, ['eth_sign'], ['eip155:137', 'solana:mainnet', 'eip155:1'])
    expect(namespacesFromCacaos([wide], requested)?.eip155?.chains).toEqual(['eip155:1'])
  })

  test('merges the grants of several signers', () => {
    const other = `0x${'22'.repeat(20)}`
    const granted = namespacesFromCacaos(
      [createCacaoOf(`eip155:1:${address}`, ['eth_sign']), createCacaoOf(`eip155:1:${other}`, ['personal_sign'])],
      requested,
    )
    expect(granted?.eip155).toMatchObject({
      chains: ['eip155:1'],
      accounts: [`eip155:1:${address}`, `eip155:1:${other}`],
      methods: ['eth_sign', 'personal_sign'],
    })
  })

  test('returns undefined if no method was granted', () => {
    expect(namespacesFromCacaos([createCacaoOf(`eip155:1:${address}`, [])], requested)).toBeUndefined()
    expect(
      namespacesFromCacaos(
        [createCacao({ ...requested, resources: undefined }, `eip155:1:${address}`, '0x')],
        requested,
      ),
    ).toBeUndefined()
  })
})
