import { parseBase58Number } from './isSolanaAddress.ts'

/**
 * Decodes an address to its public key.
 *
 * @param address a valid address
 * @returns 32 bytes
 */
export function decodeSolanaAddress(address: string): Uint8Array {
  const bytes = new Uint8Array(32)
  let rest = parseBase58Number(address)
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    bytes[index] = Number(rest & 255n)
    rest >>= 8n
  }
  return bytes
}
