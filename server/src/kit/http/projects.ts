import { isOriginOnly } from './isOriginOnly.ts'

/** A project that may use the server, with its origins and application ids. An empty list allows all. */
export type Project = { id: string; allowedOrigins: readonly string[] }

/** The projects that may use the server: any project from this machine, or the listed ones. */
export type ProjectsConfig = 'any' | readonly Project[]

/** The result of checking a project id and an origin. */
export type ProjectCheckResult = 'ok' | 'missing' | 'unknown' | 'origin-not-allowed'

/** Checks clients by project id and `Origin`. */
export type Projects = {
  /**
   * @param origin the header that browsers send
   * @param application the Android package name or the iOS bundle id. It is ignored if there is an origin, because a page
   *   could write anything into it.
   */
  check(projectId: string | undefined, origin: string | undefined, application?: string): ProjectCheckResult
  /**
   * Gets the origins of a project as configured; an empty list allows all.
   *
   * @returns `any` if any project may use the server, `undefined` for an unknown project
   */
  listOrigins(projectId: string): readonly string[] | 'any' | undefined
  /** True if scripts of an origin may read responses, for any project. */
  isKnownOrigin(origin: string): boolean
  /**
   * Gets the origins that may embed the frame, as entries of an allow-list with `:*` for any port. An empty list allows no
   * origin here, and local pages may embed the frame only if any project may use the server.
   *
   * @returns `undefined` for an unknown project
   */
  allowedEmbedders(projectId: string): readonly string[] | undefined
  /**
   * Finds the entry that lets a page of an origin embed the wallet. Local pages need an entry unless any project may use the
   * server.
   *
   * @param origin in the form that browsers report: without a path, user name or default port
   * @returns the origin, or the entry if it has a wildcard: a caller could write anything into the label that the
   *   wildcard matches. `undefined` if such pages may not embed it
   */
  findEmbedder(projectId: string, origin: string): string | undefined
  /** The same for requests that name no project: this deployment's own pages, and the pages of any project. */
  findOwnOrEmbedder(origin: string): string | undefined
}

const projectIdPattern = /^[0-9a-f]{32}$/

const localPages = ['http://localhost:*', 'http://*.localhost:*', 'http://127.0.0.1:*']

/**
 * Creates the checks of a configuration. Browsers send origins voluntarily, so an origin is not authentication: clients
 * without one pass, and local pages always do.
 *
 * @param own the URLs of this deployment's own pages, such as the frame
 * @param banned ids that are unknown even if any project may use the server
 */
export function createProjects(
  config: ProjectsConfig,
  own: readonly string[] = [],
  banned: ReadonlySet<string> = new Set(),
): Projects {
  const ownOrigins = new Set(own.map((url) => new URL(url).origin))
  const listed = config === 'any' ? undefined : config.filter(({ id }) => !banned.has(id))
  const projects = listed && new Map(listed.map((project) => [project.id, project]))
  const findOwn = (origin: string): string | undefined => (ownOrigins.has(origin) ? origin : undefined)

  return {
    check: (projectId, origin, application) => {
      if (projectId === undefined || projectId === '') return 'missing'
      if (!projectIdPattern.test(projectId) || banned.has(projectId)) return 'unknown'
      const project = projects?.get(projectId)
      if (projects !== undefined && project === undefined) return 'unknown'
      // Sandboxed frames and some web views send "null", because they have no origin.
      if (origin === undefined || origin === 'null')
        return isApplicationAllowed(project, application) ? 'ok' : 'origin-not-allowed'
      if (isLocal(origin) || ownOrigins.has(origin)) return 'ok'
      return project !== undefined && isOriginAllowed(project, origin) ? 'ok' : 'origin-not-allowed'
    },
    listOrigins: (projectId) => {
      if (banned.has(projectId)) return undefined
      return projects === undefined ? 'any' : projects.get(projectId)?.allowedOrigins
    },
    allowedEmbedders: (projectId) => {
      if (banned.has(projectId)) return undefined
      return projects === undefined ? localPages : projects.get(projectId)?.allowedOrigins
    },
    findEmbedder: (projectId, origin) => {
      if (!isOriginOnly(origin) || banned.has(projectId)) return undefined
      if (projects === undefined) return projectIdPattern.test(projectId) && isLocal(origin) ? origin : findOwn(origin)
      const project = projects.get(projectId)
      return project === undefined ? undefined : (findOwn(origin) ?? findEntry(project, origin))
    },
    findOwnOrEmbedder: (origin) => {
      if (!isOriginOnly(origin)) return undefined
      if (projects === undefined && isLocal(origin)) return origin
      const entries = [...(projects?.values() ?? [])].map((project) => findEntry(project, origin))
      return findOwn(origin) ?? entries.find((entry) => entry !== undefined)
    },
    isKnownOrigin: (origin) => {
      if (isLocal(origin) || ownOrigins.has(origin)) return true
      return [...(projects?.values() ?? [])].some((project) => isOriginAllowed(project, origin))
    },
  }
}

/** Without a scheme only HTTPS may embed the wallet. */
function matchesEmbedder(pattern: string, origin: string): boolean {
  return originMatches(pattern.includes('://') ? pattern : `https://${pattern}`, origin)
}

/** A wildcard matches any label, and a caller could write anything into it. So the entry is returned instead. */
function findEntry({ allowedOrigins }: Project, origin: string): string | undefined {
  const entry = allowedOrigins.find((pattern) => matchesEmbedder(pattern, origin))
  return entry?.includes('*') === true ? entry : entry && origin
}

function isOriginAllowed({ allowedOrigins }: Project, origin: string): boolean {
  return allowedOrigins.length === 0 || allowedOrigins.some((pattern) => originMatches(pattern, origin))
}

/** True if an application is allowed. An application without an id counts as a client without an origin. */
function isApplicationAllowed(project: Project | undefined, application: string | undefined): boolean {
  if (project === undefined || application === undefined || project.allowedOrigins.length === 0) return true
  return project.allowedOrigins.includes(application)
}

function isLocal(origin: string): boolean {
  const hostname = parseUrl(origin)?.hostname
  if (hostname === undefined) return false
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost')
}

/**
 * True if an origin matches an entry `[scheme://]host[:port]` of an allow-list. A `*` matches one leading label, an entry
 * without a scheme matches http and https, and the port must be equal.
 */
export function originMatches(pattern: string, origin: string): boolean {
  const url = parseUrl(origin)
  const match = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^:/]+|\[[^\]]+\])(?::(\d+))?\/?$/i.exec(pattern)
  if (url === undefined || match === null) return false
  const [, scheme, host = '', port] = match
  const schemes = scheme === undefined ? ['http:', 'https:'] : [`${scheme.toLowerCase()}:`]
  if (!schemes.includes(url.protocol)) return false
  const defaultPort = url.protocol === 'https:' ? '443' : '80'
  if ((port ?? defaultPort) !== (url.port === '' ? defaultPort : url.port)) return false
  return hostMatches(host.toLowerCase(), url.hostname)
}

function hostMatches(pattern: string, hostname: string): boolean {
  const wanted = pattern.split('.')
  const labels = hostname.split('.')
  if (wanted.length !== labels.length) return false
  const firstPlain = wanted.findIndex((label) => label !== '*')
  return wanted.every((label, index) => (label === '*' && index < firstPlain) || label === labels[index])
}

function parseUrl(origin: string): URL | undefined {
  return URL.canParse(origin) ? new URL(origin) : undefined
}
