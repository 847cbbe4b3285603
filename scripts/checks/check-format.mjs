import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as prettier from 'prettier'
import { conclude, isMain } from '../lib/gate.mjs'
import { listRepositoryFiles } from '../lib/gateInputs.mjs'
import { openPassedInputs, readRules } from '../lib/passedInputs.mjs'
import { root } from '../lib/root.mjs'

/**
 * Compares the files of the repository with the format of Prettier.
 *
 * @param {string} folder the repository
 * @param {import('../lib/passedInputs.mjs').PassedInputs} [passed] files that passed before are skipped
 * @returns {Promise<import('../lib/gate.mjs').Finding>}
 */
export async function checkFormat(folder, passed) {
  const paths = await listRepositoryFiles(folder)
  const problems = await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(folder, path), 'utf8').catch(() => undefined)
      if (text === undefined || passed?.has(path, text) === true) return []
      const problem = await findProblem(folder, path, text)
      if (problem === undefined) passed?.add(path, text)
      return problem === undefined ? [] : [`${path}: ${problem}`]
    }),
  )
  passed?.save()
  return { problems: problems.flat() }
}

/**
 * Ignored files and other kinds of files have no problem.
 *
 * @param {string} folder
 * @param {string} path
 * @param {string} text
 * @returns {Promise<string | undefined>}
 */
async function findProblem(folder, path, text) {
  const file = join(folder, path)
  const { ignored, inferredParser } = await prettier.getFileInfo(file, { ignorePath: join(folder, '.prettierignore') })
  if (ignored || inferredParser === null) return undefined
  try {
    const isFormatted = await prettier.check(text, { ...(await prettier.resolveConfig(file)), filepath: file })
    return isFormatted ? undefined : 'not formatted, run npx prettier --write on it'
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}

if (isMain(import.meta.url)) {
  const rules = readRules(root, ['scripts/checks/check-format.mjs', '.prettierrc.json', '.prettierignore'])
  conclude(await checkFormat(root, openPassedInputs(join(root, '.latchkey/checks/format.json'), rules)))
}
