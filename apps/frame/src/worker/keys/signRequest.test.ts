import { ed25519 } from '@noble/curves/ed25519.js'
import { randomBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import {
  concat,
  fromRlp,
  keccak256,
  numberToHex,
  recoverAddress,
  recoverMessageAddress,
  recoverTypedDataAddress,
  toHex,
  type Hex,
} from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { signRequest } from './signRequest.ts'

const privateKey = randomBytes(32)
const account = privateKeyToAddress(toHex(privateKey))

const hexArbitrary = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((each): Hex => toHex(each))
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const fee = fc.bigInt({ min: 0n, max: 2n ** 128n })
const transactions = fc
  .record({
    chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    nonce: fc.nat({ max: 2 ** 40 }),
    to: fc.option(hexArbitrary(20, 20), { nil: undefined }),
    value: amount,
    data: hexArbitrary(0, 300),
    gas: fc.bigInt({ min: 21_000n, max: 2n ** 40n }),
    maxFeePerGas: fee,
    maxPriorityFeePerGas: fee,
  })
  .filter(({ maxFeePerGas, maxPriorityFeePerGas }) => maxPriorityFeePerGas <= maxFeePerGas)

/** RLP integers have no leading zeros. Zero is empty. */
const chainNumberOf = (value: bigint | number): Hex =>
  BigInt(value) === 0n ? '0x' : toHex(bytesOf(numberToHex(value)))
const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(Buffer.from(hex.slice(2).padStart(hex.length + (hex.length % 2) - 2, '0'), 'hex'))

/** An independent RLP encoder, compared with the wallet's output. */
function encodeRlp(item: Hex | readonly (Hex | readonly [])[]): Hex {
  if (typeof item !== 'string') {
    const content = concat(['0x', ...item.map((each) => encodeRlp(each))])
    return concat([encodePrefix(0xc0, sizeOf(content)), content])
  }
  const isOwnCode = sizeOf(item) === 1 && Number(item) < 0x80
  return isOwnCode ? item : concat([encodePrefix(0x80, sizeOf(item)), item])
}
const sizeOf = (hex: Hex): number => (hex.length - 2) / 2
function encodePrefix(base: number, size: number): Hex {
  if (size <= 55) return toHex(Uint8Array.of(base + size))
  const length = chainNumberOf(size)
  return concat([toHex(Uint8Array.of(base + 55 + sizeOf(length))), length])
}

test('a signed transaction is valid EIP-1559 and has exactly the shown values [G-07]', { tags: 'abuse' }, async () => {
  await fc.assert(
    fc.asyncProperty(transactions, async (transaction) => {
      const raw = toHex(signRequest(privateKey, { kind: 'evm-transaction', transaction }))
      const { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas, to, value, data } = transaction
      const numbers = [chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas].map(chainNumberOf)
      const content = [...numbers, to ?? '0x', chainNumberOf(value), data, []] as const
      const hash = keccak256(concat(['0x02', encodeRlp(content)]))
      const signed = fromRlp(`0x${raw.slice(4)}`, 'hex') as readonly Hex[]
      const [yParity = '0x', r = '0x', s = '0x'] = signed.slice(content.length)
      expect(raw).toBe(concat(['0x02', encodeRlp([...content, yParity, r, s])]))
      const signature = { r, s, yParity: yParity === '0x' ? 0 : Number(yParity) }
      expect(await recoverAddress({ hash, signature })).toBe(account)
    }),
    { numRuns: 400 },
  )
})

test('a signed message is EIP-191, of an operation as well, and v is 27 or 28', async () => {
  const recoveryIds = new Set<number | undefined>()
  for (let count = 0; count < 12; count++) {
    const message = randomBytes(count)
    const hash = toHex(randomBytes(32))
    const [signature, ofOperation] = [
      signRequest(privateKey, { kind: 'evm-message', message }),
      signRequest(privateKey, { kind: 'evm-operation', hash }),
    ]
    expect(await recoverMessageAddress({ message: { raw: message }, signature: toHex(signature) })).toBe(account)
    expect(await recoverMessageAddress({ message: { raw: hash }, signature: toHex(ofOperation) })).toBe(account)
    recoveryIds.add(signature[64]).add(ofOperation[64])
  }
  expect([...recoveryIds].toSorted()).toEqual([27, 28])
})

test('signed typed data is EIP-712, and malformed data is not signed', async () => {
  const typedData = {
    domain: { name: 'App', chainId: 1 },
    types: { Order: [{ name: 'units', type: 'uint256' }] },
    primaryType: 'Order',
    message: { units: '7' },
  } as const
  const signature = toHex(signRequest(privateKey, { kind: 'evm-typed-data', json: JSON.stringify(typedData) }))
  expect(await recoverTypedDataAddress({ ...typedData, message: { units: 7n }, signature })).toBe(account)
  const malformed = JSON.stringify({ ...typedData, primaryType: 'Other' })
  expect(() => signRequest(privateKey, { kind: 'evm-typed-data', json: malformed })).toThrow('nvalid primary type')
})

test('bytes for Solana are signed as they are', () => {
  const bytes = randomBytes(80)
  const signature = signRequest(privateKey, { kind: 'solana', bytes })
  expect(ed25519.verify(signature, bytes, ed25519.getPublicKey(privateKey))).toBe(true)
})
