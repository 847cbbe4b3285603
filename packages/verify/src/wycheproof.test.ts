import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { verifySolana } from './solana.ts'

type Case = { tcId: number; msg: string; sig: string; result: 'valid' | 'invalid' }
type Group = { publicKey: { pk?: string; uncompressed?: string }; tests: readonly Case[] }

const root = resolve(import.meta.dirname, '../../..')
const vectors = resolve(root, process.env.LATCHKEY_VECTORS ?? '../shared/vectors', 'wycheproof')
const state = existsSync(vectors) ? '' : ' (NOT TRIED: the cases are not next to the repository)'

function groupsOf(file: string): readonly Group[] {
  if (!existsSync(vectors)) return []
  // The shape that the vectors' own schema promises.
  const { testGroups } = JSON.parse(readFileSync(resolve(vectors, file), 'utf8')) as { testGroups: readonly Group[] }
  return testGroups
}

const bytesOf = (hex = ''): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

/** True if the signature is valid. An unreadable one is not. */
function isAccepted(verify: () => boolean): boolean {
  try {
    return verify()
  } catch {
    return false
  }
}

/** Returns the cases whose result differs from Project Wycheproof's. */
function listMismatches(file: string, verify: (group: Group, each: Case) => boolean): readonly number[] {
  return groupsOf(file).flatMap((group) =>
    group.tests
      .filter((each) => isAccepted(() => verify(group, each)) !== (each.result === 'valid'))
      .map(({ tcId }) => tcId),
  )
}

test(`Ed25519 verification is strict, as in Project Wycheproof [G-11]${state}`, () => {
  const wrong = listMismatches('ed25519_test.json', ({ publicKey }, { msg, sig }) =>
    ed25519.verify(bytesOf(sig), bytesOf(msg), bytesOf(publicKey.pk), { zip215: false }),
  )
  expect(wrong).toEqual([])
})

test(`verifySolana agrees with Project Wycheproof on all messages that are text [G-11]${state}`, () => {
  const texts = groupsOf('ed25519_test.json').flatMap(({ publicKey, tests }) =>
    tests
      .map((each) => ({ ...each, key: bytesOf(publicKey.pk), text: Buffer.from(each.msg, 'hex').toString() }))
      .filter(({ msg, text }) => Buffer.from(text).toString('hex') === msg),
  )
  const wrong = texts.filter(
    ({ key, text, sig, result }) =>
      verifySolana(base58.encode(key), text, base58.encode(bytesOf(sig))) !== (result === 'valid'),
  )
  expect(wrong).toEqual([])
})

test(`secp256k1 verification requires low s and strict encoding, as in Project Wycheproof [G-11]${state}`, () => {
  const wrong = listMismatches('ecdsa_secp256k1_sha256_bitcoin_test.json', ({ publicKey }, { msg, sig }) =>
    secp256k1.verify(bytesOf(sig), bytesOf(msg), bytesOf(publicKey.uncompressed), { format: 'der' }),
  )
  expect(wrong).toEqual([])
})
