import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { encodeFunctionData, encodePacked, maxUint256, parseAbi, type Hex } from 'viem'
import { getUserOperationHash, type UserOperation } from 'viem/account-abstraction'
import { describe, expect, test } from 'vitest'
import { domainOf, encodeCalls } from '../smart/smartAccount.ts'
import type { SignRequest } from '../worker/keyHolder.ts'
import { judgeRequest } from './judgeRequest.ts'
import type { Policy } from './policy.ts'
import { readSpending } from './readSpending.ts'
import { tokenAccountsOf } from './tokenAccountsOf.ts'

const createAddress = (byte: string): Hex => `0x${byte.repeat(20)}`
const [token, friend, stranger, account] = ['a1', 'f1', 'e7', 'b2'].map(createAddress) as [Hex, Hex, Hex, Hex]
const chain = 'eip155:1'
const abi = parseAbi([
  'function transfer(address, uint256)',
  'function approve(address, uint256)',
  'function setApprovalForAll(address, bool)',
  'function multicall(bytes[])',
  'function aggregate3Value((address,bool,uint256,bytes)[]) payable',
  'function multiSend(bytes)',
])
const solanaKey = (byte: number): string => base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(byte)))
const own = solanaKey(1)
const accounts = [
  { namespace: 'eip155', address: account },
  { namespace: 'solana', address: own },
]
const read = (request: SignRequest, known: readonly string[] = []) => readSpending(request, { accounts, known })

const createTransaction = (to: Hex | undefined, data: Hex, value = 0n, fee = 0n): SignRequest => ({
  kind: 'evm-transaction',
  transaction: {
    chainId: 1,
    nonce: 0,
    ...(to !== undefined && { to }),
    value,
    data,
    gas: 1n,
    maxFeePerGas: fee,
    maxPriorityFeePerGas: 0n,
  },
})
const encodeTransfer = (to: Hex, units: bigint): Hex =>
  encodeFunctionData({ abi, functionName: 'transfer', args: [to, units] })

describe('the spending of a transaction', () => {
  test('adds up amount, fee and tokens [L-01]', () => {
    const { amounts, receivers, isUnknown } = read(createTransaction(token, encodeTransfer(friend, 7n), 0n, 5n))
    expect(amounts).toEqual([
      { asset: chain, units: 5n },
      { asset: `${chain}/${token}`, units: 7n },
    ])
    expect(receivers).toEqual([`${chain}:${friend}`])
    expect(isUnknown).toBe(false)
  })

  test.each<[string, Hex | undefined, Hex]>([
    ['an unknown function', token, '0x12345678'],
    ['a created contract', undefined, '0x6000'],
    [
      'an operator of a collection',
      token,
      encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [friend, true] }),
    ],
  ])('is unknown for %s [L-01]', (_what, to, data) => {
    expect(read(createTransaction(to, data)).isUnknown).toBe(true)
  })

  test('counts an allowance as spent, with its spender as the receiver [L-01]', () => {
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [stranger, maxUint256] })
    expect(read(createTransaction(token, data))).toMatchObject({
      amounts: [{}, { asset: `${chain}/${token}`, units: maxUint256 }],
      receivers: [`${chain}:${stranger}`],
    })
  })

  test('finds payments in nested batches, and counts too deep ones as unknown [L-01]', () => {
    let data = encodeTransfer(stranger, 9n)
    for (let depth = 0; depth < 3; depth += 1)
      data = encodeFunctionData({ abi, functionName: 'multicall', args: [[data]] })
    expect(read(createTransaction(token, data)).amounts).toContainEqual({ asset: `${chain}/${token}`, units: 9n })
    for (let depth = 0; depth < 4; depth += 1)
      data = encodeFunctionData({ abi, functionName: 'multicall', args: [[data]] })
    expect(read(createTransaction(token, data)).isUnknown).toBe(true)
  })

  test('adds the amounts of inner calls, and names their receivers [L-01]', () => {
    const calls = [[stranger, false, 8n, '0x'] as const]
    const data = encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [calls] })
    expect(read(createTransaction(token, data, 8n)).receivers).toContain(`${chain}:${stranger}`)
  })

  test('counts third-party code that runs as the account as unknown [L-01]', () => {
    const packed = encodePacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [1, stranger, 0n, 0n, '0x'])
    const data = encodeFunctionData({ abi, functionName: 'multiSend', args: [packed] })
    expect(read(createTransaction(token, data)).isUnknown).toBe(true)
  })
})

