import { toHex } from 'viem'
import { expect, test } from 'vitest'
import { readMessage } from './message.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('reads a hex-encoded text, whichever way round the parameters stand', () => {
  const encoded = toHex('Hello, wörld')
  expect(readMessage([encoded, account])).toMatchObject({
    address: account,
    message: { kind: 'text', text: 'Hello, wörld' },
  })
  expect(readMessage([account, encoded])).toMatchObject({
    address: account,
    message: { kind: 'text', text: 'Hello, wörld' },
  })
})

test('signs a text that was not encoded as its UTF-8 bytes', () => {
  expect(readMessage(['0xno hex', account]).bytes).toEqual(new TextEncoder().encode('0xno hex'))
  expect(readMessage(['0x123', account]).message).toEqual({ kind: 'text', text: '0x123' })
})

test('shows bytes that are no text as bytes', () => {
  expect(readMessage(['0xff00fe', account]).message).toEqual({ kind: 'bytes', hex: '0xff00fe' })
})

test('keeps a byte order mark, so that what is shown is what is signed', () => {
  expect(readMessage(['0xefbbbf61', account]).message).toEqual({ kind: 'text', text: '\uFEFFa' })
})

test('refuses parameters without an account', () => {
  for (const params of [undefined, [], ['0x61'], ['0x61', '0x62'], [1, account], {}]) {
    expect(() => readMessage(params)).toThrow(expect.objectContaining({ code: -32602 }))
  }
})
