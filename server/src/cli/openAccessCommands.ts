import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { deleteBan, readAccess, storeBan, storeProject } from '../operations/access/readAccess.ts'
import { openAccessDatabases } from '../operations/access/openAccessDatabases.ts'
import { readConfig, type ServerConfig } from '../config.ts'
import type { Environment } from '../kit/config/variables.ts'
import { mergeProjects } from '../kit/http/access.ts'
import { parseBan } from '../kit/http/bans.ts'
import type { Project } from '../kit/http/projects.ts'

/** The changes of projects and bans, which all running processes follow within seconds. */
export type AccessCommands = {
  /** Lists the projects, one per line: its id and its origins. */
  listProjects(): Promise<readonly string[]>
  /**
   * Adds a project.
   *
   * @param id 32 hexadecimal digits; random if omitted
   * @returns its id
   * @throws Error with a sentence if it exists; LatchkeyError `config/invalid` if the id or an origin is invalid
   */
  addProject(origins: readonly string[], id?: string): Promise<string>
  /** @throws Error with a sentence if there is no such project */
  removeProject(id: string): Promise<void>
  listBans(): Promise<readonly string[]>
  /**
   * Bans a project, a client, an address or a prefix. Idempotent.
   *
   * @returns the stored form
   * @throws Error with a sentence if it can't be banned
   */
  ban(subject: string): Promise<string>
  /**
   * @returns the stored form
   * @throws Error with a sentence if it is not banned
   */
  unban(subject: string): Promise<string>
  close(): Promise<void>
}

/**
 * Opens the commands for every database that the environment names. Each change can be repeated if one of the databases
 * was unreachable.
 */
export async function openAccessCommands(environment: Environment, log: FastifyBaseLogger): Promise<AccessCommands> {
  const config = readConfig(environment)
  const { all, close } = await openAccessDatabases(config, log)
  const each = <result>(change: (database: Kysely<unknown>) => Promise<result>): Promise<readonly result[]> =>
    Promise.all(all.map(change))
  const listEach = () => each((database) => listAllowed(config, database))

  return {
    async listProjects() {
      const [projects = 'any'] = await listEach()
      if (projects === 'any') return ['any project id, from pages of this machine and from clients without an origin']
      return projects.map(({ id, allowedOrigins }) => `${id}  ${allowedOrigins.join(' ') || 'any origin'}`)
    },
    async addProject(allowedOrigins, id = randomBytes(16).toString('hex')) {
      readConfig({ ...withoutFile(environment), PROJECTS: JSON.stringify([{ id, allowedOrigins }]) })
      const lists = await listEach()
      if (lists.every((projects) => hasProject(projects, id))) throw new Error(`The project ${id} exists.`)
      await each((database) => storeProject(database, { id, allowedOrigins, isAllowed: true }))
      return id
    },
    async removeProject(id) {
      const lists = await listEach()
      if (!lists.some((projects) => hasProject(projects, id))) throw new Error(`There is no project ${id}.`)
      await each((database) => storeProject(database, { id, allowedOrigins: [], isAllowed: false }))
    },
    async listBans() {
      const lists = await each(async (database) => (await readAccess(database)).bans)
      return [...new Set(lists.flat())].toSorted()
    },
    async ban(text) {
      const subject = parseBan(text)
      await each((database) => storeBan(database, subject))
      return subject
    },
    async unban(text) {
      const subject = parseBan(text)
      const isDeleted = await each((database) => deleteBan(database, subject))
      if (!isDeleted.includes(true)) throw new Error(`${subject} is not banned.`)
      return subject
    },
    close,
  }
}

async function listAllowed(config: ServerConfig, database: Kysely<unknown>): Promise<'any' | readonly Project[]> {
  return mergeProjects(config.projects, (await readAccess(database)).projects)
}

function hasProject(projects: 'any' | readonly Project[], id: string): boolean {
  return projects !== 'any' && projects.some((project) => project.id === id)
}

function withoutFile({ PROJECTS_FILE: _file, ...environment }: Environment): Environment {
  return environment
}
