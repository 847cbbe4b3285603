import { expect, test } from 'vitest'
import { refuseOwnData } from './refuseOwnData.ts'

const own = '0xB2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2B2'
const other = `0x${'c3'.repeat(20)}`

/** The wrapper of ERC-7739: with it, the key's signature counts as the account's. */
const createWrappedData = (account: string, contract: string) => ({
  types: {
    Mail: [{ name: 'text', type: 'string' }],
    TypedDataSign: [
      { name: 'contents', type: 'Mail' },
      { name: 'verifyingContract', type: 'address' },
    ],
  },
  primaryType: 'TypedDataSign',
  domain: { name: 'Mail', verifyingContract: contract },
  message: { contents: { text: 'Hi' }, verifyingContract: account },
})

test.each([
  ['with the account as the domain', createWrappedData(other, own.toLowerCase())],
  ['that wraps data for the account', createWrappedData(own.toLowerCase(), other)],
])('typed data %s is refused [I-19]', (_what, content) => {
  expect(() => refuseOwnData(content, [own])).toThrow(expect.objectContaining({ code: 4200 }) as Error)
})

test('typed data for other contracts is not refused', () => {
  expect(() => refuseOwnData(createWrappedData(other, other), [own])).not.toThrow()
})
