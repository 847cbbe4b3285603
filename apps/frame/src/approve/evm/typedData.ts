import { hashTypedData, type TypedDataDefinition } from 'viem'
import { refusals } from '../../chain/rpcError.ts'
import { isRecord } from '../../services/ask.ts'
import type { Field } from '../facts.ts'
import { isAddress, isHex } from './hex.ts'

/** Typed data, read: what is shown is what is signed, for nothing else of the page's text is left in `json`. */
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

/** The members that EIP-712 knows of a domain, in its order. */
const domainMembers: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/** Deeper or wider than this nobody reads it, and drawing it would only take time. */
const limits = { depth: 24, fields: 4_000, types: 200 } as const

/**
 * Reads typed data and lays it out by its types: what they do not name is neither signed nor shown.
 *
 * @param content JSON, or what was JSON
 * @throws RpcError -32602 for anything that cannot be signed exactly as it is shown
 */
export function readTypedData(content: unknown): TypedData {
  const data = typeof content === 'string' ? parse(content) : content
  if (!isRecord(data)) throw refusals.invalid('the typed data is no object')
  const { primaryType, domain = {}, message } = data
  const types = readTypes(data['types'])
  if (typeof primaryType !== 'string' || !Object.hasOwn(types, primaryType)) throw refusals.invalid('no primary type')
  if (!isRecord(domain) || !isRecord(message)) throw refusals.invalid('the typed data has no domain or no message')
  const present = domainMembers.filter(({ name }) => Object.hasOwn(domain, name))
  const complete: Types = { ...types, EIP712Domain: types['EIP712Domain'] ?? present }
  const layOut = createLayout(complete)
  const signed = {
    types: complete,
    primaryType,
    domain: layOut.pick('EIP712Domain', domain),
    message: layOut.pick(primaryType, message),
  }
  check(signed)
  return {
    json: JSON.stringify(signed),
    ...signed,
    domainFields: layOut.fieldsOf('EIP712Domain', signed.domain),
    fields: layOut.fieldsOf(primaryType, signed.message),
  }
}

/** Whether every value fits its type: what cannot be hashed cannot be signed. */
function check(signed: object): void {
  try {
    // Its form was read above; its values are what is asked here.
    hashTypedData(signed as TypedDataDefinition)
  } catch (cause) {
    throw Object.assign(refusals.invalid('a value of the typed data does not fit its type'), { cause })
  }
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw refusals.invalid('the typed data is no JSON')
  }
}

function readTypes(value: unknown): Types {
  if (!isRecord(value) || Object.keys(value).length > limits.types) throw refusals.invalid('no types')
  const entries = Object.entries(value).map(([name, members]): [string, readonly Member[]] => {
    if (!isTypeName(name) || !Array.isArray(members)) throw refusals.invalid('the types are malformed')
    return [name, members.map(readMember)]
  })
  const types = Object.fromEntries(entries)
  assertPlain(types)
  return types
}

/** Signs that part the types and members of what is hashed could make one type look like another. */
const isTypeName = (name: string): boolean => /^[^\s()[\],]+$/.test(name)
const isMemberName = (name: string): boolean => /^[^()[\],]+$/.test(name)

/**
 * Some pages name their type in two parts, with a colon. That is no identifier, and whoever hashes it does not look for the
 * types behind it: such a type has plain members only, and is nobody's member.
 */
function assertPlain(types: Types): void {
  const isPlain = (name: string): boolean => /^\w+$/.test(name)
  for (const [name, members] of Object.entries(types)) {
    const structs = members.map(({ type }) => type.replace(/\[.*$/, '')).filter((type) => Object.hasOwn(types, type))
    const isOdd = isPlain(name) ? !structs.every(isPlain) : structs.length > 0
    if (isOdd) throw refusals.invalid(`the types of ${name} cannot be told apart`)
  }
}

function readMember(member: unknown): Member {
  const { name, type } = isRecord(member) ? member : {}
  if (typeof name !== 'string' || typeof type !== 'string' || !isMemberName(name)) {
    throw refusals.invalid('the types are malformed')
  }
  return { name, type }
}

type Layout = {
  /** Only what the types name, in values that are exact. */
  pick(type: string, value: unknown): Record<string, unknown>
  fieldsOf(type: string, value: unknown): readonly Field[]
}

function createLayout(types: Types): Layout {
  let left = limits.fields

  function pickAt(type: string, value: unknown, depth: number): unknown {
    left -= 1
    if (left < 0 || depth > limits.depth) throw refusals.invalid('the typed data is too deep or too long to be shown')
    const item = itemOf(type)
    if (item !== undefined) {
      if (!Array.isArray(value)) throw refusals.invalid('a list of the typed data is none')
      if (value.length !== (item.length ?? value.length)) {
        throw refusals.invalid('a list of the typed data has another length than its type')
      }
      return value.map((each) => pickAt(item.type, each, depth + 1))
    }
    if (!Object.hasOwn(types, type)) return leafOf(type, value)
    if (!isRecord(value)) throw refusals.invalid('a part of the typed data is no object')
    const entries = (types[type] ?? []).map((member) => [
      member.name,
      pickAt(member.type, Object.hasOwn(value, member.name) ? value[member.name] : undefined, depth + 1),
    ])
    return Object.fromEntries(entries)
  }

  function fieldOf(name: string, type: string, value: unknown): Field {
    const item = itemOf(type)
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
    // A struct is picked as an object: the first branch that is none has thrown.
    pick: (type, value) => pickAt(type, value, 0) as Record<string, unknown>,
    fieldsOf,
  }
}

/** What a list is of, and of how many; undefined for what is no list. */
function itemOf(type: string): { type: string; length: number | undefined } | undefined {
  const [, item, length] = /^(.+)\[(\d*)\]$/.exec(type) ?? []
  return item === undefined ? undefined : { type: item, length: length === '' ? undefined : Number(length) }
}

type Fits = (value: unknown) => boolean

const isBytes: Fits = (value) => isHex(value) && value.length % 2 === 0
/** A number that JSON could not carry exactly would be shown as another one than the page meant. */
const isWhole: Fits = (value) =>
  typeof value === 'number'
    ? Number.isSafeInteger(value)
    : typeof value === 'string' && /^(?:-?\d{1,78}|0x[\da-f]{1,64})$/i.test(value)
const widths = Array.from({ length: 32 }, (_, at) => at + 1)

/**
 * What values of each type look like in JSON. Whoever hashes them takes more than that, and would sign another value than
 * is shown: zero for an empty text, the byte 1 for the number 1 where a text is wanted.
 */
const leaves: ReadonlyMap<string, Fits> = new Map<string, Fits>([
  ['string', (value) => typeof value === 'string'],
  ['bool', (value) => typeof value === 'boolean'],
  ['address', isAddress],
  ['bytes', isBytes],
  ...widths.map((width) => [`bytes${width}`, isBytes] as const),
  ...widths.flatMap((width) => [`int${width * 8}`, `uint${width * 8}`].map((type) => [type, isWhole] as const)),
])

function leafOf(type: string, value: unknown): unknown {
  const fits = leaves.get(type)
  if (fits === undefined) throw refusals.invalid('the typed data has a type that there is not')
  if (!fits(value)) throw refusals.invalid('the typed data has a value that is missing, not exact or of another type')
  return value
}
