import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'

/** A signer's key pair. */
export type SignerKey = {
  /** Public key in base64url, 43 characters. */
  readonly publicKey: string
  readonly privateKey: KeyObject
}

/**
 * Creates a signer's key and writes it to a new file, which only its owner can read. The file is PEM (PKCS #8, RFC 8410).
 * Never copy it to a server.
 *
 * @param passphrase encrypts the file if it is given
 * @returns the public key for `FRAME_SIGNERS`, `releases` and `--signer`
 * @throws Error if the file exists
 * @example const publicKey = await createSignerKey('signer.pem')
 */
export async function createSignerKey(file: string, passphrase?: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const encryption = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption })
  await writeFile(file, pem, { mode: 0o600, flag: 'wx' })
  return publicKeyOf(privateKey)
}

/**
 * Reads a signer's key.
 *
 * @throws Error if the file is not an Ed25519 key, or if other users of the machine can read it
 * @example const { publicKey } = await readSignerKey('signer.pem')
 */
export async function readSignerKey(file: string, passphrase?: string): Promise<SignerKey> {
  const { mode } = await stat(file)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new Error(`Other users of this machine can read ${file}. Restrict it with chmod 600, or create a new key.`)
  }
  const privateKey = parsePrivateKey(await readFile(file, 'utf8'), file, passphrase)
  return { publicKey: publicKeyOf(privateKey), privateKey }
}

function parsePrivateKey(pem: string, file: string, passphrase: string | undefined): KeyObject {
  try {
    const key = createPrivateKey({ key: pem, passphrase })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The library's message does not help, and may contain parts of the file.
  }
  throw new Error(`${file} is not an Ed25519 key in PEM, or its passphrase is missing or wrong.`)
}

function publicKeyOf(privateKey: KeyObject): string {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return x
}
