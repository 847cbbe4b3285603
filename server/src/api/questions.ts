import { Type } from '@sinclair/typebox'
import { isChainId, isNamespace, parseChainId, type Namespace } from '@latchkey/protocol'
import { base58 } from '@scure/base'
import { Problem } from '../kit/problem.ts'

/** What every question may carry: who asks, and with which software. */
export const commonQuery = {
  projectId: Type.Optional(Type.String({ maxLength: 64 })),
  st: Type.Optional(Type.String({ maxLength: 64 })),
  sv: Type.Optional(Type.String({ maxLength: 128 })),
  clientId: Type.Optional(Type.String({ maxLength: 256 })),
}

/** A chain by its CAIP-2 id. */
export const chainIdQuery = { chainId: Type.Optional(Type.String({ maxLength: 41 })) }

/** The address in the path, as its chain family writes it. */
export const addressParam = Type.Object({ address: Type.String({ maxLength: 128 }) })

/**
 * Reads an address together with the chain that says of which family it is; eip155 when none does.
 *
 * @throws Problem 400 `chainId` or `address`.
 */
export function readAddress(address: string, chainId: string | undefined): { namespace: Namespace; address: string } {
  if (chainId !== undefined && !isChainId(chainId)) throw new Problem(400, 'chainId', 'This is not a CAIP-2 id.')
  const namespace = chainId === undefined ? 'eip155' : parseChainId(chainId).namespace
  if (!isNamespace(namespace) || !isAddressOf(namespace, address)) {
    throw new Problem(400, 'address', `This is not an address of ${namespace}.`)
  }
  return { namespace, address }
}

/** Whether a text is an address as a chain family writes it. */
export function isAddressOf(namespace: Namespace, address: string): boolean {
  if (namespace === 'eip155') return /^0x[0-9a-f]{40}$/i.test(address)
  return namespace === 'solana' && isSolanaAddress(address)
}

function isSolanaAddress(address: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return false
  return base58.decode(address).length === 32
}
