import { isRecord } from '../isRecord.ts'
import { releaseError } from './releaseError.ts'

/** The files of a frame's release, as its build lists them in `manifest.json`. */
export type FrameManifest = {
  /** Version of the release, for example `0.1.0`. Empty if the build recorded none. */
  readonly release: string
  /** SHA-256 of each file in hexadecimal, by path. */
  readonly files: ReadonlyMap<string, string>
}

/** Name of the manifest below the site's origin. It does not list itself. */
export const manifestName = 'manifest.json'

/** Limits of a manifest. Readers stop at them before they parse anything. */
export const manifestLimits: Readonly<Record<'bytes' | 'files' | 'path', number>> = {
  bytes: 1_048_576,
  files: 2_000,
  path: 200,
}

/** No segment starts with a dot, so that a path never leaves its folder. */
const pathPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/
const hashPattern = /^[0-9a-f]{64}$/
const releasePattern = /^[0-9A-Za-z.+-]{0,64}$/

/**
 * Parses a manifest from an untrusted source.
 *
 * @param bytes content of `manifest.json`
 * @throws LatchkeyError `release/invalid` for anything but a manifest, for paths that leave the folder and beyond the limits
 * @example const { files } = parseFrameManifest(bytes)
 */
export function parseFrameManifest(bytes: Uint8Array): FrameManifest {
  const value = parseReleaseJson(bytes, 'the manifest')
  const { files, release = '' } = isRecord(value) ? value : {}
  if (!isRecord(files)) throw releaseError('release/invalid', { reason: 'the manifest lists no files' })
  if (typeof release !== 'string' || !releasePattern.test(release)) {
    throw releaseError('release/invalid', { reason: 'the version in the manifest is not valid' })
  }
  const entries = Object.entries(files)
  if (entries.length > manifestLimits.files) {
    throw releaseError('release/invalid', { reason: `the manifest lists more than ${manifestLimits.files} files` })
  }
  return { release, files: new Map(entries.map(parseEntry)) }
}

function parseEntry([path, hash]: readonly [string, unknown]): readonly [string, string] {
  if (!pathPattern.test(path) || path.length > manifestLimits.path) {
    throw releaseError('release/invalid', { reason: `the path ${JSON.stringify(path.slice(0, 60))} is not allowed` })
  }
  if (typeof hash === 'string' && hashPattern.test(hash)) return [path, hash]
  throw releaseError('release/invalid', { reason: `the hash of ${path} is not a SHA-256 in hexadecimal` })
}

/** Parses JSON of a release. @throws LatchkeyError `release/invalid` */
export function parseReleaseJson(bytes: Uint8Array, what: string): unknown {
  if (bytes.length > manifestLimits.bytes) throw releaseError('release/invalid', { reason: `${what} is too large` })
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw releaseError('release/invalid', { reason: `${what} is not JSON` })
  }
}
