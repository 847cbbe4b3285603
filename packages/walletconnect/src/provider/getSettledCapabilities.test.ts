import { describe, expect, test } from 'vitest'
import type { Session } from '../session/session.ts'
import { getSettledCapabilities } from './getSettledCapabilities.ts'

const address = '0xAb16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb'
const mainnet = { atomic: { status: 'supported' } }
const other = { paymasterService: { supported: true } }

const createSession = (sessionProperties: Session['sessionProperties']): Session => ({
  topic: 'ab'.repeat(32),
  peer: { name: 'Phone', description: '', url: '', icons: [] },
  namespaces: {},
  optionalNamespaces: {},
  sessionProperties,
  expiry: 0,
})

const session = createSession({
  capabilities: JSON.stringify({ [address.toLowerCase()]: { '0x1': mainnet, '0xA': other } }),
})

describe('getSettledCapabilities', () => {
  test('returns those of the address on all chains', () => {
    expect(getSettledCapabilities(session, [address])).toEqual({ '0x1': mainnet, '0xA': other })
  })

  test('returns those of the requested chains in any case of hex, without unknown ones (EIP-5792)', () => {
    expect(getSettledCapabilities(session, [address, ['0xa', '0x5']])).toEqual({ '0xa': other })
  })

  test.each([
    ['another address', session, [`0x${'1'.repeat(40)}`]],
    ['no address', session, undefined],
    ['a wallet without the property', createSession(undefined), [address]],
    ['a wallet with malformed JSON', createSession({ capabilities: '{' }), [address]],
  ])('returns undefined for %s', (_, current, params) => {
    expect(getSettledCapabilities(current, params)).toBeUndefined()
  })
})
