/** A project that may use the server, and the origins and applications that it may come from; an empty list allows all. */
export type Project = { id: string; allowedOrigins: readonly string[] }

/** Who may use the server: everybody from this machine, or the listed projects. */
export type ProjectsConfig = 'any' | readonly Project[]

/** What is wrong with a project id and an origin together, if anything. */
export type ProjectVerdict = 'ok' | 'missing' | 'unknown' | 'origin-not-allowed'

/** Decides by project id and `Origin` who may come in. */
export type Projects = {
  /**
   * @param origin the header that browsers send
   * @param application what a telephone's application is called there: Android's package name or iOS' bundle id. It
   *   counts where there is no origin only, because a page could write anything into it.
   */
  check(projectId: string | undefined, origin: string | undefined, application?: string): ProjectVerdict
  /** Whether scripts of an origin may read answers at all, whichever project they belong to. */
  knowsOrigin(origin: string): boolean
  /**
   * The pages that may hold the secure site in a frame, as entries of an allow-list; `:*` stands for any port. Nobody's
   * list is everybody's here, and pages of the machine itself may only where everybody may use the server.
   *
   * @returns undefined for a project that nobody knows
   */
  embedders(projectId: string): readonly string[] | undefined
}

const projectIdPattern = /^[0-9a-f]{32}$/

const localPages = ['http://localhost:*', 'http://*.localhost:*', 'http://127.0.0.1:*']

/**
 * The rules of admission. Origins are a courtesy of browsers, not authentication: a client without one passes, and
 * pages of the machine itself always do.
 *
 * @param own where this deployment's own pages are, such as its secure site
 */
export function createProjects(config: ProjectsConfig, own: readonly string[] = []): Projects {
  const ownOrigins = new Set(own.map((url) => new URL(url).origin))
  const projects = config === 'any' ? undefined : new Map(config.map((project) => [project.id, project]))

  return {
    check: (projectId, origin, application) => {
      if (projectId === undefined || projectId === '') return 'missing'
      if (!projectIdPattern.test(projectId)) return 'unknown'
      const project = projects?.get(projectId)
      if (projects !== undefined && project === undefined) return 'unknown'
      // Sandboxed frames and some web views send the word "null": they have no origin to compare.
      if (origin === undefined || origin === 'null') return ships(project, application) ? 'ok' : 'origin-not-allowed'
      if (isLocal(origin) || ownOrigins.has(origin)) return 'ok'
      return project !== undefined && allows(project, origin) ? 'ok' : 'origin-not-allowed'
    },
    embedders: (projectId) => (projects === undefined ? localPages : projects.get(projectId)?.allowedOrigins),
    knowsOrigin: (origin) => {
      if (isLocal(origin) || ownOrigins.has(origin)) return true
      return [...(projects?.values() ?? [])].some((project) => allows(project, origin))
    },
  }
}

function allows({ allowedOrigins }: Project, origin: string): boolean {
  return allowedOrigins.length === 0 || allowedOrigins.some((pattern) => originMatches(pattern, origin))
}

/** Whether an application may come; one that does not say its name is like any other client without an origin. */
function ships(project: Project | undefined, application: string | undefined): boolean {
  if (project === undefined || application === undefined || project.allowedOrigins.length === 0) return true
  return project.allowedOrigins.includes(application)
}

function isLocal(origin: string): boolean {
  const hostname = parsed(origin)?.hostname
  if (hostname === undefined) return false
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost')
}

/**
 * Whether an origin fits an entry `[scheme://]host[:port]` of an allow-list. A `*` stands for one whole leading label;
 * an entry without a scheme fits http and https; the port must be the same.
 */
export function originMatches(pattern: string, origin: string): boolean {
  const url = parsed(origin)
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

function parsed(origin: string): URL | undefined {
  return URL.canParse(origin) ? new URL(origin) : undefined
}
