import { describe, expect, test } from 'vitest'
import type { Session } from '../session.ts'
import { settledCapabilities } from './capabilities.ts'

const address = '0xAb16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb'
const mainnet = { atomic: { status: 'supported' } }
const other = { paymasterService: { supported: true } }

const settled = (sessionProperties: Session['sessionProperties']): Session => ({
  topic: 'ab'.repeat(32),
  peer: { name: 'Phone', description: '', url: '', icons: [] },
  namespaces: {},
  optionalNamespaces: {},
  sessionProperties,
  expiry: 0,
})

const session = settled({ capabilities: JSON.stringify({ [address.toLowerCase()]: { '0x1': mainnet, '0xA': other } }) })

describe('capabilities that a wallet told when it settled', () => {
  test('are those of the address, on all chains', () => {
    expect(settledCapabilities(session, [address])).toEqual({ '0x1': mainnet, '0xA': other })
  })

  test('are those of the chains that are asked for, whatever the case of hex; unknown ones are left out (EIP-5792)', () => {
    expect(settledCapabilities(session, [address, ['0xa', '0x5']])).toEqual({ '0xa': other })
  })

  test.each([
    ['another address', session, [`0x${'1'.repeat(40)}`]],
    ['no address', session, undefined],
    ['a wallet that told nothing', settled(undefined), [address]],
    ['a wallet that told nonsense', settled({ capabilities: '{' }), [address]],
  ])('are not known for %s', (_, asked, params) => {
    expect(settledCapabilities(asked, params)).toBeUndefined()
  })
})
