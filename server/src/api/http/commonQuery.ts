import { Type } from '@sinclair/typebox'
import { isChainId, isNamespace, parseChainId, type Namespace } from '@latchkey/protocol'
import { base58 } from '@scure/base'
import { isBitcoinAddress } from '../../kit/chain/isBitcoinAddress.ts'
import { getSs58Key } from '../../kit/chain/ss58.ts'
import { Problem } from '../../kit/http/problem.ts'

/** Query parameters of every endpoint: the project and the software of the client. */
export const commonQuery = {
  projectId: Type.Optional(Type.String({ maxLength: 64 })),
  st: Type.Optional(Type.String({ maxLength: 64 })),
  sv: Type.Optional(Type.String({ maxLength: 128 })),
  clientId: Type.Optional(Type.String({ maxLength: 256 })),
}

/** A chain by its CAIP-2 id. */
export const chainIdQuery = { chainId: Type.Optional(Type.String({ maxLength: 41 })) }

/** The address in the path, in the format of its namespace. */
export const addressParam = Type.Object({ address: Type.String({ maxLength: 128 }) })

/**
 * Parses an address in the namespace of a chain, or in eip155 without a chain.
 *
 * @throws Problem 400 `chainId` or `address`
 */
export function parseAddress(address: string, chainId: string | undefined): { namespace: Namespace; address: string } {
  if (chainId !== undefined && !isChainId(chainId)) throw new Problem(400, 'chainId', 'This is not a CAIP-2 id.')
  const namespace = chainId === undefined ? 'eip155' : parseChainId(chainId).namespace
  if (!isNamespace(namespace) || !isAccountAddress(namespace, address)) {
    throw new Problem(400, 'address', `This is not an address of ${namespace}.`)
  }
  return { namespace, address }
}

function isAccountAddress(namespace: Namespace, address: string): boolean {
  if (namespace === 'bip122') return isBitcoinAddress(address)
  return namespace === 'polkadot' ? getSs58Key(address) !== undefined : isNamespaceAddress(namespace, address)
}

/** True if the text is an address of an account or a contract. Other namespaces have no contracts. */
export function isNamespaceAddress(namespace: Namespace, address: string): boolean {
  if (namespace === 'eip155') return /^0x[0-9a-f]{40}$/i.test(address)
  return namespace === 'solana' && isSolanaAddress(address)
}

function isSolanaAddress(address: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return false
  return base58.decode(address).length === 32
}
