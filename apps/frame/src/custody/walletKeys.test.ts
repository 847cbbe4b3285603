import { pbkdf2Sync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hexToBytes, bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { mnemonicToSeedSync } from '@scure/bip39'
import { HDKey } from '@scure/bip32'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createEntropy,
  deriveEvm,
  deriveWalletKeys,
  deriveSolana,
  parseRecoveryPhrase,
  toRecoveryPhrase,
  wipeWalletKeys,
} from './walletKeys.ts'
import { trackCopies } from '../testing/trackCopies.ts'
import { deriveEd25519 } from './deriveEd25519.ts'

// The public test vectors are outside of the repository. LATCHKEY_VECTORS overrides their path.
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const vectors = resolve(root, process.env['LATCHKEY_VECTORS'] ?? '../shared/vectors', 'bip39/vectors.json')
const state = existsSync(vectors) ? '' : ' (NOT TRIED: the cases are not next to the repository)'
const published = readVectors().filter(([entropy]) => entropy?.length === 32)

function readVectors(): readonly (readonly string[])[] {
  if (!existsSync(vectors)) return []
  return (JSON.parse(readFileSync(vectors, 'utf8')) as { english: readonly (readonly string[])[] }).english
}

const abandon = `${'abandon '.repeat(11)}about`

describe('the wallet’s seed', () => {
  test('yields the addresses that other wallets derive from the same phrase [K-15]', async () => {
    const entropy = parseRecoveryPhrase(abandon)
    expect((await deriveEvm(entropy, 0)).address.toLowerCase()).toBe('0x9858effd232b4033e47d90003d41ec34ecaeda94')
    expect((await deriveSolana(entropy, 0)).address).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
    const junk = parseRecoveryPhrase('test test test test test test test test test test test junk')
    expect((await deriveEvm(junk, 1)).address).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    expect(await deriveWalletKeys(entropy)).toEqual({
      evm: await deriveEvm(entropy, 0),
      solana: await deriveSolana(entropy, 0),
    })
  })

  test('is the one of the library for entropy of every length [K-15]', async () => {
    for (const bytes of [16, 20, 24, 28, 32]) {
      for (let count = 0; count < 10; count += 1) {
        const entropy = crypto.getRandomValues(new Uint8Array(bytes))
        const phrase = toRecoveryPhrase(entropy)
        const node = HDKey.fromMasterSeed(pbkdf2Sync(phrase, 'mnemonic', 2_048, 64, 'sha512')).derive(
          "m/44'/60'/0'/0/0",
        )
        const { address } = await deriveEvm(entropy, 0)
        expect([phrase, address]).toEqual([phrase, privateKeyToAddress(`0x${bytesToHex(node.privateKey ?? entropy)}`)])
      }
    }
  })

  test('matches the published vectors of SLIP-0010 [K-15]', () => {
    const seed = hexToBytes('000102030405060708090a0b0c0d0e0f')
    expect(bytesToHex(deriveEd25519(seed, []))).toBe('2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7')
    expect(bytesToHex(deriveEd25519(seed, [0, 1, 2, 2, 1_000_000_000]))).toBe(
      '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
    )
  })

  test('leaves neither phrase nor seed in memory', async () => {
    const [words, seeds] = [vi.spyOn(crypto.subtle, 'importKey'), vi.spyOn(HDKey, 'fromMasterSeed')]
    onTestFinished(() => void vi.restoreAllMocks())
    await deriveWalletKeys(createEntropy())
    const seen = [...words.mock.calls.map(([, bytes]) => bytes), ...seeds.mock.calls.map(([seed]) => seed)]
    expect(seen).toHaveLength(2)
    for (const bytes of seen) expect(bytes).toEqual(new Uint8Array(bytes instanceof Uint8Array ? bytes.length : 0))
  })

  test('leaves no private key in memory once it is wiped', async () => {
    const keys = await deriveWalletKeys(createEntropy())
    wipeWalletKeys(keys)
    expect([keys.evm.privateKey, keys.solana.privateKey]).toEqual([new Uint8Array(32), new Uint8Array(32)])
  })

  test('leaves no copy of entropy, phrase or keys, but one of a key in a library', async () => {
    const entropy = createEntropy()
    const { evm, solana } = await deriveWalletKeys(entropy)
    const phrase = utf8ToBytes(toRecoveryPhrase(entropy))
    const copies = trackCopies()
    wipeWalletKeys(await deriveWalletKeys(entropy))
    // BIP-32 adds numbers, which the library converts to bytes once more.
    expect([entropy, phrase, solana.privateKey, evm.privateKey].map(copies)).toEqual([0, 0, 0, 1])
  })

  test.each([16, 32])('stretches the recovery phrase of %i bytes [K-15]', async (length) => {
    const stretched = vi.spyOn(crypto.subtle, 'importKey')
    onTestFinished(() => void vi.restoreAllMocks())
    for (let run = 0; run < 20; run += 1) {
      const entropy = crypto.getRandomValues(new Uint8Array(length))
      const words: string[] = []
      stretched.mockImplementationOnce(async (_, bytes) => {
        words.push(new TextDecoder().decode(bytes as Uint8Array<ArrayBuffer>))
        throw new Error('stretched')
      })
      await expect(deriveEvm(entropy, 0)).rejects.toThrow('stretched')
      expect(words).toEqual([toRecoveryPhrase(entropy)])
    }
  })

  test.each([-1, 0.5, 2 ** 31, Number.NaN])('refuses a path with %s', (index) => {
    expect(() => deriveEd25519(new Uint8Array(64), [index])).toThrow(RangeError)
  })

  test('round-trips through the recovery phrase, independent of case and spacing', () => {
    const entropy = createEntropy()
    expect(parseRecoveryPhrase(toRecoveryPhrase(entropy))).toEqual(entropy)
    expect(parseRecoveryPhrase(`  ${abandon.toUpperCase().replaceAll(' ', '\n ')} `)).toEqual(new Uint8Array(16))
  })

  test('refuses an invalid phrase without repeating it', () => {
    const wrong = `${'abandon '.repeat(11)}secretword`
    expect(() => parseRecoveryPhrase(wrong)).toThrow(expect.objectContaining({ code: 'custody/invalid-phrase' }))
    expect(() => parseRecoveryPhrase(wrong)).toThrow(expect.not.stringContaining('secretword'))
    expect(() => parseRecoveryPhrase('abandon '.repeat(12))).toThrow(
      expect.objectContaining({ code: 'custody/invalid-phrase' }),
    )
  })

  test(`agrees with the published vectors of BIP-39${state} [K-15]`, () => {
    for (const [entropy = '', phrase = '', seed = ''] of published) {
      expect(toRecoveryPhrase(hexToBytes(entropy))).toBe(phrase)
      expect(bytesToHex(mnemonicToSeedSync(phrase, 'TREZOR'))).toBe(seed)
    }
  })
})
