import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { readConfig } from '../config.ts'
import type { Environment } from '../kit/config/variables.ts'
import type { Project } from '../kit/http/projects.ts'

/** A change of the list of projects: an added project, or the id of a removed one. */
export type ProjectChange = { add: readonly string[]; id: string | undefined } | { remove: string }

/** Lists the projects of the configuration, one per line: its id and its origins. */
export function listProjects(environment: Environment): readonly string[] {
  const { projects } = readConfig(environment)
  if (projects === 'any') return ['any project id, from pages of this machine and from clients without an origin']
  return projects.map(({ id, allowedOrigins }) => `${id}  ${allowedOrigins.join(' ') || 'any origin'}`)
}

/**
 * Changes the list of projects in the file that `PROJECTS_FILE` names.
 *
 * @returns the id of the changed project
 * @throws Error with a sentence if there is no file, or the change does not fit it; LatchkeyError `config/invalid` if the new
 *   list is invalid. The file then stays unchanged
 */
export async function changeProjects(environment: Environment, change: ProjectChange): Promise<string> {
  const file = environment['PROJECTS_FILE']
  if (file === undefined || environment['PROJECTS'] !== undefined) {
    throw new Error('Set PROJECTS_FILE to a JSON file of projects, and leave PROJECTS out.')
  }
  const text = await readFile(file, 'utf8').catch(() => '[]')
  const current = text.trim() === 'any' ? [] : readProjects({ ...environment, PROJECTS: text })
  const { projects, id } = applyChange(current, change)
  const next = `${JSON.stringify(projects, undefined, 2)}\n`
  readProjects({ ...environment, PROJECTS: next })
  await writeFile(`${file}.part`, next)
  await rename(`${file}.part`, file)
  return id
}

/** Without the file, which may not exist yet. */
function readProjects({ PROJECTS_FILE: _file, ...environment }: Environment): readonly Project[] {
  const { projects } = readConfig(environment)
  return projects === 'any' ? [] : projects
}

function applyChange(
  projects: readonly Project[],
  change: ProjectChange,
): { projects: readonly Project[]; id: string } {
  if ('remove' in change) {
    if (!projects.some(({ id }) => id === change.remove)) throw new Error(`There is no project ${change.remove}.`)
    return { projects: projects.filter(({ id }) => id !== change.remove), id: change.remove }
  }
  const { id = randomBytes(16).toString('hex'), add: allowedOrigins } = change
  if (projects.some((project) => project.id === id)) throw new Error(`The project ${id} exists.`)
  return { projects: [...projects, { id, allowedOrigins }], id }
}
