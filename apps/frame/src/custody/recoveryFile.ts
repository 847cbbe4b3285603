import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import { isRecord } from '@latchkey/protocol'
import { decodeKeyShare, encodeKeyShare, keyShareBytes, type KeyShare } from './keyShare.ts'
import { stretchCost, type StretchPassword } from './passwordKey.ts'
import { seal, unseal } from './seal.ts'
import { openVault } from './sealVault.ts'
import { joinKeyShares } from './splitKey.ts'

/** Two key shares of one enrolment and the sealed vault. They open the wallet without any service. */
export type RecoveryFileContent = {
  readonly shares: readonly [KeyShare, KeyShare]
  readonly vault: Uint8Array
}

type RecoveryFile = {
  /** ISO 8601. */
  readonly createdAt: string
  readonly salt: Uint8Array
  readonly sealed: Uint8Array
}

const format = 'latchkey recovery file'
const version = 1
const saltBytes = 16
const { iterations, memorySize, parallelism } = stretchCost
const kdf = { name: 'argon2id', iterations, memoryKiB: memorySize, parallelism }
/** Longest file that is read. */
const mostCharacters = 16_384

/**
 * Writes a recovery file: two key shares and the vault, sealed with a password alone. Unlike the recovery method, no service
 * limits the guesses.
 *
 * @param now milliseconds since the epoch
 * @param stretch Argon2id with `stretchCost`
 * @returns the text of the file, JSON. The format is documented in docs/embedded-wallet.md.
 * @example const text = await writeRecoveryFile({ shares, vault }, { password, now: Date.now(), stretch })
 */
export async function writeRecoveryFile(
  { shares: [one, other], vault }: RecoveryFileContent,
  { password, now, stretch }: { password: string; now: number; stretch: StretchPassword },
): Promise<string> {
  const createdAt = new Date(now).toISOString()
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes))
  const encoded = [one, other].map(encodeKeyShare)
  const content = concatBytes(...encoded, vault)
  for (const share of encoded) share.fill(0)
  const key = await deriveFileKey(password, salt, stretch)
  try {
    const sealed = await seal(key, 'recovery-file', headerOf(createdAt, salt), content)
    const { encode } = base64urlnopad
    return `${JSON.stringify({ format, version, createdAt, kdf: { ...kdf, salt: encode(salt) }, sealed: encode(sealed) }, undefined, 2)}\n`
  } finally {
    key.fill(0)
    content.fill(0)
  }
}

/**
 * Opens a recovery file and the wallet in it. Needs no service and no network.
 *
 * @returns the wallet's entropy, which the caller has to wipe; `undefined` if the string is not a recovery file
 * @throws LatchkeyError `custody/unreadable` with a wrong password or if the file was changed; `custody/mismatch`,
 *   `custody/invalid-share`
 * @example const entropy = await openRecoveryFile(text, { password, stretch })
 */
export async function openRecoveryFile(
  text: string,
  { password, stretch }: { password: string; stretch: StretchPassword },
): Promise<Uint8Array | undefined> {
  const file = parseRecoveryFile(text)
  if (file === undefined) return undefined
  const { createdAt, salt, sealed } = file
  const key = await deriveFileKey(password, salt, stretch)
  try {
    const content = await unseal(key, 'recovery-file', headerOf(createdAt, salt), sealed, 'The recovery file')
    try {
      return await openContent(content)
    } finally {
      content.fill(0)
    }
  } finally {
    key.fill(0)
  }
}

async function openContent(content: Uint8Array): Promise<Uint8Array> {
  const one = decodeKeyShare(content.subarray(0, keyShareBytes))
  const other = decodeKeyShare(content.subarray(keyShareBytes, 2 * keyShareBytes))
  const walletKey = await joinKeyShares(one, other)
  try {
    return (await openVault(walletKey, one, content.subarray(2 * keyShareBytes))).entropy
  } finally {
    walletKey.fill(0)
    one.values.fill(0)
    other.values.fill(0)
  }
}

/** Keyboards type the same password as different code points. NFKC unifies them. */
async function deriveFileKey(password: string, salt: Uint8Array, stretch: StretchPassword): Promise<Uint8Array> {
  const input = utf8ToBytes(password.normalize('NFKC'))
  try {
    return await stretch(input, salt)
  } finally {
    input.fill(0)
  }
}

function headerOf(createdAt: string, salt: Uint8Array): Uint8Array {
  return concatBytes(utf8ToBytes(`${format} ${version}\n${createdAt}\n`), salt)
}

/** The cost of the stretching is part of the version: a file can't make the reader do less, or much more, work. */
function parseRecoveryFile(text: string): RecoveryFile | undefined {
  try {
    const value: unknown = text.length > mostCharacters ? undefined : JSON.parse(text)
    if (!isRecord(value) || value['format'] !== format || value['version'] !== version) return undefined
    const { createdAt, kdf: given, sealed } = value
    if (!isRecord(given) || typeof createdAt !== 'string' || typeof sealed !== 'string') return undefined
    const { salt, ...cost } = given
    if (typeof salt !== 'string' || Object.entries(kdf).some(([name, number]) => cost[name] !== number))
      return undefined
    const bytes = base64urlnopad.decode(salt)
    if (bytes.length !== saltBytes) return undefined
    return { createdAt, salt: bytes, sealed: base64urlnopad.decode(sealed) }
  } catch {
    // Not JSON or not base64url.
    return undefined
  }
}
