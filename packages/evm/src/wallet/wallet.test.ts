import type { Connection, TransactionRequest } from '@latchkey/core'
import { expect, test } from 'vitest'
import { sendEvmTransaction } from './sendEvmTransaction.ts'
import { signEvmMessage } from './signEvmMessage.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const account = `eip155:137:${alice}` as const

/** A wallet that returns the same response to every request. */
function setUp(response: unknown) {
  const requests: unknown[] = []
  const connection: Connection = {
    namespace: 'eip155',
    accounts: [account],
    chainId: 'eip155:137',
    approvedChains: 'all',
    provider: {
      async request(args) {
        requests.push(args)
        return response
      },
    },
    wallet: { name: 'Wallet' },
    listen: () => () => {},
  }
  return {
    requests,
    sign: (message: string) => signEvmMessage(connection, account, message),
    send: (request: TransactionRequest) => sendEvmTransaction(connection, account, request),
  }
}

const createDigits = (count: number): string => `0x${'a1'.repeat(count).slice(0, count)}`

test('signMessage sends the bytes of the text as personal_sign (EIP-191)', async () => {
  const { requests, sign } = setUp(createDigits(130))
  await sign('Grüße')
  expect(requests).toEqual([{ method: 'personal_sign', params: ['0x4772c3bcc39f65', alice] }])
})

test.each([62, 130, 1_000])('accepts 0x and %i digits as a signature [R5.5.1]', async (count) => {
  const { sign } = setUp(createDigits(count))
  expect(await sign('Hello')).toBe(createDigits(count))
})

test.each([
  createDigits(61),
  '0x',
  'a1'.repeat(65),
  `0x${'zz'.repeat(65)}`,
  `${createDigits(130)}\n`,
  null,
  undefined,
  7,
  {},
])('refuses %j as a signature [R5.5.1]', async (response) => {
  const { sign } = setUp(response)
  await expect(sign('Hello')).rejects.toMatchObject({
    code: 'wallet/invalid-response',
    context: { wallet: 'Wallet', method: 'personal_sign' },
  })
})

test('accepts 0x and 64 digits as a hash [R5.5.1]', async () => {
  const { requests, send } = setUp(createDigits(64))
  expect(await send({ to: bob, value: 255n, data: '0x01' })).toBe(createDigits(64))
  expect(requests).toEqual([
    {
      method: 'eth_sendTransaction',
      params: [{ from: alice, to: bob, value: '0xff', data: '0x01', chainId: '0x89' }],
    },
  ])
})

test.each([
  createDigits(63),
  createDigits(65),
  createDigits(130),
  '0x',
  'a1'.repeat(32),
  `0x${'zz'.repeat(32)}`,
  null,
  undefined,
  {},
])('refuses %j as a hash [R5.5.1]', async (response) => {
  const { send } = setUp(response)
  await expect(send({ to: bob })).rejects.toMatchObject({
    code: 'wallet/invalid-response',
    context: { wallet: 'Wallet', method: 'eth_sendTransaction' },
  })
})

test.each([bob, bob.toLowerCase(), `0x${bob.slice(2).toUpperCase()}`, bob.slice(2)])(
  'sends to %s, with a valid checksum or none [R5.1.2]',
  async (to) => {
    const { requests, send } = setUp(createDigits(64))
    await send({ to })
    expect(requests).toMatchObject([{ params: [{ to: bob }] }])
  },
)

test.each([bob.replace('C8', 'c8'), bob.replace('C5', 'c5').slice(2), 'vitalik.eth', `${bob}0`, '0x', ''])(
  'refuses to send to the invalid address %j [R5.1.2]',
  async (to) => {
    const { requests, send } = setUp(createDigits(64))
    await expect(send({ to })).rejects.toMatchObject({ code: 'address/invalid', context: { value: to } })
    expect(requests).toEqual([])
  },
)

test('refuses to send a negative amount', async () => {
  const { requests, send } = setUp(createDigits(64))
  await expect(send({ to: bob, value: -1n })).rejects.toMatchObject({ code: 'amount/invalid' })
  expect(requests).toEqual([])
})
