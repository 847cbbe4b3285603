import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { encodeReleaseBytes, parseReleaseKey } from './releaseKey.ts'
import { releaseMessage, verifyRelease } from './releaseSignatures.ts'

const manifest = Buffer.from(JSON.stringify({ release: '0.1.0', files: { 'sdk/index.html': 'ab'.repeat(32) } }))

type Signer = { readonly key: string; readonly privateKey: KeyObject }

function createSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { key: x, privateKey }
}

const signatureOf = ({ key, privateKey }: Signer, content: Uint8Array = releaseMessage(manifest)) => ({
  key,
  signature: sign(null, content, privateKey).toString('base64url'),
})

const fileOf = (...signatures: readonly object[]) => Buffer.from(JSON.stringify({ signatures }))

const [alice, bob, mallory] = [createSigner(), createSigner(), createSigner()]
const reasonOf = (problem: string) => ({ code: 'release/invalid', message: expect.stringContaining(problem) })

test('a manifest that an accepted key signed is returned [S-08]', async () => {
  const { release, files } = await verifyRelease(manifest, fileOf(signatureOf(alice)), { keys: [alice.key] })
  expect([release, [...files]]).toEqual(['0.1.0', [['sdk/index.html', 'ab'.repeat(32)]]])
})

test('an attacker who changes the manifest is refused [S-08]', async () => {
  const changed = Buffer.from(manifest.toString().replace('0.1.0', '0.1.1'))
  await expect(verifyRelease(changed, fileOf(signatureOf(alice)), { keys: [alice.key] })).rejects.toMatchObject(
    reasonOf('0 of 1 required signers'),
  )
})

test('a signature with the attacker’s own key is refused [S-08]', async () => {
  await expect(verifyRelease(manifest, fileOf(signatureOf(mallory)), { keys: [alice.key] })).rejects.toMatchObject(
    reasonOf('0 of 1'),
  )
})

test('a signature under the name of another signer is refused [S-08]', async () => {
  const forged = { ...signatureOf(mallory), key: alice.key }
  await expect(verifyRelease(manifest, fileOf(forged), { keys: [alice.key] })).rejects.toMatchObject(reasonOf('0 of 1'))
})

test('a signature over the bare manifest is refused, so that other signatures of a key are no proof [S-08]', async () => {
  await expect(
    verifyRelease(manifest, fileOf(signatureOf(alice, manifest)), { keys: [alice.key] }),
  ).rejects.toMatchObject(reasonOf('0 of 1'))
})

test('one signer who signs twice does not count as two [S-08]', async () => {
  const twice = fileOf(signatureOf(alice), signatureOf(alice), signatureOf(mallory))
  const two = { keys: [alice.key, bob.key], threshold: 2 }
  await expect(verifyRelease(manifest, twice, two)).rejects.toMatchObject(reasonOf('1 of 2'))
  await expect(verifyRelease(manifest, fileOf(signatureOf(alice), signatureOf(bob)), two)).resolves.toHaveProperty(
    'release',
    '0.1.0',
  )
})

test('one key that is configured twice does not count as two [S-08]', async () => {
  const signers = { keys: [alice.key, alice.key], threshold: 2 }
  await expect(verifyRelease(manifest, fileOf(signatureOf(alice)), signers)).rejects.toMatchObject(reasonOf('2 of 1'))
})

test('another spelling of the same key is refused [S-08]', () => {
  const last = alice.key.at(-1) ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const other = alice.key.slice(0, -1) + (alphabet[alphabet.indexOf(last) + 1] ?? '')
  expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(alice.key, 'base64url'))
  expect(() => parseReleaseKey(other)).toThrow('base64url')
  expect(encodeReleaseBytes(parseReleaseKey(alice.key))).toBe(alice.key)
})

test.each([[0], [-1], [1.5], [3], [Number.NaN]])('a threshold of %d of two keys is refused', async (threshold) => {
  await expect(
    verifyRelease(manifest, fileOf(signatureOf(alice)), { keys: [alice.key, bob.key], threshold }),
  ).rejects.toMatchObject({ code: 'release/invalid' })
})

test.each([
  ['nothing', ''],
  ['a list', '[]'],
  ['no signatures', '{}'],
  ['null', 'null'],
  ['an entry without a key', '{"signatures":[{"signature":"AA"}]}'],
  ['seventeen entries', JSON.stringify({ signatures: Array.from({ length: 17 }, () => signatureOf(alice)) })],
])('a file of signatures with %s is refused', async (_, text) => {
  await expect(verifyRelease(manifest, Buffer.from(text), { keys: [alice.key] })).rejects.toMatchObject({
    code: 'release/invalid',
  })
})
