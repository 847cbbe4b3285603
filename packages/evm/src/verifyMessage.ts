import type { Network } from '@latchkey/protocol'
import { isHex } from 'viem'
import { verifyMessage as verify } from 'viem/actions'
import { checkedAddress } from './checkedAddress.ts'
import { readerOf, reading, type Readers } from './readers.ts'

/**
 * Whether a signature is that of an address: a key's (EIP-191), which needs no chain to see, or a contract's (EIP-1271,
 * and EIP-6492 for one that is not deployed yet).
 */
export async function verifyMessage(
  readers: Readers,
  network: Network,
  account: string,
  message: string,
  signature: string,
): Promise<boolean> {
  const address = checkedAddress(account)
  if (!isHex(signature) || signature.length % 2 === 1) return false
  return reading(network, verify(readerOf(readers, network), { address, message, signature, mode: 'eoa' }))
}
