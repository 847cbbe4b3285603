import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import { custodyError } from './custodyError.ts'

/**
 * Asks the auth service for its word on a password that it cannot see (RFC 9497): without it nobody tries passwords, not
 * even with everything that the share store keeps.
 *
 * @param version of the service's secret, when the password was set with an older one
 */
export type Evaluate = (
  blinded: Uint8Array,
  version?: number,
) => Promise<{ readonly evaluated: Uint8Array; readonly version: number }>

/** Makes a guess cost time and memory: Argon2id with the parameters of `stretchCost`, 32 bytes. */
export type Stretch = (input: Uint8Array, salt: Uint8Array) => Promise<Uint8Array>

/** What Argon2id is run with; memory in KiB. */
export const stretchCost = { iterations: 3, memorySize: 65_536, parallelism: 1, hashLength: 32 } as const

const saltBytes = 16
const form = 1

export type PasswordParts = { readonly password: string; readonly evaluate: Evaluate; readonly stretch: Stretch }

/**
 * Makes the key of a new password.
 *
 * @returns 32 bytes, the caller's to wipe, and what has to be kept beside it: it is not secret
 * @throws whatever `evaluate` throws: too many guesses, no network
 * @example const { key, facts } = await createPasswordKey({ password, evaluate, stretch })
 */
export async function createPasswordKey(parts: PasswordParts): Promise<{ key: Uint8Array; facts: string }> {
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes))
  const { key, version } = await derive(parts, salt)
  return { key, facts: JSON.stringify({ form, salt: base64urlnopad.encode(salt), oprf: version }) }
}

/**
 * Makes the key of a password again.
 *
 * @param facts what was kept when it was set
 * @returns 32 bytes, the caller's to wipe; whether the password was right shows when something is opened
 * @throws LatchkeyError `custody/unreadable` for facts of another form; whatever `evaluate` throws
 */
export async function passwordKey({ facts, ...parts }: PasswordParts & { facts: string }): Promise<Uint8Array> {
  const { salt, version } = readFacts(facts)
  return (await derive(parts, salt, version)).key
}

async function derive(
  { password, evaluate, stretch }: PasswordParts,
  salt: Uint8Array,
  version?: number,
): Promise<{ key: Uint8Array; version: number }> {
  // One password has one spelling, whatever keyboard it was typed on.
  const input = utf8ToBytes(password.normalize('NFKC'))
  const { blind, blinded } = suite.oprf.blind(input)
  try {
    const answer = await evaluate(blinded, version)
    const hardened = suite.oprf.finalize(input, blind, answer.evaluated)
    try {
      return { key: await stretch(hardened, salt), version: answer.version }
    } finally {
      hardened.fill(0)
    }
  } finally {
    input.fill(0)
    blind.fill(0)
  }
}

function readFacts(text: string): { salt: Uint8Array; version: number } {
  try {
    const facts: unknown = JSON.parse(text)
    if (typeof facts === 'object' && facts !== null && Reflect.get(facts, 'form') === form) {
      const [salt, version]: unknown[] = [Reflect.get(facts, 'salt'), Reflect.get(facts, 'oprf')]
      const bytes = typeof salt === 'string' ? base64urlnopad.decode(salt) : undefined
      if (bytes?.length === saltBytes && typeof version === 'number') return { salt: bytes, version }
    }
  } catch {
    // Said below, for every fault alike.
  }
  throw custodyError('custody/unreadable', { what: 'What was kept with the password' })
}
