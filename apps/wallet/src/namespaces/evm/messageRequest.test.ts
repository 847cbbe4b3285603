import { toHex } from 'viem'
import { expect, test } from 'vitest'
import { parseMessageRequest } from './messageRequest.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('parseMessageRequest decodes a hex-encoded text with the parameters in either order', () => {
  const encoded = toHex('Hello, wörld')
  expect(parseMessageRequest([encoded, account])).toMatchObject({
    address: account,
    message: { kind: 'text', text: 'Hello, wörld' },
  })
  expect(parseMessageRequest([account, encoded])).toMatchObject({
    address: account,
    message: { kind: 'text', text: 'Hello, wörld' },
  })
})

test('parseMessageRequest converts a string that is not hex-encoded to UTF-8 bytes', () => {
  expect(parseMessageRequest(['0xno hex', account]).bytes).toEqual(new TextEncoder().encode('0xno hex'))
  expect(parseMessageRequest(['0x123', account]).message).toEqual({ kind: 'text', text: '0x123' })
})

test('parseMessageRequest returns the kind bytes for invalid UTF-8', () => {
  expect(parseMessageRequest(['0xff00fe', account]).message).toEqual({ kind: 'bytes', hex: '0xff00fe' })
})

test('parseMessageRequest keeps a byte order mark in the displayed text', () => {
  expect(parseMessageRequest(['0xefbbbf61', account]).message).toEqual({ kind: 'text', text: '\uFEFFa' })
})

test('parseMessageRequest throws for parameters without an account', () => {
  for (const params of [undefined, [], ['0x61'], ['0x61', '0x62'], [1, account], {}]) {
    expect(() => parseMessageRequest(params)).toThrow(expect.objectContaining({ code: -32602 }))
  }
})
