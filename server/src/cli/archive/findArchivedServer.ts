import type { ServerConfig } from '../../config.ts'

/**
 * Finds the PostgreSQL server of the configured services. An archive has all databases of one server.
 *
 * @throws Error with a sentence if there is none besides the embedded one, or several
 */
export function findArchivedServer({ databaseUrl, services, login }: ServerConfig): string {
  const needsOwn = services.some((service) => service === 'relay' || service === 'api')
  const ofLogin = (['auth', 'shares'] as const)
    .filter((service) => services.includes(service))
    .map((service) => login[service].databaseUrl ?? databaseUrl)
  const urls = [...(needsOwn ? [databaseUrl] : []), ...ofLogin]
  const [first] = urls
  if (first === undefined || urls.includes(undefined)) {
    throw new Error('The embedded PostgreSQL can’t be archived: set DATABASE_URL, or use the command backup.')
  }
  const hosts = new Set(urls.map((url) => (url === undefined ? '' : new URL(url).host)))
  if (hosts.size > 1) throw new Error('The databases are on several servers: archive each with its own SERVICES.')
  return first
}
