import { createHash, sign } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import {
  manifestName,
  parseFrameManifest,
  parseReleaseSignatures,
  releaseMessage,
  signaturesName,
  type ReleaseSignature,
} from '@latchkey/protocol/release'
import type { SignerKey } from './signerKey.ts'

/**
 * Signs the manifest of a built frame, after comparing it with the files next to it. The signature is added to those that
 * the file of signatures has.
 *
 * @param file path of `manifest.json`
 * @returns path of the file of signatures
 * @throws Error if a file of the build is missing, changed or not listed; LatchkeyError `release/invalid`
 */
export async function signManifest(file: string, { publicKey, privateKey }: SignerKey): Promise<string> {
  const manifest = await readFile(file)
  const folder = dirname(file)
  await assertSameFiles(folder, parseFrameManifest(manifest).files)
  const signature = sign(null, releaseMessage(manifest), privateKey).toString('base64url')
  const target = join(folder, signaturesName)
  const others = (await readSignatures(target)).filter(({ key }) => key !== publicKey)
  const signatures = [...others, { key: publicKey, signature }]
  await writeFile(target, `${JSON.stringify({ signatures }, undefined, 2)}\n`)
  return target
}

/** A signer must never sign hashes of files that they don't have. */
async function assertSameFiles(folder: string, listed: ReadonlyMap<string, string>): Promise<void> {
  const present = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== manifestName && path !== signaturesName)
  const unlisted = present.find((path) => !listed.has(path))
  if (unlisted !== undefined) throw new Error(`${unlisted} is not in the manifest. Build the frame again.`)
  for (const [path, hash] of listed) {
    const content = await readFile(join(folder, path)).catch(() => undefined)
    if (content === undefined) throw new Error(`${path} is missing. Build the frame again.`)
    if (createHash('sha256').update(content).digest('hex') !== hash) {
      throw new Error(`${path} differs from the manifest. Build the frame again, and find out who changed it.`)
    }
  }
}

async function readSignatures(file: string): Promise<readonly ReleaseSignature[]> {
  const bytes = await readFile(file).catch(() => undefined)
  return bytes === undefined ? [] : parseReleaseSignatures(bytes)
}
