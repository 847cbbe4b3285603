import { expect, test } from 'vitest'
import { parseSendCalls } from './sendCalls.ts'

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const parse = (call: object): unknown => parseSendCalls({ params: [{ version: '2.0.0', calls: [call] }] })

test('parseSendCalls reads receivers and data that start with 0x [R5.3.5]', () => {
  expect(parse({ to, data: '0xabcd', value: '0x5' })).toEqual({ calls: [{ to, data: '0xabcd', value: 5n }] })
  expect(parse({ to })).toEqual({ calls: [{ to, data: '0x', value: 0n }] })
})

test.each([
  ['a receiver without 0x', { to: to.slice(2) }],
  ['no receiver', { data: '0x' }],
  ['a name as the receiver', { to: 'ann.eth' }],
  ['data without 0x', { to, data: 'abcd' }],
  ['data in capitals', { to, data: '0XABCD' }],
  ['half a byte of data', { to, data: '0xabc' }],
  ['data that is not hexadecimal', { to, data: '0xzz' }],
])('parseSendCalls rejects %s [R5.3.5]', (_, call) => {
  expect(() => parse(call)).toThrow(expect.objectContaining({ code: -32_602 }))
})