describe('the spending of a user operation', () => {
  const operation: UserOperation<'0.7'> = {
    sender: account,
    nonce: 0n,
    callData: encodeCalls([
      { to: stranger, value: 3n, data: '0x' },
      { to: token, value: 0n, data: encodeTransfer(friend, 4n) },
    ]),
    callGasLimit: 1n,
    verificationGasLimit: 1n,
    preVerificationGas: 1n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
    signature: '0x',
  }
  const entryPoint = createAddress('44')
  const hash = getUserOperationHash({
    chainId: 1,
    entryPointAddress: entryPoint,
    entryPointVersion: '0.7',
    userOperation: operation,
  })
  const request = (signed: string, changed: object = {}): SignRequest => ({
    kind: 'evm-typed-data',
    json: JSON.stringify({
      domain: domainOf(1, account),
      types: { UserOperation: [{ name: 'hash', type: 'bytes32' }] },
      primaryType: 'UserOperation',
      message: { hash: signed },
      ...changed,
    }),
    operation: { chainId: 1, entryPoint, operation },
  })

  test('is that of its calls and its fee [L-01]', () => {
    expect(read(request(hash))).toEqual({
      amounts: [
        { asset: chain, units: 6n },
        { asset: chain, units: 3n },
        { asset: `${chain}/${token}`, units: 4n },
      ],
      receivers: [`${chain}:${stranger}`, `${chain}:${friend}`],
      isUnknown: false,
    })
  })

  test('is unknown if the signed hash belongs to another operation [L-01]', () => {
    expect(read(request(`0x${'00'.repeat(32)}`)).isUnknown).toBe(true)
  })

  test.each<[string, object]>([
    ['another account', { domain: domainOf(1, stranger) }],
    ['another network', { domain: domainOf(10, account) }],
    [
      'another type',
      { types: { Order: [{ name: 'hash', type: 'bytes32' }] }, primaryType: 'Order', message: { hash } },
    ],
    [
      'a further member',
      {
        types: {
          UserOperation: [
            { name: 'hash', type: 'bytes32' },
            { name: 'spender', type: 'address' },
          ],
        },
        message: { hash, spender: stranger },
      },
    ],
  ])('is unknown if the data is signed for %s [L-01]', (_what, changed) => {
    expect(read(request(hash, changed)).isUnknown).toBe(true)
  })
})

test('a message of 32 bytes is unknown, because it can be the hash of an operation [L-01]', () => {
  expect(read({ kind: 'evm-message', message: new Uint8Array(32) }).isUnknown).toBe(true)
  expect(read({ kind: 'evm-message', message: new Uint8Array(33) }).isUnknown).toBe(false)
})

describe('the spending of typed data', () => {
  const typed = (primaryType: string, domain: object, message: object, types: Record<string, string>): SignRequest => ({
    kind: 'evm-typed-data',
    json: JSON.stringify({
      primaryType,
      domain,
      message,
      types: Object.fromEntries(
        Object.entries(types).map(([name, text]) => [
          name,
          text.split(', ').map((each) => ({ type: each.split(' ')[0], name: each.split(' ')[1] })),
        ]),
      ),
    }),
  })
  const Permit = 'address owner, address spender, uint256 value'
  const permit = { owner: account, spender: stranger, value: '9' }
  const domain = { chainId: 1, verifyingContract: token }

  test('of a permit is its allowance on the chain of the data [L-01]', () => {
    expect(read(typed('Permit', domain, permit, { Permit }))).toEqual({
      amounts: [{ asset: `${chain}/${token}`, units: 9n }],
      receivers: [`${chain}:${stranger}`],
      isUnknown: false,
    })
    const elsewhere = read(typed('Permit', { ...domain, chainId: 10 }, permit, { Permit }))
    expect(elsewhere.amounts).toEqual([{ asset: `eip155:10/${token}`, units: 9n }])
  })

  test.each<[string, SignRequest]>([
    ['without a chain', typed('Permit', { verifyingContract: token }, permit, { Permit })],
    ['of an unknown type', typed('Order', domain, { maker: account }, { Order: 'address maker' })],
    ['with a permit inside of another type', typed('Order', domain, { permit }, { Order: 'Permit permit', Permit })],
  ])('%s is unknown [L-01]', (_what, request) => {
    expect(read(request).isUnknown).toBe(true)
  })
})

