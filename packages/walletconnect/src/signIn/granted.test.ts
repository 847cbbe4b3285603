import type { AccountId, ChainId } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { authPayloadOf } from './authPayload.ts'
import { createCacao, type Cacao } from './cacao.ts'
import { grantedBy } from './granted.ts'
import { encodeRecap } from './recap.ts'

const chains: readonly ChainId[] = ['eip155:1', 'eip155:10']
const address = `0x${'11'.repeat(20)}`
const asked = authPayloadOf(
  { domain: 'app.example', uri: 'https://app.example', nonce: 'abcdef0123456789' },
  chains,
  ['personal_sign'],
  Date.UTC(2026, 0, 1),
)

/** What an account signs, whose ReCap allows some methods on some chains; on all when none are named. */
function signedBy(account: AccountId, methods: readonly string[], on?: readonly string[]): Cacao {
  const uses = [on === undefined ? {} : { chains: on }]
  const abilities = Object.fromEntries(methods.map((method) => [`request/${method}`, uses]))
  return createCacao({ ...asked, resources: [encodeRecap({ att: { eip155: abilities } })] }, account, '0x')
}

describe('a session by signatures', () => {
  test('has the methods on the chains that were signed for', () => {
    const one = signedBy(`eip155:1:${address}`, ['personal_sign', 'eth_sign'], chains)
    expect(grantedBy([one], asked)?.eip155).toEqual({
      chains,
      accounts: [`eip155:1:${address}`, `eip155:10:${address}`],
      methods: ['eth_sign', 'personal_sign'],
      events: ['accountsChanged', 'chainChanged'],
    })
  })

  test('takes a ReCap that names no chains for the one that it is signed on', () => {
    expect(grantedBy([signedBy(`eip155:10:${address}`, ['eth_sign'])], asked)?.eip155).toMatchObject({
      chains: ['eip155:10'],
      accounts: [`eip155:10:${address}`],
    })
  })

  test('has no chain that was not asked for, and none of another namespace', () => {
    const wide = signedBy(`eip155:1:${address}`, ['eth_sign'], ['eip155:137', 'solana:mainnet', 'eip155:1'])
    expect(grantedBy([wide], asked)?.eip155?.chains).toEqual(['eip155:1'])
  })

  test('joins what several signers grant', () => {
    const other = `0x${'22'.repeat(20)}`
    const granted = grantedBy(
      [signedBy(`eip155:1:${address}`, ['eth_sign']), signedBy(`eip155:1:${other}`, ['personal_sign'])],
      asked,
    )
    expect(granted?.eip155).toMatchObject({
      chains: ['eip155:1'],
      accounts: [`eip155:1:${address}`, `eip155:1:${other}`],
      methods: ['eth_sign', 'personal_sign'],
    })
  })

  test('is none when no method was granted', () => {
    expect(grantedBy([signedBy(`eip155:1:${address}`, [])], asked)).toBeUndefined()
    expect(
      grantedBy([createCacao({ ...asked, resources: undefined }, `eip155:1:${address}`, '0x')], asked),
    ).toBeUndefined()
  })
})
