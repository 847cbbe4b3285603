import { createHash } from 'node:crypto'
import { base58, bech32, bech32m } from '@scure/base'

/** Version bytes of P2PKH and P2SH, on the main network and on test networks. */
const versions: readonly (number | undefined)[] = [0x00, 0x05, 0x6f, 0xc4]
const hashBytes = 20
const checksumBytes = 4

/**
 * True for a Bitcoin address of any network with a valid checksum: Base58Check, Bech32 (BIP-173) in lower case, or Bech32m
 * (BIP-350) in lower case.
 *
 * @example isBitcoinAddress('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq') // true
 */
export function isBitcoinAddress(address: string): boolean {
  return /^(?:bc|tb|bcrt)1/.test(address) ? isSegwitAddress(address) : isLegacyAddress(address)
}

function isLegacyAddress(address: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,35}$/.test(address)) return false
  const bytes = base58.decode(address)
  if (bytes.length !== 1 + hashBytes + checksumBytes || !versions.includes(bytes[0])) return false
  const body = bytes.subarray(0, -checksumBytes)
  const digest = createHash('sha256').update(createHash('sha256').update(body).digest()).digest()
  return digest.subarray(0, checksumBytes).equals(bytes.subarray(-checksumBytes))
}

/** Version 0 has the first form of the checksum, later versions have the second one. */
function isSegwitAddress(address: string): boolean {
  const [, separator = ''] = /^(bc|tb|bcrt)1[02-9ac-hj-np-z]{8,90}$/.exec(address) ?? []
  const decoded = separator === '' ? undefined : (decodeSegwit(bech32, address) ?? decodeSegwit(bech32m, address))
  if (decoded === undefined) return false
  const { version, program, isFirstForm } = decoded
  if (version > 16 || program.length < 2 || program.length > 40 || isFirstForm !== (version === 0)) return false
  return version !== 0 || program.length === hashBytes || program.length === 32
}

type Segwit = { version: number; program: Uint8Array; isFirstForm: boolean }

function decodeSegwit(coder: typeof bech32, address: string): Segwit | undefined {
  const decoded = coder.decodeUnsafe(address)
  const [version, ...words] = decoded?.words ?? []
  const program = version === undefined ? undefined : coder.fromWordsUnsafe(words)
  return version === undefined || program === undefined
    ? undefined
    : { version, program: Uint8Array.from(program), isFirstForm: coder === bech32 }
}
