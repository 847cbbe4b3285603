import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { base58 } from '@scure/base'
import { english, HDKey, hdKeyToAccount } from 'viem/accounts'

/** A secret that a test knows, and the strings that would reveal it. */
export type Canary = {
  readonly name: string
  /** Lower-case strings for case-insensitive forms, such as hexadecimal digits. */
  readonly folded: readonly string[]
  readonly exact: readonly string[]
  /** Words that reveal the secret if several appear in their order. */
  readonly words: readonly string[]
  /** A string of digits that counts only without digits or letters around it. */
  readonly digits?: string
}

const none = { folded: [], exact: [], words: [] } as const
/** As many words of a phrase in their order do not appear by chance. */
const tellingWords = 4
const wordBits = 11

/** The canary of a string: a token, or the secret of a link. */
export function textCanary(name: string, text: string): Canary {
  return { ...none, name, exact: [text, ...offsetsInBase64(Buffer.from(text))] }
}

/** The canary of a mailed code. */
export function codeCanary(code: string): Canary {
  return { ...none, name: 'a mailed code', digits: code }
}

/** The canary of secret bytes, in hexadecimal, base64, base58 and as a list of numbers. */
export function bytesCanary(name: string, bytes: Uint8Array): Canary {
  return {
    ...none,
    name,
    folded: [Buffer.from(bytes).toString('hex')],
    exact: [...offsetsInBase64(bytes), base58.encode(bytes), [...bytes].join(',')],
  }
}

/** The address of a wallet's first EVM account. */
export function walletAddress(entropy: Uint8Array): string {
  return accountOf(seedOf(phraseOf(entropy).join(' '))).address
}

/** The seed of a phrase (BIP-39). The platform's function takes a hundredth of the time of one in JavaScript. */
function seedOf(phrase: string): Uint8Array {
  return pbkdf2Sync(phrase, 'mnemonic', 2_048, 64, 'sha512')
}

function accountOf(seed: Uint8Array) {
  return hdKeyToAccount(HDKey.fromMasterSeed(seed))
}

/** The canaries of a wallet: its entropy, its phrase, its seed and the private keys of both accounts. */
export function walletCanaries(entropy: Uint8Array): readonly Canary[] {
  const words = phraseOf(entropy)
  const seed = seedOf(words.join(' '))
  const evm = accountOf(seed).getHdKey().privateKey ?? new Uint8Array()
  return [
    bytesCanary('the entropy of a wallet', entropy),
    { ...none, name: 'a recovery phrase', words },
    bytesCanary('the seed of a wallet', seed),
    bytesCanary('an EVM private key', evm),
    bytesCanary('a Solana private key', solanaKeyOf(seed)),
  ]
}

/** Returns the names of the canaries in a string. */
export function findCanaries(text: string, canaries: readonly Canary[]): readonly string[] {
  const folded = text.toLowerCase()
  // Spaces in a list of numbers don't hide it.
  const packed = text.replaceAll(/\s+/g, '')
  const sequence = ` ${(folded.match(/[a-z]+/g) ?? []).join(' ')} `
  const isFound = (canary: Canary): boolean =>
    canary.folded.some((each) => folded.includes(each)) ||
    canary.exact.some((each) => text.includes(each) || packed.includes(each)) ||
    runsOf(canary.words).some((run) => sequence.includes(` ${run} `)) ||
    (canary.digits !== undefined && new RegExp(`(?<![0-9A-Za-z])${canary.digits}(?![0-9A-Za-z])`).test(text))
  return canaries.filter(isFound).map(({ name }) => name)
}

function runsOf(words: readonly string[]): readonly string[] {
  const starts = words.slice(0, Math.max(0, words.length - tellingWords + 1))
  return starts.map((_, at) => words.slice(at, at + tellingWords).join(' '))
}

/**
 * The base64 strings of bytes inside other bytes, at each of the three alignments, without the ends that depend on them.
 */
function offsetsInBase64(bytes: Uint8Array): readonly string[] {
  const texts = [0, 1, 2].map((before) => {
    const first = before === 0 ? 0 : before + 1
    const all = Buffer.concat([Buffer.alloc(before), bytes])
    return all.toString('base64').slice(first, Math.floor((all.length * 8) / 6))
  })
  return texts.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}

/** The recovery phrase of entropy (BIP-39). */
function phraseOf(entropy: Uint8Array): readonly string[] {
  const bits = [...entropy, ...createHash('sha256').update(entropy).digest().subarray(0, 1)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const count = Math.floor((entropy.length * 8 * 33) / 32 / wordBits)
  return Array.from({ length: count }, (_, at) => {
    const index = Number.parseInt(bits.slice(at * wordBits, (at + 1) * wordBits), 2)
    return english[index] ?? ''
  })
}

/** The private key of `m/44'/501'/0'/0'` (SLIP-0010). */
function solanaKeyOf(seed: Uint8Array): Uint8Array {
  const hmac = (key: Uint8Array | string, data: Uint8Array): Buffer => createHmac('sha512', key).update(data).digest()
  let node = hmac('ed25519 seed', seed)
  for (const index of [44, 501, 0, 0]) {
    const hardened = Buffer.alloc(4)
    hardened.writeUInt32BE((index | 0x80_00_00_00) >>> 0)
    node = hmac(node.subarray(32), Buffer.concat([Buffer.alloc(1), node.subarray(0, 32), hardened]))
  }
  return node.subarray(0, 32)
}
