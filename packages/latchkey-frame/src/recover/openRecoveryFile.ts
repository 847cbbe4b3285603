import { createDecipheriv, hkdfSync } from 'node:crypto'
import { argon2id } from 'hash-wasm'
import { combine } from 'shamir-secret-sharing'

type RecoveryFile = { readonly createdAt: string; readonly salt: Buffer; readonly sealed: Buffer }

const format = 'latchkey recovery file'
const kdf = { name: 'argon2id', iterations: 3, memoryKiB: 65_536, parallelism: 1 } as const
const longestFile = 16_384
const shareBytes = 93
const valueBytes = 33
const nonceBytes = 12
const tagBytes = 16
const entropyBytes = 16

/**
 * Opens a recovery file as docs/embedded-wallet.md describes it, without the code of the frame and without a network.
 *
 * @returns the entropy of the recovery phrase, 16 bytes
 * @throws Error with a sentence for the user if the string is not a recovery file, the password is wrong, or the file was
 *   changed
 * @example const entropy = await openRecoveryFile('{"format":"…"}', 'four calm herons')
 */
export async function openRecoveryFile(text: string, password: string): Promise<Buffer> {
  const { createdAt, salt, sealed } = parseRecoveryFile(text)
  const { iterations, memoryKiB: memorySize, parallelism } = kdf
  const input = { password: password.normalize('NFKC'), salt, iterations, memorySize, parallelism, hashLength: 32 }
  const fileKey = Buffer.from(await argon2id({ ...input, outputType: 'binary' }))
  const header = Buffer.concat([Buffer.from(`${format} 1\n${createdAt}\n`), salt])
  const content = unseal(fileKey, 'latchkey/recovery-file/1', header, sealed)
  const shares = [content.subarray(0, shareBytes), content.subarray(shareBytes, 2 * shareBytes)] as const
  const walletKey = Buffer.from(await combine(shares.map((share) => Uint8Array.from(share.subarray(-valueBytes)))))
  const place = Buffer.concat([Buffer.from('WSV1'), shares[0].subarray(21, 41)])
  try {
    const vault = unseal(walletKey, 'latchkey/vault/1', place, content.subarray(2 * shareBytes))
    return Buffer.from(vault.subarray(-entropyBytes))
  } finally {
    for (const secret of [fileKey, walletKey, content]) secret.fill(0)
  }
}

function unseal(key: Buffer, info: string, additionalData: Buffer, sealed: Buffer): Buffer {
  const aesKey = Buffer.from(hkdfSync('sha256', key, '', info, 32))
  const decipher = createDecipheriv('aes-256-gcm', aesKey, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(additionalData)
  try {
    decipher.setAuthTag(sealed.subarray(-tagBytes))
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()])
  } catch (error) {
    throw new Error('The password is wrong, or the file was changed.', { cause: error })
  } finally {
    aesKey.fill(0)
  }
}

/** The cost of the stretching is part of the version: a file can't make the reader do less, or much more, work. */
function parseRecoveryFile(text: string): RecoveryFile {
  const value = text.length > longestFile ? undefined : tryParseJson(text)
  const { format: name, version, createdAt, kdf: given, sealed } = toRecord(value)
  const { salt, ...cost } = toRecord(given)
  const isKnown = name === format && version === 1 && Object.entries(kdf).every(([key, each]) => cost[key] === each)
  if (!isKnown || typeof createdAt !== 'string' || typeof salt !== 'string' || typeof sealed !== 'string') {
    throw new Error('This is not a recovery file of this version.')
  }
  return { createdAt, salt: Buffer.from(salt, 'base64url'), sealed: Buffer.from(sealed, 'base64url') }
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toRecord(value: unknown): Record<string, unknown> {
  // An object has text keys.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
