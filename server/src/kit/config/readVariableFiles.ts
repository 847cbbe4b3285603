import { readFileSync } from 'node:fs'
import type { Environment, VariableDefinitions } from './variables.ts'

const suffix = '_FILE'

/**
 * Reads variables from the files that `<NAME>_FILE` names, without the line end at the end. So secrets don't have to be in the
 * environment, which other programs of the same user can read. A variable takes precedence over its file. Variables that name
 * a file themselves stay as they are.
 *
 * @returns the environment with the contents, and a sentence for each file that can't be read
 * @example readVariableFiles({ DATABASE_URL_FILE: '/run/secrets/database' }, { DATABASE_URL: optional(parseUrl) })
 */
export function readVariableFiles(
  environment: Environment,
  definitions: VariableDefinitions,
): { environment: Environment; problems: readonly string[] } {
  const contents: Record<string, string> = {}
  const problems: string[] = []
  for (const [fileVariable, file] of Object.entries(environment)) {
    const name = fileVariable.slice(0, -suffix.length)
    const namesVariable = fileVariable.endsWith(suffix) && Object.hasOwn(definitions, name)
    if (!namesVariable || file === undefined || Object.hasOwn(definitions, fileVariable)) continue
    if (environment[name] !== undefined) continue
    try {
      contents[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    } catch {
      problems.push(`${fileVariable}: ${file} cannot be read`)
    }
  }
  return { environment: { ...environment, ...contents }, problems }
}
