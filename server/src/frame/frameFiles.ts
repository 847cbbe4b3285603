import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'

/** The built files of the secure site by path, such as `sdk/index.html`. */
export type FrameFiles = ReadonlyMap<string, Buffer>

const manifestName = 'manifest.json'
const manifestSchema = z.object({ files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)) })

/**
 * Reads the secure site's files, once and whole: what is served later is what was compared here, byte by byte, with the
 * list that the build made.
 *
 * @throws Error in a sentence when a file is missing, changed or not in the list
 */
export async function readFrameFiles(dir: string): Promise<FrameFiles> {
  const listed = await readManifest(dir)
  const present = (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== manifestName)
  const strange = present.find((path) => !(path in listed))
  if (strange !== undefined) throw changed(dir, `${strange} is not in its list`)
  const files = Object.entries(listed).map(async ([path, hash]) => {
    const content = await readFile(join(dir, path)).catch(() => undefined)
    if (content === undefined) throw changed(dir, `${path} is missing`)
    if (createHash('sha256').update(content).digest('hex') !== hash) throw changed(dir, `${path} was changed`)
    return [path, content] as const
  })
  return new Map(await Promise.all(files))
}

async function readManifest(dir: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(dir, manifestName), 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new Error(`There is no ${join(dir, manifestName)}. Run npm run build, or set FRAME_DIR.`)
  return manifestSchema.parse(JSON.parse(text)).files
}

function changed(dir: string, what: string): Error {
  return new Error(
    `The secure site in ${dir} is not as it was built: ${what}. Build it again, and find out who did it.`,
  )
}
