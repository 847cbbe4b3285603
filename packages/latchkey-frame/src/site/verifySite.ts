import { createHash } from 'node:crypto'
import { isLatchkeyError } from '@latchkey/protocol'
import {
  manifestLimits,
  manifestName,
  parseFrameManifest,
  signaturesName,
  verifyRelease,
  type FrameManifest,
  type ReleaseSigners,
} from '@latchkey/protocol/release'
import { defaultFetchLimits, fetchBounded, type FetchLimits } from './fetchBounded.ts'
import { findHeaderProblems } from './findHeaderProblems.ts'
import { separateConfig } from './pageTemplate.ts'
import { findConfigProblems, originOf, servicesOf } from './findConfigProblems.ts'
import type { SiteProblem } from './siteProblem.ts'

/** The result of a comparison. */
export type SiteReport = {
  /** Version of the release that the site was compared with. */
  readonly release: string
  /** Number of files that were compared. */
  readonly files: number
  /** URLs of the services that the site's pages use, by name. */
  readonly services: Readonly<Record<string, string>>
  /** Empty if the site equals the release. */
  readonly problems: readonly SiteProblem[]
}

/** Options of `verifySite`. */
export type VerifySiteOptions = {
  /** Project id of an app that embeds the frame. Without it, the embedded page can't be opened. */
  readonly projectId: string
  /** Content of the manifest to compare with. Default: the site's own. */
  readonly manifest?: Uint8Array
  /** Keys that must have signed the manifest. Default: none. */
  readonly signers?: ReleaseSigners
  /** Expected URLs of services, by name: `auth`, `shares`, `server`, `farcasterRelay`. Those that are not named are only reported. */
  readonly services?: Readonly<Record<string, string>>
  readonly limits?: FetchLimits
}

/** A downloaded file. Without headers, the download failed. */
type SiteFile = {
  readonly path: string
  readonly problems: readonly SiteProblem[]
  readonly headers?: Headers
  /** Configuration that the deployment inserted into the page. */
  readonly config?: unknown
}

const embeddedPage = 'sdk/index.html'
/** Requests that run at once. */
const lanes = 6
/** After this many failures no more files of a site are requested, so that a hostile site costs a bounded time. */
const mostFailures = 25

/**
 * Downloads every file of a running frame and compares it with a release: hashes, signatures, headers and the addresses of the
 * services.
 *
 * @param site origin of the frame
 * @returns the differences. An empty list means that this download equals the release.
 * @throws LatchkeyError `release/invalid` if the manifest to compare with is missing or malformed
 * @example const { problems } = await verifySite('https://wallet.example.org', { projectId, signers: { keys: [key] } })
 */
export async function verifySite(site: string, options: VerifySiteOptions): Promise<SiteReport> {
  const { origin } = new URL(site)
  const { limits = defaultFetchLimits } = options
  const { manifest, problems } = await readRelease(origin, options)
  const files = await checkFiles([...manifest.files], (path, hash) =>
    checkFile(origin, { path, hash, limits, projectId: options.projectId }),
  )
  const configs = files
    .flatMap(({ path, config }) => (config === undefined ? [] : [{ path, config }]))
    .toSorted((one, other) => Number(other.path === embeddedPage) - Number(one.path === embeddedPage))
  const origins = configs.flatMap(({ config }) => Object.values(servicesOf(config)).map((url) => originOf(url)))
  return {
    release: manifest.release,
    files: files.length,
    services: servicesOf(configs[0]?.config),
    problems: [
      ...problems,
      ...(manifest.files.has(embeddedPage) ? [] : [missingPage]),
      ...files.flatMap((file) => file.problems),
      ...files.flatMap(({ path, headers }) => headerProblems(path, headers, origins)),
      ...findConfigProblems(configs, origin, options.services),
    ],
  }
}

function headerProblems(
  path: string,
  headers: Headers | undefined,
  services: readonly string[],
): readonly SiteProblem[] {
  if (headers === undefined) return []
  return findHeaderProblems(headers, { path, services }).map((detail) => ({ path, kind: 'header', detail }))
}

const missingPage: SiteProblem = { path: embeddedPage, kind: 'missing', detail: 'The release has no embedded page.' }

