import { createDecipheriv, webcrypto } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

type Case = { tcId: number; result: 'valid' | 'invalid'; [field: string]: string | number }
type Group = { ivSize?: number; keySize?: number; publicKeyDer?: string; tests: readonly Case[] }

const root = resolve(import.meta.dirname, '../../../..')
const vectors = resolve(root, process.env['LATCHKEY_VECTORS'] ?? '../shared/vectors', 'wycheproof')
const state = existsSync(vectors) ? '' : ' (NOT TRIED: the cases are not next to the repository)'

function groupsOf(file: string): readonly Group[] {
  if (!existsSync(vectors)) return []
  // The shape that the vectors' own schema promises.
  const { testGroups } = JSON.parse(readFileSync(resolve(vectors, file), 'utf8')) as { testGroups: readonly Group[] }
  return testGroups
}

const bytesOf = (hex: string | number | undefined): Buffer => Buffer.from(String(hex ?? ''), 'hex')

/** As the services open what they sealed: 256 bits of key, 96 of nonce, 128 of tag. */
function open({ key, iv, aad, ct, tag }: Case): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', bytesOf(key), bytesOf(iv), { authTagLength: 16 })
  decipher.setAAD(bytesOf(aad)).setAuthTag(bytesOf(tag))
  try {
    return Buffer.concat([decipher.update(bytesOf(ct)), decipher.final()]).toString('hex')
  } catch {
    return undefined
  }
}

/** As the frame does it. */
async function openByPlatform({ key, iv, aad, ct, tag }: Case): Promise<string | undefined> {
  const known = await webcrypto.subtle.importKey('raw', bytesOf(key), 'AES-GCM', false, ['decrypt'])
  const parameters = { name: 'AES-GCM', iv: bytesOf(iv), additionalData: bytesOf(aad) }
  return webcrypto.subtle.decrypt(parameters, known, Buffer.concat([bytesOf(ct), bytesOf(tag)])).then(
    (opened) => Buffer.from(opened).toString('hex'),
    () => undefined,
  )
}

test(`AES-256-GCM opens valid and rejects invalid Project Wycheproof cases [G-11]${state}`, async () => {
  const cases = groupsOf('aes_gcm_test.json')
    .filter(({ ivSize, keySize }) => ivSize === 96 && keySize === 256)
    .flatMap(({ tests }) => tests)
  for (const each of cases) {
    const wanted = each.result === 'valid' ? each['msg'] : undefined
    expect([each.tcId, open(each), await openByPlatform(each)]).toEqual([each.tcId, wanted, wanted])
  }
})

test(`ES256 verification accepts valid and rejects invalid Project Wycheproof signatures [G-11]${state}`, async () => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  for (const { publicKeyDer, tests } of groupsOf('ecdsa_secp256r1_sha256_p1363_test.json')) {
    const key = await webcrypto.subtle.importKey('spki', bytesOf(publicKeyDer), algorithm, false, ['verify'])
    for (const { tcId, sig, msg, result } of tests) {
      const holds = await webcrypto.subtle.verify(algorithm, key, bytesOf(sig), bytesOf(msg))
      expect([tcId, holds]).toEqual([tcId, result === 'valid'])
    }
  }
})
