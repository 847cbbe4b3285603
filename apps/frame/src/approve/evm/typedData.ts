import { hashTypedData, type TypedDataDefinition } from 'viem'
import { isRecord } from '@latchkey/protocol'
import { rpcErrors } from '../../chain/rpcError.ts'
import type { Field } from '../approvalFacts.ts'
import { isAddress, isHex } from './parseQuantity.ts'

/** Parsed typed data. `json` has only what is shown, so nothing else of the page's text is signed. */
export type TypedData = {
  readonly json: string
  readonly primaryType: string
  readonly domain: Readonly<Record<string, unknown>>
  readonly message: Readonly<Record<string, unknown>>
  readonly domainFields: readonly Field[]
  readonly fields: readonly Field[]
}

type Member = { readonly name: string; readonly type: string }
type Types = Readonly<Record<string, readonly Member[]>>

/** The members of an EIP-712 domain in their order. */
const domainMembers: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/** Larger data is unreadable, and slow to draw. */
const limits = { depth: 24, fields: 4_000, types: 200 } as const

/**
 * Parses typed data along its types. Values without a type are neither signed nor shown.
 *
 * @param content JSON, or the parsed object
 * @throws RpcError -32602 for anything that can't be signed exactly as it is shown
 */
export function parseTypedData(content: unknown): TypedData {
  const data = typeof content === 'string' ? parseTypedDataJson(content) : content
  if (!isRecord(data)) throw rpcErrors.invalid('the typed data is not an object')
  const { primaryType, domain = {}, message } = data
  const types = parseTypes(data['types'])
  if (typeof primaryType !== 'string' || !Object.hasOwn(types, primaryType))
    throw rpcErrors.invalid('the primary type is missing')
  if (!isRecord(domain) || !isRecord(message)) throw rpcErrors.invalid('the typed data has no domain or no message')
  const present = domainMembers.filter(({ name }) => Object.hasOwn(domain, name))
  const complete: Types = { ...types, EIP712Domain: types['EIP712Domain'] ?? present }
  const layout = createLayout(complete)
  const signed = {
    types: complete,
    primaryType,
    domain: layout.pick('EIP712Domain', domain),
    message: layout.pick(primaryType, message),
  }
  assertHashable(signed)
  return {
    json: JSON.stringify(signed),
    ...signed,
    domainFields: layout.fieldsOf('EIP712Domain', signed.domain),
    fields: layout.fieldsOf(primaryType, signed.message),
  }
}

/** Checks that every value fits its type by hashing the data. */
function assertHashable(signed: object): void {
  try {
    // The structure was parsed above. This checks the values.
    hashTypedData(signed as TypedDataDefinition)
  } catch (cause) {
    throw Object.assign(rpcErrors.invalid('a value of the typed data does not fit its type'), { cause })
  }
}

function parseTypedDataJson(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw rpcErrors.invalid('the typed data is not JSON')
  }
}

function parseTypes(value: unknown): Types {
  if (!isRecord(value) || Object.keys(value).length > limits.types) throw rpcErrors.invalid('the types are missing')
  const entries = Object.entries(value).map(([name, members]): [string, readonly Member[]] => {
    if (!isTypeName(name) || !Array.isArray(members)) throw rpcErrors.invalid('the types are malformed')
    return [name, members.map(parseMember)]
  })
  const types = Object.fromEntries(entries)
  assertPlain(types)
  return types
}

/** Delimiters in names could make one type look like another when it is hashed. */
const isTypeName = (name: string): boolean => /^[^\s()[\],]+$/.test(name)
const isMemberName = (name: string): boolean => /^[^()[\],]+$/.test(name)

/**
 * Some pages use a colon in type names. Hashing does not resolve the types behind such names, so such a type may have
 * plain members only and may not be a member.
 */
