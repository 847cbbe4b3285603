import { randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { concat, keccak256, pad, recoverAddress, toHex, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { RpcError } from '../../chain/rpcError.ts'
import { signRequest } from '../../worker/keys/signRequest.ts'
import { parseTypedData } from './typedData.ts'

type Member = { name: string; type: string }
type Types = Record<string, Member[]>
type Typed = { types: Types; primaryType: string; domain: Record<string, unknown>; message: Record<string, unknown> }

const privateKey = randomBytes(32)
const account = privateKeyToAddress(toHex(privateKey))

/** An independent implementation of EIP-712, compared with the wallet's hashes. */
function digestOf({ types, primaryType, domain, message }: Typed): Hex {
  const domainTypes = { EIP712Domain: domainTypesOf(domain) }
  return keccak256(
    concat(['0x1901', hashStruct(domainTypes, 'EIP712Domain', domain), hashStruct(types, primaryType, message)]),
  )
}

const domainMembers: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]
const domainTypesOf = (domain: object): Member[] => domainMembers.filter(({ name }) => Object.hasOwn(domain, name))

function hashStruct(types: Types, name: string, value: unknown): Hex {
  const words = (types[name] ?? []).map((member) => wordOf(types, member.type, Reflect.get(Object(value), member.name)))
  return keccak256(concat([keccak256(toHex(utf8ToBytes(encodeType(types, name)))), ...words]))
}

function encodeType(types: Types, name: string): string {
  const found = new Set<string>()
  const look = (type: string): void => {
    const struct = type.replace(/\[.*/, '')
    if (found.has(struct) || types[struct] === undefined) return
    found.add(struct)
    for (const member of types[struct]) look(member.type)
  }
  look(name)
  found.delete(name)
  const write = (each: string): string =>
    `${each}(${(types[each] ?? []).map((one) => `${one.type} ${one.name}`).join()})`
  return [name, ...[...found].toSorted()].map(write).join('')
}

function wordOf(types: Types, type: string, value: unknown): Hex {
  if (type.endsWith(']')) {
    const item = type.slice(0, type.lastIndexOf('['))
    return keccak256(concat((value as unknown[]).map((each) => wordOf(types, item, each))))
  }
  if (types[type] !== undefined) return hashStruct(types, type, value)
  if (type === 'string') return keccak256(toHex(utf8ToBytes(String(value))))
  if (type === 'bytes') return keccak256(value as Hex)
  if (type.startsWith('bytes')) return pad(value as Hex, { dir: 'right' })
  if (type === 'address') return pad(value as Hex)
  if (type === 'bool') return pad(value === true ? '0x1' : '0x0')
  // Two's complement, as wide as a word.
  return toHex(BigInt.asUintN(256, BigInt(value as string)), { size: 32 })
}

const hexOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => toHex(bytes))
const widthOf = fc.integer({ min: 1, max: 32 })

/** An atomic EIP-712 type and a generator of its values. */
const leafTypes: fc.Arbitrary<{ type: string; value: fc.Arbitrary<unknown> }> = fc.oneof(
  fc.constant({ type: 'string', value: fc.string({ unit: 'grapheme', maxLength: 30 }) }),
  fc.constant({ type: 'bytes', value: fc.uint8Array({ maxLength: 70 }).map((bytes) => toHex(bytes)) }),
  fc.constant({ type: 'bool', value: fc.boolean() }),
  fc.constant({ type: 'address', value: hexOf(20) }),
  widthOf.map((width) => ({ type: `bytes${width}`, value: hexOf(width) })),
  widthOf.map((width) => ({ type: `uint${width * 8}`, value: integerArbitrary(0n, 2n ** BigInt(width * 8) - 1n) })),
  widthOf.map((width) => ({
    type: `int${width * 8}`,
    value: integerArbitrary(-(2n ** BigInt(width * 8 - 1)), 2n ** BigInt(width * 8 - 1) - 1n),
  })),
)

/** Numbers as pages write them: small ones as numbers, large ones as decimal string. */
function integerArbitrary(min: bigint, max: bigint): fc.Arbitrary<unknown> {
  const isSafe = (value: bigint): boolean => Number.isSafeInteger(Number(value))
  return fc.tuple(fc.bigInt({ min, max }), fc.nat(2)).map(([value, form]) => {
    if (form === 0 && isSafe(value)) return Number(value)
    return form === 1 && value >= 0n ? toHex(value) : String(value)
  })
}

/** Types that refer to later types only, so that they end, with a value of the first. */
const typedData: fc.Arbitrary<Typed> = fc.integer({ min: 1, max: 4 }).chain((count) => {
  const memberOf = (at: number) =>
    fc.tuple(
      leafTypes,
      fc.nat(3),
      fc.integer({ min: at + 1, max: Math.max(at + 1, count - 1) }),
      fc.constantFrom('', '[]', '[2]', '[][]', '[3][]'),
    )
  const structs = Array.from({ length: count }, (_, at) => fc.array(memberOf(at), { minLength: 1, maxLength: 4 }))
  return fc.tuple(...structs).chain((drawn) => {
    const values = new Map<string, fc.Arbitrary<unknown>>()
    const types: Types = {}
    for (const [at, members] of [...drawn.entries()].toReversed()) {
      const record: Record<string, fc.Arbitrary<unknown>> = {}
      types[`T${at}`] = members.map(([leaf, kind, other, list], place) => {
        const isStruct = kind === 0 && other < count
        const base = isStruct ? `T${other}` : leaf.type
        record[`m${place}`] = listOf(isStruct ? (values.get(base) ?? fc.constant({})) : leaf.value, list)
        return { name: `m${place}`, type: base + list }
      })
      values.set(`T${at}`, fc.record(record))
    }
    const domain = fc.record(
      { name: fc.string(), version: fc.string(), chainId: fc.nat(), verifyingContract: hexOf(20), salt: hexOf(32) },
      { requiredKeys: [] },
    )
    return fc.record({ domain, message: values.get('T0') ?? fc.constant({}) }).map(({ domain: own, message }) => ({
      types,
      primaryType: 'T0',
      domain: own,
      // A value of a struct is an object.
      message: message as Record<string, unknown>,
    }))
  })
})

function listOf(value: fc.Arbitrary<unknown>, list: string): fc.Arbitrary<unknown> {
  const [, size] = /^\[(\d*)\]/.exec(list) ?? []
  if (size === undefined) return value
  const length = size === '' ? { maxLength: 3 } : { minLength: Number(size), maxLength: Number(size) }
  return listOf(fc.array(value, length), list.slice(size.length + 2))
}

const recoverSigner = async (json: string, digest: Hex): Promise<string> =>
  recoverAddress({ hash: digest, signature: toHex(signRequest(privateKey, { kind: 'evm-typed-data', json })) })

test('random typed data is signed as EIP-712 specifies [G-07]', { tags: 'abuse' }, async () => {
  await fc.assert(
    fc.asyncProperty(typedData, async (data) => {
      const { json } = parseTypedData(JSON.stringify(data))
      expect(await recoverSigner(json, digestOf(data))).toBe(account)
    }),
    { numRuns: 400 },
  )
})

test('every signed value is shown in the order of its type [G-07]', () => {
  fc.assert(
    fc.property(typedData, (data) => {
      const { fields } = parseTypedData(data)
      const shown = (from: typeof fields): unknown[] =>
        from.flatMap((one) => ('fields' in one ? shown(one.fields) : [one.value]))
      const valuesOf = (type: string, value: unknown): unknown[] => {
        if (Array.isArray(value)) return value.flatMap((each) => valuesOf(type.slice(0, type.lastIndexOf('[')), each))
        const members = data.types[type]
        if (members === undefined) return [String(value)]
        return members.flatMap((member) => valuesOf(member.type, Reflect.get(Object(value), member.name)))
      }
      expect(shown(fields)).toEqual(valuesOf('T0', data.message))
    }),
  )
})

const createSingleMember = (type: string, value: unknown, others: Types = {}) => ({
  types: { A: [{ name: 'a', type }], ...others },
  primaryType: 'A',
  domain: {},
  message: { a: value },
})

const createNamedType = (primaryType: string, member = 'a') => ({
  types: { [primaryType]: [{ name: member, type: 'uint256' }] },
  primaryType,
  domain: {},
  message: { [member]: 1 },
})

test.each([
  ['an empty text for a number, which would be signed as zero', createSingleMember('uint256', '')],
  ['a number with spaces around it', createSingleMember('uint256', ' 5 ')],
  ['a number in another notation', createSingleMember('uint256', '0b11')],
  ['a truth for a number, which would be signed as one', createSingleMember('uint256', true)],
  ['a number for a string, which would be signed as a byte', createSingleMember('string', 1)],
  ['a boolean for a string', createSingleMember('string', true)],
  ['a string for a boolean', createSingleMember('bool', 'false')],
  ['half a byte', createSingleMember('bytes', '0x1')],
  ['a string for bytes', createSingleMember('bytes', 'hello')],
  ['bytes of another length than their type', createSingleMember('bytes4', '0x010203')],
  ['a number beyond its type', createSingleMember('uint8', '256')],
  ['a number below its type', createSingleMember('int8', '-129')],
  ['a list that is longer than its type', createSingleMember('uint256[2]', ['1', '2', '3'])],
  ['a list that is shorter than its type', createSingleMember('uint256[2]', ['1'])],
  ['a type that there is not', createSingleMember('uint7', 1)],
  ['a type without its width, which implementations hash differently', createSingleMember('uint', 1)],
  ['a struct that is not there', createSingleMember('B', {})],
  ['a type whose name is a list', createNamedType('A[]')],
  ['a type whose name has members', createNamedType('A(uint256 b)B')],
  ['a type whose name has a space', createNamedType('A B')],
  ['a type without a name', createNamedType('')],
  ['a member whose name has another', createNamedType('A', 'a,uint256 b')],
  ['a member without a name', createNamedType('A', '')],
  [
    'a type of two parts that is a member',
    createSingleMember('B:C', { b: 1 }, { 'B:C': [{ name: 'b', type: 'uint256' }] }),
  ],
  [
    'a type of two parts that has structs',
    { types: { 'A:B': [{ name: 'a', type: 'C[]' }], C: [] }, primaryType: 'A:B', domain: {}, message: { a: [] } },
  ],
])('typed data with %s is refused [G-07]', (_what, data) => {
  expect(() => parseTypedData(JSON.stringify(data))).toThrow(RpcError)
})

test('a primary type with a colon is signed as by other wallets [G-07]', async () => {
  const data = {
    types: {
      'Exchange:Withdraw': [
        { name: 'amount', type: 'string' },
        { name: 'time', type: 'uint64' },
      ],
    },
    primaryType: 'Exchange:Withdraw',
    domain: { name: 'Exchange', chainId: 1 },
    message: { amount: '5', time: 1_800_000_000_000 },
  }
  expect(await recoverSigner(parseTypedData(data).json, digestOf(data))).toBe(account)
})
