import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Lists all files of a git repository, except ignored ones.
 *
 * @param {string} folder
 * @returns {Promise<string[]>} relative paths. A deleted file is listed until its deletion is staged
 */
export async function listRepositoryFiles(folder) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await run('git', args, { cwd: folder, maxBuffer: 16e6 })
  return [...new Set(stdout.split('\0'))].filter((path) => path !== '').toSorted()
}

/**
 * Hashes all files of a git repository, except ignored ones.
 *
 * @param {string} folder
 * @returns {Promise<ReadonlyMap<string, string>>} hashes by path
 */
export async function hashInputs(folder) {
  const paths = await listRepositoryFiles(folder)
  return new Map(
    await Promise.all(paths.map(async (path) => /** @type {const} */ ([path, await hashContent(folder, path)]))),
  )
}

/**
 * Lists the files that a gate reads, with their hashes. The versions of its tools always belong to them.
 *
 * @param {ReadonlyMap<string, string>} hashes
 * @param {RegExp} inputs pattern of the paths
 */
export function selectInputs(hashes, inputs) {
  return [...hashes]
    .filter(([path]) => path === 'package-lock.json' || inputs.test(path))
    .map(([path, hash]) => `${path}\0${hash}`)
    .join('\n')
}

/**
 * @param {string} folder
 * @param {string} path
 */
async function hashContent(folder, path) {
  const content = await readFile(join(folder, path)).catch(() => undefined)
  return content === undefined ? 'missing' : createHash('sha256').update(content).digest('hex')
}
