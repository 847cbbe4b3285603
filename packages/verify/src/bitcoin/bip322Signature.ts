import { base64 } from '@scure/base'
import { RawWitness } from '@scure/btc-signer/script.js'

/** A decoded signature of BIP-322, in one of its formats. */
export type Bip322Signature =
  | { readonly format: 'simple'; readonly witness: readonly Uint8Array[] }
  | { readonly format: 'full' | 'proof-of-funds'; readonly bytes: Uint8Array }
  /** The recoverable signature of `signmessage`. */
  | { readonly format: 'recoverable'; readonly bytes: Uint8Array }

const formats = { smp: 'simple', ful: 'full', pof: 'proof-of-funds' } as const
/** No usual proof is longer, and decoding stays fast. */
const maxLength = 400_000

/**
 * Decodes a signature. Signatures without a prefix are older than the prefixes: they are recoverable if they have 65 bytes,
 * full if they begin like a transaction of version 0 or 2, and otherwise simple.
 *
 * @throws if it is malformed or too long
 */
export function parseBip322Signature(signature: string): Bip322Signature {
  if (signature.length > maxLength) throw new RangeError('The signature is too long.')
  const named = formats[signature.slice(0, 3) as keyof typeof formats]
  const bytes = base64.decode(named === undefined ? signature : signature.slice(3))
  const format = named ?? formatOf(bytes)
  return format === 'simple' ? { format, witness: RawWitness.decode(bytes) } : { format, bytes }
}

function formatOf(bytes: Uint8Array): Bip322Signature['format'] {
  if (bytes.length === 65) return 'recoverable'
  // Read as a witness, these four bytes would be followed by bytes that are left over.
  return bytes.length > 65 && (bytes[0] === 0 || bytes[0] === 2) && bytes.subarray(1, 4).every((byte) => byte === 0)
    ? 'full'
    : 'simple'
}
