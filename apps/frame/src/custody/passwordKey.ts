import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { isRecord } from '@latchkey/protocol'
import { base64urlnopad } from '@scure/base'
import { custodyError } from './custodyError.ts'

/**
 * Asks the auth service to evaluate a blinded password (OPRF, RFC 9497). The service can't see the password, and
 * without the service passwords can't be guessed, not even with all data of the share store.
 *
 * @param version version of the service's secret. Needed if the password was set with an older one.
 */
export type Evaluate = (
  blinded: Uint8Array,
  version?: number,
) => Promise<{ readonly evaluated: Uint8Array; readonly version: number }>

/** Stretches a password, so that each guess costs time and memory: Argon2id with `stretchCost`, 32 bytes. */
export type StretchPassword = (input: Uint8Array, salt: Uint8Array) => Promise<Uint8Array>

/** Parameters of Argon2id. Memory in KiB. */
export const stretchCost = { iterations: 3, memorySize: 65_536, parallelism: 1, hashLength: 32 } as const

const saltBytes = 16
const formatVersion = 1

export type PasswordKeyOptions = {
  readonly password: string
  readonly evaluate: Evaluate
  readonly stretch: StretchPassword
}

/**
 * Creates the key of a new password.
 *
 * @returns 32 bytes that the caller has to wipe, and the public facts to store with it
 * @throws the errors of `evaluate`: too many guesses, no network
 * @example const { key, facts } = await createPasswordKey({ password, evaluate, stretch })
 */
export async function createPasswordKey(options: PasswordKeyOptions): Promise<{ key: Uint8Array; facts: string }> {
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes))
  const { key, version } = await derive(options, salt)
  return { key, facts: JSON.stringify({ form: formatVersion, salt: base64urlnopad.encode(salt), oprf: version }) }
}

/**
 * Restores the key of a password. A wrong password yields a key that does not open the wallet.
 *
 * @param facts the facts stored when the password was set
 * @returns 32 bytes that the caller has to wipe
 * @throws LatchkeyError `custody/unreadable` for facts in an unknown format; the errors of `evaluate`
 */
export async function restorePasswordKey({
  facts,
  ...options
}: PasswordKeyOptions & { facts: string }): Promise<Uint8Array> {
  const { salt, version } = parseParameters(facts)
  return (await derive(options, salt, version)).key
}

async function derive(
  { password, evaluate, stretch }: PasswordKeyOptions,
  salt: Uint8Array,
  version?: number,
): Promise<{ key: Uint8Array; version: number }> {
  // Keyboards type the same password as different code points. NFKC unifies them.
  const input = utf8ToBytes(password.normalize('NFKC'))
  const { blind, blinded } = suite.oprf.blind(input)
  try {
    const response = await evaluate(blinded, version)
    const hardened = suite.oprf.finalize(input, blind, response.evaluated)
    try {
      return { key: await stretch(hardened, salt), version: response.version }
    } finally {
      hardened.fill(0)
    }
  } finally {
    input.fill(0)
    blind.fill(0)
  }
}

function parseParameters(text: string): { salt: Uint8Array; version: number } {
  try {
    const parameters: unknown = JSON.parse(text)
    if (isRecord(parameters) && parameters['form'] === formatVersion) {
      const [salt, version]: unknown[] = [parameters['salt'], parameters['oprf']]
      const bytes = typeof salt === 'string' ? base64urlnopad.decode(salt) : undefined
      if (bytes?.length === saltBytes && typeof version === 'number') return { salt: bytes, version }
    }
  } catch {
    // All faults throw the same error below.
  }
  throw custodyError('custody/unreadable', { what: 'The stored data of the password' })
}
