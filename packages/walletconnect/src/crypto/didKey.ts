const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The multicodec prefix of an Ed25519 public key. It has no leading zero byte, which base58 would encode separately. */
const ed25519Prefix = [0xed, 0x01] as const

/** Formats an Ed25519 public key as `did:key` (W3C did:key method), the id of a client at a relay. */
export function formatDidKey(publicKey: Uint8Array): string {
  let number = [...ed25519Prefix, ...publicKey].reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (; number > 0n; number /= 58n) text = base58Alphabet.charAt(Number(number % 58n)) + text
  return `did:key:z${text}`
}