describe('the spending of a Solana transaction', () => {
  const system = '11111111111111111111111111111111'
  const tokens = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
  const le = (value: bigint, length: number): readonly number[] =>
    Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
  /** A legacy message with one signer and one instruction. The program is the last account. */
  function message(keys: readonly string[], indexes: readonly number[], data: readonly number[]): SignRequest {
    const all = keys.flatMap((key) => [...base58.decode(key)])
    const instruction = [keys.length - 1, indexes.length, ...indexes, data.length, ...data]
    const bytes = [1, 0, 1, keys.length, ...all, ...new Uint8Array(32), 1, ...instruction]
    return { kind: 'solana', bytes: Uint8Array.from(bytes) }
  }
  const [receiver, mint, source] = [solanaKey(2), solanaKey(3), solanaKey(4)]

  test('is the payment and the fee, whatever cluster the page names [L-01]', () => {
    const request = message([own, receiver, system], [0, 1], [...le(2n, 4), ...le(9n, 8)])
    expect(read(request)).toEqual({
      amounts: [
        { asset: 'solana', units: 5_001n },
        { asset: 'solana', units: 9n },
      ],
      receivers: [`solana:${receiver}`],
      isUnknown: false,
    })
  })

  test('recognises the token account of a known receiver [L-01]', () => {
    const [held = ''] = tokenAccountsOf(receiver, mint, tokens)
    const request = message([own, source, held, mint, tokens], [1, 3, 2, 0], [12, ...le(5n, 8), 6])
    expect(read(request, [`solana:${receiver}`])).toMatchObject({
      amounts: [{}, { asset: `solana/${mint}`, units: 5n }],
      receivers: [`solana:${receiver}`],
    })
    expect(read(request).receivers).toEqual([`solana:${held}`])
  })

  test.each<[string, readonly number[]]>([
    ['a transfer without its mint', [3, ...le(5n, 8)]],
    ['a change of the owner', [6, 2, 0]],
  ])('is unknown for %s [L-01]', (_what, data) => {
    expect(read(message([own, source, receiver, mint, tokens], [1, 2, 0], data)).isUnknown).toBe(true)
  })

  test.each([
    ['text', new TextEncoder().encode('Hello'), false],
    ['text in another script', new TextEncoder().encode('こんにちは'), false],
    ['a transaction of an unknown version', Uint8Array.of(0x81, 1, 2, 3), true],
    ['bytes that may be a transaction', Uint8Array.of(1, 0, 0, 9), true],
  ])('of %s is known to be nothing, or unknown [L-01]', (_what, bytes, isUnknown) => {
    expect(read({ kind: 'solana', bytes })).toEqual({ amounts: [], receivers: [], isUnknown })
  })
})

test('a policy without rules allows unknown effects, and any rule refuses them [L-01]', () => {
  const unknown = { amounts: [], receivers: [], isUnknown: true }
  const rules: readonly Policy[] = [{ dailyLimit: [] }, { secondDeviceAbove: [] }, { onlyKnownReceivers: [] }]
  expect(judgeRequest({}, unknown)).toBeUndefined()
  for (const policy of rules) expect(judgeRequest(policy, unknown)).toBe('unknown')
})
