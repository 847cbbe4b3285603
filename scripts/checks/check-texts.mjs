import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { conclude, isMain } from '../lib/gate.mjs'
import { listRepositoryFiles } from '../lib/gateInputs.mjs'
import { root } from '../lib/root.mjs'

const run = promisify(execFile)

/** @typedef {{ text: RegExp, why: string, files: RegExp }} Forbidden */

const code = /\.(ts|tsx|mjs|js)$/
const anyFile = /./

/** @type {readonly Forbidden[]} */
const forbidden = [
  { text: /\b(it|test|describe)(\.\w+)*\.(skip|only|todo)\(/, why: 'a test that does not run', files: code },
  { text: /\b(vi|jest)\.(mock|doMock)\(/, why: 'a module mock: pass a fake through the seam', files: code },
  { text: /expect\(true\)\.toBe\(true\)/, why: 'a test that cannot fail', files: code },
  { text: /(^|[^\w./-])\/(work|farm|root|home|Users)\/[\w.-]/, why: 'a path of one machine', files: anyFile },
  { text: /^\s+"resolved": "http/, why: 'a registry host in the lockfile', files: /package-lock\.json$/ },
]

/**
 * Searches the files of a git repository for forbidden strings.
 *
 * @param {string} folder
 * @param {string} registryHost host of this machine's package registry, which no file may mention
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkTexts(folder, registryHost) {
  const paths = await listRepositoryFiles(folder)
  const problems = await Promise.all(paths.map((path) => problemsIn(folder, path, registryHost)))
  return { problems: problems.flat() }
}

/**
 * @param {string} folder
 * @param {string} path
 * @param {string} registryHost
 */
async function problemsIn(folder, path, registryHost) {
  const content = await readFile(join(folder, path), 'utf8').catch(() => '')
  if (content.includes('\0')) return []
  const rules = forbidden.filter(({ files }) => files.test(path))
  return content.split('\n').flatMap((line, index) => {
    const why = line.includes(registryHost) ? 'a registry host' : rules.find(({ text }) => text.test(line))?.why
    return why === undefined ? [] : [`${path}:${index + 1}: ${why}`]
  })
}

if (isMain(import.meta.url)) {
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { cwd: root })
  conclude(await checkTexts(root, new URL(stdout.trim()).host))
}