/** Reads the release to compare with, and compares the site's own manifest with it. */
async function readRelease(
  origin: string,
  { manifest: given, signers, limits = defaultFetchLimits }: VerifySiteOptions,
): Promise<{ manifest: FrameManifest; problems: readonly SiteProblem[] }> {
  const own = await fetchDocument(origin, manifestName, limits)
  const bytes = given ?? own
  if (bytes === undefined)
    return { manifest: { release: '', files: new Map() }, problems: [createUnreadableProblem(manifestName)] }
  const manifest = parseFrameManifest(bytes)
  const problems: SiteProblem[] = []
  if (own === undefined) problems.push(createUnreadableProblem(manifestName))
  else if (given !== undefined && !Buffer.from(own).equals(Buffer.from(given))) {
    problems.push(...findExtraFiles(own, manifest))
  }
  if (signers !== undefined) problems.push(...(await findSignatureProblems(origin, bytes, signers, limits)))
  return { manifest, problems }
}

async function fetchDocument(
  origin: string,
  name: string,
  { timeoutMs }: FetchLimits,
): Promise<Uint8Array | undefined> {
  const fetched = await fetchBounded(new URL(name, `${origin}/`), { timeoutMs, bytes: manifestLimits.bytes })
  return 'body' in fetched && fetched.status === 200 ? fetched.body : undefined
}

function createUnreadableProblem(path: string): SiteProblem {
  return { path, kind: 'unreadable', detail: 'The site serves no such file.' }
}

/** The site's own manifest differs from the given one: reports it, and the files that only the site lists. */
function findExtraFiles(own: Uint8Array, release: FrameManifest): readonly SiteProblem[] {
  const different: SiteProblem = {
    path: manifestName,
    kind: 'changed',
    detail: 'The site lists other files than the release.',
  }
  try {
    const extra = [...parseFrameManifest(own).files.keys()].filter((path) => !release.files.has(path))
    return [
      different,
      ...extra.map((path) => ({ path, kind: 'extra', detail: 'The release has no such file.' }) as const),
    ]
  } catch (error) {
    return [{ ...different, detail: messageOf(error) }]
  }
}

async function findSignatureProblems(
  origin: string,
  manifest: Uint8Array,
  signers: ReleaseSigners,
  limits: FetchLimits,
): Promise<readonly SiteProblem[]> {
  const signatures = await fetchDocument(origin, signaturesName, limits)
  if (signatures === undefined) return [{ ...createUnreadableProblem(signaturesName), kind: 'signature' }]
  try {
    await verifyRelease(manifest, signatures, signers)
    return []
  } catch (error) {
    return [{ path: signaturesName, kind: 'signature', detail: messageOf(error) }]
  }
}

/** Only errors of a release have messages for a user. */
function messageOf(error: unknown): string {
  if (isLatchkeyError(error, 'release/invalid')) return error.message
  throw error
}

/** Checks files in a few lanes, and stops a site that fails everywhere. */
async function checkFiles(
  files: readonly (readonly [string, string])[],
  check: (path: string, hash: string) => Promise<SiteFile>,
): Promise<readonly SiteFile[]> {
  const waiting = [...files]
  const checked: SiteFile[] = []
  let failures = 0
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && failures < mostFailures; next = waiting.shift()) {
      const file = await check(...next)
      checked.push(file)
      if (file.problems.some(({ kind }) => kind === 'missing')) failures++
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return checked.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

async function checkFile(
  origin: string,
  { path, hash, limits, projectId }: { path: string; hash: string; limits: FetchLimits; projectId: string },
): Promise<SiteFile> {
  // The paths of a parsed manifest stay below the origin.
  const url = new URL(path, `${origin}/`)
  if (path === embeddedPage) url.searchParams.set('projectId', projectId)
  const fetched = await fetchBounded(url, limits)
  const failed = (kind: SiteProblem['kind'], detail: string): SiteFile => ({ path, problems: [{ path, kind, detail }] })
  if ('problem' in fetched) return failed('missing', `The file ${fetched.problem}.`)
  if (fetched.status !== 200) return failed('missing', `The site responds with ${fetched.status}.`)
  const page = path.endsWith('.html') ? separateConfig(Buffer.from(fetched.body).toString('utf8')) : undefined
  const content = page?.template ?? fetched.body
  const isEqual = createHash('sha256').update(content).digest('hex') === hash
  return {
    path,
    headers: fetched.headers,
    config: page?.config,
    problems: isEqual ? [] : [{ path, kind: 'changed', detail: 'The file differs from the release.' }],
  }
}
