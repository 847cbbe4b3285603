import {
  concat,
  getTypesForEIP712Domain,
  hashDomain,
  hashStruct,
  numberToHex,
  size,
  stringToHex,
  type Hex,
  type LocalAccount,
  type TypedDataDomain,
} from 'viem'
import { rpcErrors } from '../chain/rpcError.ts'

/** Typed data as it was parsed and shown. */
export type ReadTypedData = {
  readonly domain: TypedDataDomain
  readonly types: Types
  readonly primaryType: string
  readonly message: Record<string, unknown>
}

type Types = Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>

const outer = 'TypedDataSign' as const

/**
 * Wraps typed data with the domain of a contract account (ERC-7739). A signature of the result is valid for no other
 * account of the key.
 *
 * @throws RpcError 4200 for data that has a type with the wrapper's name
 */
export function nestTypedData({ domain, types: given, primaryType, message }: ReadTypedData, account: TypedDataDomain) {
  const { EIP712Domain: _, ...types } = given
  if (Object.hasOwn(types, outer) || primaryType === 'EIP712Domain')
    throw rpcErrors.unsupported('typed data of this form')
  const wrapped = [
    { name: 'contents', type: primaryType },
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
    { name: 'salt', type: 'bytes32' },
  ]
  const salt: Hex = `0x${'00'.repeat(32)}`
  return {
    domain,
    types: { ...types, [outer]: wrapped },
    primaryType: outer,
    message: { contents: message, ...account, salt },
  }
}

/**
 * Signs typed data for a contract account (ERC-7739).
 *
 * @param key signs the wrapped data
 * @param account domain of the account
 * @throws RpcError 4200 for data that has a type with the wrapper's name
 */
export async function signNested(
  key: Pick<LocalAccount, 'signTypedData'>,
  typedData: ReadTypedData,
  account: TypedDataDomain,
): Promise<Hex> {
  const { domain, types: given, primaryType, message } = typedData
  const { EIP712Domain: _, ...types } = given
  const signature = await key.signTypedData(nestTypedData(typedData, account))
  const domainTypes = { EIP712Domain: given['EIP712Domain'] ?? getTypesForEIP712Domain({ domain }) }
  const separator = hashDomain({ domain, types: copyTypes(domainTypes) })
  const contents = hashStruct({ data: message, primaryType, types: copyTypes(types) })
  const description = stringToHex(encodeType(types, primaryType))
  return concat([signature, separator, contents, description, numberToHex(size(description), { size: 2 })])
}

/** Encodes the types alphabetically, followed by the primary type if it is not the first. */
function encodeType(types: Types, primaryType: string): string {
  const used = [...collectTypes(types, primaryType, new Set<string>())].toSorted()
  const written = used.map((name) => `${name}(${membersOf(types, name)})`).join('')
  return used[0] === primaryType ? written : written + primaryType
}

function membersOf(types: Types, name: string): string {
  return (types[name] ?? []).map((member) => `${member.type} ${member.name}`).join(',')
}

function collectTypes(types: Types, name: string, found: Set<string>): Set<string> {
  if (found.has(name) || !Object.hasOwn(types, name)) return found
  found.add(name)
  for (const { type } of types[name] ?? []) collectTypes(types, type.replace(/\[.*$/, ''), found)
  return found
}

/** The library's types are mutable, but it changes nothing. */
function copyTypes(types: Types): Record<string, { name: string; type: string }[]> {
  return Object.fromEntries(Object.entries(types).map(([name, members]) => [name, [...members]]))
}
