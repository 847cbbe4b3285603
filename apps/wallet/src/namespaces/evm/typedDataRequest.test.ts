import { expect, test } from 'vitest'
import { parseTypedDataRequest } from './typedDataRequest.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const mail = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallets', type: 'address[]' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person[]' },
      { name: 'read', type: 'bool' },
    ],
  },
  primaryType: 'Mail',
  domain: { name: 'Ether Mail', chainId: 31337 },
  message: {
    read: false,
    from: { name: 'Cow', wallets: [account] },
    to: [{ name: 'Bob', wallets: [other, account] }],
    unsigned: 'a field that no type names',
  },
}

test('parseTypedDataRequest returns a tree in the order of the types, without unsigned fields', () => {
  const { summary, address } = parseTypedDataRequest([account, JSON.stringify(mail)], 31337)
  expect(address).toBe(account)
  expect(summary).toEqual({
    primaryType: 'Mail',
    otherChain: undefined,
    domain: [
      { name: 'name', type: 'string', value: 'Ether Mail' },
      { name: 'chainId', type: 'uint256', value: '31337' },
    ],
    message: [
      {
        name: 'from',
        type: 'Person',
        members: [
          { name: 'name', type: 'string', value: 'Cow' },
          { name: 'wallets', type: 'address[]', members: [{ name: '1', type: 'address', value: account }] },
        ],
      },
      {
        name: 'to',
        type: 'Person[]',
        members: [
          {
            name: '1',
            type: 'Person',
            members: [
              { name: 'name', type: 'string', value: 'Bob' },
              {
                name: 'wallets',
                type: 'address[]',
                members: [
                  { name: '1', type: 'address', value: other },
                  { name: '2', type: 'address', value: account },
                ],
              },
            ],
          },
        ],
      },
      { name: 'read', type: 'bool', value: 'false' },
    ],
  })
})

test('parseTypedDataRequest accepts an object as well as JSON text', () => {
  expect(parseTypedDataRequest([account, mail], 31337).summary.primaryType).toBe('Mail')
})

test('parseTypedDataRequest reports a domain with a different chain id', () => {
  expect(parseTypedDataRequest([account, mail], 1).summary.otherChain).toBe('31337')
  const inHex = { ...mail, domain: { ...mail.domain, chainId: '0x7a69' } }
  expect(parseTypedDataRequest([account, inHex], 31337).summary.otherChain).toBeUndefined()
})

test('parseTypedDataRequest derives the domain type if it is missing', () => {
  const { EIP712Domain: _, ...types } = mail.types
  const { summary } = parseTypedDataRequest(
    [account, { ...mail, types, domain: { chainId: 31337, name: 'Ether Mail' } }],
    31337,
  )
  expect(summary.domain.map(({ name }) => name)).toEqual(['name', 'chainId'])
})

test.each([
  ['no parameters', []],
  ['no account', ['0x12', mail]],
  ['text that is not JSON', [account, '{']],
  ['an unknown primary type', [account, { ...mail, primaryType: 'Letter' }]],
  ['a primary type of the prototype', [account, { ...mail, primaryType: 'constructor' }]],
  ['malformed types', [account, { ...mail, types: { Mail: [{ name: 1 }] } }]],
  ['a missing value', [account, { ...mail, message: { ...mail.message, read: undefined } }]],
  ['a list that is an object', [account, { ...mail, message: { ...mail.message, to: {} } }]],
  [
    'a value that does not fit',
    [account, { ...mail, message: { ...mail.message, from: { name: 'x', wallets: ['0x1'] } } }],
  ],
])('parseTypedDataRequest throws for %s', (_, params) => {
  expect(() => parseTypedDataRequest(params, 31337)).toThrow(expect.objectContaining({ code: -32602 }))
})
