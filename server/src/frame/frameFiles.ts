import { readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Type } from '@sinclair/typebox'
import { parseWithSchema } from '../kit/config/parseWithSchema.ts'
import { sha256 } from '../kit/secrets/sha256.ts'

/** The built files of the frame's site by path, such as `sdk/index.html`. */
export type FrameFiles = ReadonlyMap<string, Buffer>

const manifestName = 'manifest.json'
const manifestSchema = Type.Object({
  files: Type.Record(Type.String(), Type.String({ pattern: '^[0-9a-f]{64}$' })),
})

/**
 * Reads the files of the frame's site and compares them with the hashes that the build recorded. The server serves these bytes
 * from memory, so a later change of a file has no effect. [S-02]
 *
 * @throws Error if a file is missing, changed or not listed
 */
export async function readFrameFiles(dir: string): Promise<FrameFiles> {
  const listed = await readManifest(dir)
  const present = (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== manifestName)
  const unlisted = present.find((path) => !(path in listed))
  if (unlisted !== undefined) throw siteChanged(dir, `${unlisted} is not in its list`)
  const files = Object.entries(listed).map(async ([path, hash]) => {
    const content = await readFile(join(dir, path)).catch(() => undefined)
    if (content === undefined) throw siteChanged(dir, `${path} is missing`)
    if (sha256(content).toString('hex') !== hash) throw siteChanged(dir, `${path} was changed`)
    return [path, content] as const
  })
  return new Map(await Promise.all(files))
}

async function readManifest(dir: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(dir, manifestName), 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new Error(`There is no ${join(dir, manifestName)}. Run npm run build, or set FRAME_DIR.`)
  return parseWithSchema(manifestSchema, JSON.parse(text)).files
}

function siteChanged(dir: string, reason: string): Error {
  return new Error(
    `The frame's site in ${dir} differs from its build: ${reason}. Build it again, and find out who changed it.`,
  )
}
