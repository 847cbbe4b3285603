/** Returns the signature of a fake wallet. It can be forged and verified without a key. */
export function fakeSignature(address: string, message: string): `0x${string}` {
  return `0x${encodeHex(`${address.toLowerCase()} signed ${message}`)}`
}

/** Returns the hash of a fake wallet's transaction by its number. */
export function fakeHash(wallet: string, index: number): `0x${string}` {
  const digits = index.toString(16).padStart(8, '0') + encodeHex(wallet)
  return `0x${digits.slice(0, 64).padEnd(64, '0')}`
}

function encodeHex(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
