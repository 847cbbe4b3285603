import { readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { isLatchkeyError } from '@latchkey/protocol'
import {
  manifestName,
  parseFrameManifest,
  signaturesName,
  verifyRelease,
  type FrameManifest,
  type ReleaseSigners,
} from '@latchkey/protocol/release'
import { sha256 } from '../kit/secrets/sha256.ts'

/** A release of the frame that was compared with its manifest. */
export type FrameFiles = {
  /** The built files of the frame's site by path, such as `sdk/index.html`. */
  readonly files: ReadonlyMap<string, Buffer>
  /** The manifest and, if the release is signed, its signatures, by name. */
  readonly documents: ReadonlyMap<string, Buffer>
}

/**
 * Reads the files of the frame's site and compares them with the hashes that the build recorded. The server serves these bytes
 * from memory, so a later change of a file has no effect. [S-02]
 *
 * @param signers the keys that must have signed the manifest. Without any, an unsigned build is accepted.
 * @throws Error if a file is missing, changed or not listed, or if too few signers signed the manifest
 */
export async function readFrameFiles(dir: string, signers: ReleaseSigners = { keys: [] }): Promise<FrameFiles> {
  const documents = await readDocuments(dir)
  const { files: listed } = await parseRelease(dir, documents, signers)
  const present = (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !documents.has(path))
  const unlisted = present.find((path) => !listed.has(path))
  if (unlisted !== undefined) throw siteChanged(dir, `${unlisted} is not in its list`)
  const files = [...listed].map(async ([path, hash]) => {
    const content = await readFile(join(dir, path)).catch(() => undefined)
    if (content === undefined) throw siteChanged(dir, `${path} is missing`)
    if (sha256(content).toString('hex') !== hash) throw siteChanged(dir, `${path} was changed`)
    return [path, content] as const
  })
  return { files: new Map(await Promise.all(files)), documents }
}

async function readDocuments(dir: string): Promise<ReadonlyMap<string, Buffer>> {
  const read = (name: string): Promise<Buffer | undefined> => readFile(join(dir, name)).catch(() => undefined)
  const [manifest, signatures] = await Promise.all([read(manifestName), read(signaturesName)])
  if (manifest === undefined) {
    throw new Error(`There is no ${join(dir, manifestName)}. Run npm run build, or set FRAME_DIR.`)
  }
  return new Map([[manifestName, manifest], ...(signatures ? [[signaturesName, signatures] as const] : [])])
}

/** Verifies the signatures before anything else of the release is used. */
async function parseRelease(
  dir: string,
  documents: ReadonlyMap<string, Buffer>,
  signers: ReleaseSigners,
): Promise<FrameManifest> {
  const [manifest = Buffer.alloc(0), signatures] = [documents.get(manifestName), documents.get(signaturesName)]
  try {
    if (signers.keys.length === 0) return parseFrameManifest(manifest)
    if (signatures !== undefined) return await verifyRelease(manifest, signatures, signers)
  } catch (error) {
    if (!isLatchkeyError(error, 'release/invalid')) throw error
    throw createNotSignedError(dir, error.context.reason)
  }
  throw createNotSignedError(dir, `${signaturesName} is missing`)
}

function siteChanged(dir: string, reason: string): Error {
  return new Error(
    `The frame's site in ${dir} differs from its build: ${reason}. Build it again, and find out who changed it.`,
  )
}

function createNotSignedError(dir: string, reason: string): Error {
  return new Error(
    `The frame's site in ${dir} is not a valid release: ${reason}. Deploy a release that the keys of FRAME_SIGNERS signed.`,
  )
}
