import { hashTypedData, isAddress, type Address, type TypedDataDefinition } from 'viem'
import { isRecord } from '@latchkey/protocol'
import { parseJsonObject } from '../../walletConfig.ts'
import { rpcErrors, RpcError } from '../../rpcError.ts'
import type { TypedDataSummary, TypedNode } from '../typedDataSummary.ts'

/** A parsed `eth_signTypedData_v4` request. */
export type TypedDataRequest = { address: Address; definition: TypedDataDefinition; summary: TypedDataSummary }

type Field = { name: string; type: string }
type Types = { readonly [type: string]: readonly Field[] }

/** The domain fields of EIP-712, in its order. */
const domainFields: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/**
 * Parses the parameters of `eth_signTypedData_v4`: the account, then the data as JSON text or as an object (EIP-712).
 *
 * @param chain the chain id of the request
 * @throws RpcError -32602 if the parameters are invalid
 */
export function parseTypedDataRequest(params: unknown, chain: number): TypedDataRequest {
  const [address, content]: unknown[] = Array.isArray(params) ? params : []
  if (typeof address !== 'string' || !isAddress(address, { strict: false }))
    throw rpcErrors.invalid('the account is missing')
  const data = typeof content === 'string' ? parseJsonObject(content) : content
  if (!isRecord(data)) throw rpcErrors.invalid('the typed data is not an object')
  const { primaryType, domain = {}, message } = data
  const types = parseTypes(data['types'])
  if (typeof primaryType !== 'string' || !Object.hasOwn(types, primaryType))
    throw rpcErrors.invalid('primaryType is missing')
  if (!isRecord(domain) || !isRecord(message)) throw rpcErrors.invalid('the typed data has no domain or no message')

  const fieldsOfDomain = types['EIP712Domain'] ?? domainFields.filter(({ name }) => name in domain)
  const complete = { ...types, EIP712Domain: fieldsOfDomain }
  const summary = {
    primaryType,
    domain: toMembers('EIP712Domain', domain, complete),
    message: toMembers(primaryType, message, complete),
    otherChain: otherChain(domain['chainId'], chain),
  }
  // The structure was checked above. Encoding checks the values against the types.
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

function parseTypes(value: unknown): Types {
  if (!isRecord(value) || !Object.values(value).every(isFieldList)) throw rpcErrors.invalid('the types are malformed')
  // The line above checked each entry.
  return value as Types
}

function isFieldList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((field) => isRecord(field) && typeof field['name'] === 'string' && typeof field['type'] === 'string')
  )
}

/** Lists the fields that the types name. Only these are signed. */
function toMembers(type: string, value: unknown, types: Types): readonly TypedNode[] {
  if (!isRecord(value)) throw rpcErrors.invalid(`${type} is not an object`)
  return (types[type] ?? []).map((field) => toNode(field, value[field.name], types))
}

function toNode({ name, type }: Field, value: unknown, types: Types): TypedNode {
  const [, item] = /^(.+)\[\d*\]$/.exec(type) ?? []
  if (item !== undefined) {
    if (!Array.isArray(value)) throw rpcErrors.invalid(`${name} is not a list`)
    return { name, type, members: value.map((each, at) => toNode({ name: `${at + 1}`, type: item }, each, types)) }
  }
  if (Object.hasOwn(types, type)) return { name, type, members: toMembers(type, value, types) }
  return { name, type, value: toLeaf(name, value) }
}

function toLeaf(name: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      throw rpcErrors.invalid(`${name} has no value`)
  }
}

function otherChain(written: unknown, chain: number): string | undefined {
  if (typeof written !== 'string' && typeof written !== 'number') return undefined
  return Number(written) === chain ? undefined : String(written)
}
