import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createBans } from './bans.ts'
import { fullClientAddress } from './clientAddress.ts'
import { createProjects, type Project, type Projects, type ProjectsConfig } from './projects.ts'

/** Changes by the operator since the configuration was written. */
export type AccessChanges = {
  /** A project overrides the configured one of the same id; `isAllowed: false` removes it. */
  projects: readonly (Project & { isAllowed: boolean })[]
  /** In the form of `parseBan`. */
  bans: readonly string[]
}

/** The projects, clients and addresses that may use the server. They change while it runs. */
export type Access = {
  readonly projects: Projects
  /** True if the address of a request is banned. */
  isAddressBanned(request: IncomingMessage): boolean
  /** Returns a check of the address of a request that does not keep the request. */
  createAddressCheck(request: IncomingMessage): () => boolean
  /** True if a client of the relay is banned. */
  isClientBanned(clientId: string): boolean
  /** Calls back after each change, until the returned function is called. */
  onChange(listener: () => void): () => void
  /** Replaces all earlier changes. */
  apply(changes: AccessChanges): void
}

export type AccessOptions = {
  projects: ProjectsConfig
  /** The URLs of this deployment's own pages, such as the frame. */
  own?: readonly string[]
  trustedProxies?: number
}

/** The state of a process must stay visible to the load balancer, whose address may be inside of a banned prefix. */
const openPaths = ['/live', '/ready', '/health', '/version'] as const

/**
 * Creates the access rules of a configuration, without changes.
 *
 * @example const access = createAccess({ projects: 'any' })
 */
export function createAccess({ projects: configured, own = [], trustedProxies = 0 }: AccessOptions): Access {
  let bans = createBans([])
  let projects = createProjects(configured, own)
  const listeners = new Set<() => void>()
  return {
    projects: {
      check: (...args) => projects.check(...args),
      isKnownOrigin: (origin) => projects.isKnownOrigin(origin),
      listOrigins: (projectId) => projects.listOrigins(projectId),
      allowedEmbedders: (projectId) => projects.allowedEmbedders(projectId),
      findEmbedder: (projectId, origin) => projects.findEmbedder(projectId, origin),
      findOwnOrEmbedder: (origin) => projects.findOwnOrEmbedder(origin),
    },
    isAddressBanned: (request) => bans.hasAddress(fullClientAddress(request, trustedProxies)),
    createAddressCheck(request) {
      const address = fullClientAddress(request, trustedProxies)
      return () => bans.hasAddress(address)
    },
    isClientBanned: (clientId) => bans.hasClient(clientId),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    apply(changes) {
      bans = createBans(changes.bans)
      projects = createProjects(mergeProjects(configured, changes.projects), own, bans.projects)
      for (const listener of listeners) listener()
    },
  }
}

/**
 * Merges stored projects into the configured ones. `any` ends permanently with the first stored project: a server must
 * not open to everyone because its last project was removed.
 */
export function mergeProjects(configured: ProjectsConfig, stored: AccessChanges['projects']): ProjectsConfig {
  if (configured === 'any' && stored.length === 0) return 'any'
  const overridden = new Set(stored.map(({ id }) => id))
  const kept = configured === 'any' ? [] : configured.filter(({ id }) => !overridden.has(id))
  return [...kept, ...stored.filter(({ isAllowed }) => isAllowed)]
}

/** Refuses requests of banned addresses, and ends their open responses, such as event streams, when they are banned. */
export function refuseBannedAddresses(app: FastifyInstance, access: Access): void {
  app.addHook('onRequest', async (request, reply) => {
    const isOpen = openPaths.some((path) => path === request.url.split('?', 1)[0])
    if (isOpen) return
    if (access.isAddressBanned(request.raw)) {
      const reasons = [{ field: '', description: 'The operator of this server has blocked this address.' }]
      return reply.code(403).send({ status: 'FAILED', reasons })
    }
    const stop = access.onChange(() => {
      if (access.isAddressBanned(request.raw)) reply.raw.destroy()
    })
    reply.raw.once('close', stop)
  })
}