function assertPlain(types: Types): void {
  const isPlain = (name: string): boolean => /^\w+$/.test(name)
  for (const [name, members] of Object.entries(types)) {
    const structs = members.map(({ type }) => type.replace(/\[.*$/, '')).filter((type) => Object.hasOwn(types, type))
    const isOdd = isPlain(name) ? !structs.every(isPlain) : structs.length > 0
    if (isOdd) throw rpcErrors.invalid(`the types of ${name} are ambiguous`)
  }
}

function parseMember(member: unknown): Member {
  const { name, type } = isRecord(member) ? member : {}
  if (typeof name !== 'string' || typeof type !== 'string' || !isMemberName(name)) {
    throw rpcErrors.invalid('the types are malformed')
  }
  return { name, type }
}

type Layout = {
  /** Picks the typed values only, and checks that they are exact. */
  pick(type: string, value: unknown): Record<string, unknown>
  fieldsOf(type: string, value: unknown): readonly Field[]
}

function createLayout(types: Types): Layout {
  let left = limits.fields

  function pickAt(type: string, value: unknown, depth: number): unknown {
    left -= 1
    if (left < 0 || depth > limits.depth) throw rpcErrors.invalid('the typed data is too deep or too long to be shown')
    const item = arrayItemOf(type)
    if (item !== undefined) {
      if (!Array.isArray(value)) throw rpcErrors.invalid('an array of the typed data is not an array')
      if (value.length !== (item.length ?? value.length)) {
        throw rpcErrors.invalid('an array of the typed data has the wrong length')
      }
      return value.map((each) => pickAt(item.type, each, depth + 1))
    }
    if (!Object.hasOwn(types, type)) return checkLeaf(type, value)
    if (!isRecord(value)) throw rpcErrors.invalid('a part of the typed data is not an object')
    const entries = (types[type] ?? []).map((member) => [
      member.name,
      pickAt(member.type, Object.hasOwn(value, member.name) ? value[member.name] : undefined, depth + 1),
    ])
    return Object.fromEntries(entries)
  }

  function fieldOf(name: string, type: string, value: unknown): Field {
    const item = arrayItemOf(type)
    if (item !== undefined) {
      const list: readonly unknown[] = Array.isArray(value) ? value : []
      return { name, type, fields: list.map((each, at) => fieldOf(`${at + 1}`, item.type, each)) }
    }
    return Object.hasOwn(types, type)
      ? { name, type, fields: fieldsOf(type, value) }
      : { name, type, value: String(value) }
  }

  function fieldsOf(type: string, value: unknown): readonly Field[] {
    const record = isRecord(value) ? value : {}
    return (types[type] ?? []).map((member) => fieldOf(member.name, member.type, record[member.name]))
  }

  return {
    // A struct yields an object. Anything else has thrown.
    pick: (type, value) => pickAt(type, value, 0) as Record<string, unknown>,
    fieldsOf,
  }
}

/** Returns item type and length of an array type, or `undefined`. */
function arrayItemOf(type: string): { type: string; length: number | undefined } | undefined {
  const [, item, length] = /^(.+)\[(\d*)\]$/.exec(type) ?? []
  return item === undefined ? undefined : { type: item, length: length === '' ? undefined : Number(length) }
}

type ValueCheck = (value: unknown) => boolean

const isBytes: ValueCheck = (value) => isHex(value) && value.length % 2 === 0
/** Numbers that JSON can't represent exactly would be shown differently from what the page meant. */
const isWhole: ValueCheck = (value) =>
  typeof value === 'number'
    ? Number.isSafeInteger(value)
    : typeof value === 'string' && /^(?:-?\d{1,78}|0x[\da-f]{1,64})$/i.test(value)
const widths = Array.from({ length: 32 }, (_, at) => at + 1)

/**
 * Valid JSON values by type. Hashing libraries accept more, and would sign another value than the shown one: zero for
 * an empty string, the byte 1 for the number 1.
 */
const leaves: ReadonlyMap<string, ValueCheck> = new Map<string, ValueCheck>([
  ['string', (value) => typeof value === 'string'],
  ['bool', (value) => typeof value === 'boolean'],
  ['address', isAddress],
  ['bytes', isBytes],
  ...widths.map((width) => [`bytes${width}`, isBytes] as const),
  ...widths.flatMap((width) => [`int${width * 8}`, `uint${width * 8}`].map((type) => [type, isWhole] as const)),
])

function checkLeaf(type: string, value: unknown): unknown {
  const fits = leaves.get(type)
  if (fits === undefined) throw rpcErrors.invalid('the typed data has an unknown type')
  if (!fits(value)) throw rpcErrors.invalid('a value of the typed data is missing, inexact or of the wrong type')
  return value
}
