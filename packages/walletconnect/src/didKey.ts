const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The multicodec prefix of an Ed25519 public key. It begins with no zero byte, which base58 would write apart. */
const ed25519Prefix = [0xed, 0x01] as const

/** Writes an Ed25519 public key as `did:key` (W3C did:key method): what a relay knows a client by. */
export function didKey(publicKey: Uint8Array): string {
  let number = [...ed25519Prefix, ...publicKey].reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (; number > 0n; number /= 58n) text = base58Alphabet.charAt(Number(number % 58n)) + text
  return `did:key:z${text}`
}
