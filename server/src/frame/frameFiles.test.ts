import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { releaseMessage } from '@latchkey/protocol/release'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readFrameFiles } from './frameFiles.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'latchkey-frame-'))
  await mkdir(join(dir, 'sdk'))
  await writeFile(join(dir, 'sdk/index.html'), '<p>page</p>')
  await list({ 'sdk/index.html': '<p>page</p>' })
})

afterEach(() => rm(dir, { recursive: true, force: true }))

async function list(contents: Readonly<Record<string, string>>): Promise<void> {
  const files = Object.fromEntries(
    Object.entries(contents).map(([path, content]) => [path, createHash('sha256').update(content).digest('hex')]),
  )
  await writeFile(join(dir, 'manifest.json'), JSON.stringify({ files }))
}

test('files that match the manifest are returned unchanged [S-02]', async () => {
  const { files } = await readFrameFiles(dir)
  expect([...files].map(([path, content]) => [path, content.toString()])).toEqual([['sdk/index.html', '<p>page</p>']])
})

test('a changed byte stops the start [S-02]', async () => {
  await writeFile(join(dir, 'sdk/index.html'), '<p>pagE</p>')
  await expect(readFrameFiles(dir)).rejects.toThrow('sdk/index.html was changed')
})

test('an unlisted file stops the start [S-02]', async () => {
  await writeFile(join(dir, 'extra.js'), 'alert(1)')
  await expect(readFrameFiles(dir)).rejects.toThrow('extra.js is not in its list')
})

test('a missing file stops the start [S-02]', async () => {
  await list({ 'sdk/index.html': '<p>page</p>', 'assets/a.js': '' })
  await expect(readFrameFiles(dir)).rejects.toThrow('assets/a.js is missing')
})

test('a missing build is reported with the command that creates it', async () => {
  await rm(join(dir, 'manifest.json'))
  await expect(readFrameFiles(dir)).rejects.toThrow('Run npm run build')
})

/** Signs the release as an offline signer does. */
async function signRelease(): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x: key = '' } = publicKey.export({ format: 'jwk' })
  const message = releaseMessage(await readFile(join(dir, 'manifest.json')))
  const signature = sign(null, message, privateKey).toString('base64url')
  await writeFile(join(dir, 'manifest.signatures.json'), JSON.stringify({ signatures: [{ key, signature }] }))
  return key
}

test('a release that its signer signed is served with its signatures [S-08]', async () => {
  const key = await signRelease()
  const { files, documents } = await readFrameFiles(dir, { keys: [key] })
  expect([...files.keys()]).toEqual(['sdk/index.html'])
  expect([...documents.keys()]).toEqual(['manifest.json', 'manifest.signatures.json'])
})

test('an intruder who changes a file with its hash in the manifest stops the start [S-08]', async () => {
  const key = await signRelease()
  await writeFile(join(dir, 'sdk/index.html'), '<p>theft</p>')
  await list({ 'sdk/index.html': '<p>theft</p>' })
  // Without signers, the manifest of the intruder is as good as any.
  await expect(readFrameFiles(dir)).resolves.toBeDefined()
  await expect(readFrameFiles(dir, { keys: [key] })).rejects.toThrow('0 of 1 required signers signed the manifest')
})

test('an intruder who signs with another key stops the start [S-08]', async () => {
  const key = await signRelease()
  await signRelease()
  await expect(readFrameFiles(dir, { keys: [key] })).rejects.toThrow('FRAME_SIGNERS')
})

test('an unsigned release stops the start if signers are set [S-08]', async () => {
  const key = await signRelease()
  await rm(join(dir, 'manifest.signatures.json'))
  await expect(readFrameFiles(dir, { keys: [key] })).rejects.toThrow('manifest.signatures.json is missing')
})

test('a release that one of two required signers signed stops the start [S-08]', async () => {
  const keys = [await signRelease(), await signRelease()]
  await expect(readFrameFiles(dir, { keys, threshold: 2 })).rejects.toThrow('1 of 2 required signers')
})

test('a manifest with a path outside of the folder stops the start [S-10]', async () => {
  await list({ '../outside.txt': 'outside' })
  await expect(readFrameFiles(dir)).rejects.toThrow('is not allowed')
})
