import { execFile } from 'node:child_process'
import { copyFile, link, mkdir, readdir, readFile, symlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../../../..')
const excludedFolders = new Set(['dist', 'node_modules', '.latchkey', 'test-results'])
const longAgo = new Date('2001-02-03T04:05:06Z')

/**
 * Builds the frame as another machine would: from a copy of the sources in another folder, with other file times, and with
 * another time zone, language and home folder.
 *
 * @param folder an empty folder
 * @returns the folder of the build
 */
export async function buildFromCopy(folder: string): Promise<string> {
  for (const workspace of ['apps/frame', 'packages/protocol']) {
    await copyTree(join(repository, workspace), join(folder, workspace), copyWithOldTime)
  }
  for (const name of ['package.json', 'tsconfig.base.json']) {
    await copyFile(join(repository, name), join(folder, name))
  }
  for (const name of await withDependencies(Object.keys(await dependenciesOf('apps/frame')))) {
    for (const place of ['node_modules', 'apps/frame/node_modules']) {
      const path = join(place, name)
      await copyTree(join(repository, path), join(folder, path), linkOrCopy, new Set())
    }
  }
  await mkdir(join(folder, 'node_modules/@latchkey'), { recursive: true })
  await symlink('../../packages/protocol', join(folder, 'node_modules/@latchkey/protocol'))
  await symlink(join(repository, 'node_modules/vite'), join(folder, 'node_modules/vite'))
  await run(process.execPath, [join(repository, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], {
    cwd: join(folder, 'apps/frame'),
    env: { PATH: process.env['PATH'], TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', HOME: folder },
  })
  return join(folder, 'apps/frame/dist')
}

/** Returns the names of packages and of everything that they depend on. */
async function withDependencies(names: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set(names.filter((name) => !name.startsWith('@latchkey/')))
  // Iterating a set includes the names that are added during the loop.
  for (const name of found) {
    for (const each of Object.keys(await dependenciesOf(join('node_modules', name)))) found.add(each)
  }
  return found
}

async function dependenciesOf(path: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(repository, path, 'package.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text).dependencies ?? {}
}

type Copy = (from: string, to: string) => Promise<void>

/** Copies a folder. Does nothing if it does not exist. */
async function copyTree(
  from: string,
  to: string,
  copy: Copy,
  excluded: ReadonlySet<string> = excludedFolders,
): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => [])
  if (entries.length > 0) await mkdir(to, { recursive: true })
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (excluded.has(entry.name)) continue
    if (entry.isDirectory()) await copyTree(source, target, copy, excluded)
    if (entry.isFile()) await copy(source, target)
  }
}

const copyWithOldTime: Copy = async (from, to) => {
  await copyFile(from, to)
  await utimes(to, longAgo, longAgo)
}

/** Links are faster. They don't work between two file systems. */
const linkOrCopy: Copy = async (from, to) => {
  await mkdir(dirname(to), { recursive: true })
  await link(from, to).catch(() => copyFile(from, to))
}
