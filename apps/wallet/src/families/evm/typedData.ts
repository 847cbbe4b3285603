import { hashTypedData, isAddress, type Address, type TypedDataDefinition } from 'viem'
import { isRecord, parseRecord } from '../../config.ts'
import { refusals, RpcError } from '../../rpcError.ts'
import type { TypedDataSummary, TypedNode } from '../question.ts'

/** An `eth_signTypedData_v4` request, read. */
export type TypedDataRequest = { address: Address; definition: TypedDataDefinition; summary: TypedDataSummary }

type Field = { name: string; type: string }
type Types = { readonly [type: string]: readonly Field[] }

/** The fields that EIP-712 knows of a domain, in its order. */
const domainFields: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/**
 * Reads the parameters of `eth_signTypedData_v4`: the account, then the data as JSON text or as an object (EIP-712).
 *
 * @param chain the number of the chain on which it is asked
 * @throws RpcError -32602.
 */
export function readTypedData(params: unknown, chain: number): TypedDataRequest {
  const [address, content]: unknown[] = Array.isArray(params) ? params : []
  if (typeof address !== 'string' || !isAddress(address, { strict: false })) throw refusals.invalid('no account')
  const data = typeof content === 'string' ? parseRecord(content) : content
  if (!isRecord(data)) throw refusals.invalid('the typed data is no object')
  const { primaryType, domain = {}, message } = data
  const types = readTypes(data['types'])
  if (typeof primaryType !== 'string' || !Object.hasOwn(types, primaryType)) throw refusals.invalid('no primary type')
  if (!isRecord(domain) || !isRecord(message)) throw refusals.invalid('the typed data has no domain or no message')

  const fieldsOfDomain = types['EIP712Domain'] ?? domainFields.filter(({ name }) => name in domain)
  const complete = { ...types, EIP712Domain: fieldsOfDomain }
  const summary = {
    primaryType,
    domain: membersOf('EIP712Domain', domain, complete),
    message: membersOf(primaryType, message, complete),
    foreignChain: foreignChain(domain['chainId'], chain),
  }
  // The forms were checked above; encoding checks the values against the types.
  const definition = { types: complete, primaryType, domain, message } as TypedDataDefinition
  checkValues(definition)
  return { address, definition, summary }
}

function checkValues(definition: TypedDataDefinition): void {
  try {
    hashTypedData(definition)
  } catch (cause) {
    throw new RpcError(-32602, 'Invalid parameters: a value does not fit its type.', { cause })
  }
}

function readTypes(value: unknown): Types {
  if (!isRecord(value) || !Object.values(value).every(isFieldList)) throw refusals.invalid('the types are malformed')
  // Each entry was checked in the line above.
  return value as Types
}

function isFieldList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((field) => isRecord(field) && typeof field['name'] === 'string' && typeof field['type'] === 'string')
  )
}

/** Only what the types name is signed, so only that is shown. */
function membersOf(type: string, value: unknown, types: Types): readonly TypedNode[] {
  if (!isRecord(value)) throw refusals.invalid(`${type} is no object`)
  return (types[type] ?? []).map((field) => nodeOf(field, value[field.name], types))
}

function nodeOf({ name, type }: Field, value: unknown, types: Types): TypedNode {
  const [, item] = /^(.+)\[\d*\]$/.exec(type) ?? []
  if (item !== undefined) {
    if (!Array.isArray(value)) throw refusals.invalid(`${name} is no list`)
    return { name, type, members: value.map((each, at) => nodeOf({ name: `${at + 1}`, type: item }, each, types)) }
  }
  if (Object.hasOwn(types, type)) return { name, type, members: membersOf(type, value, types) }
  return { name, type, value: leafOf(name, value) }
}

function leafOf(name: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      throw refusals.invalid(`${name} has no value`)
  }
}

function foreignChain(written: unknown, chain: number): string | undefined {
  if (typeof written !== 'string' && typeof written !== 'number') return undefined
  return Number(written) === chain ? undefined : String(written)
}
