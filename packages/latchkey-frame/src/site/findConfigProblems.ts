import { getField } from '@latchkey/protocol'
import type { SiteProblem } from './siteProblem.ts'

const requiredNames = ['auth', 'shares', 'server'] as const
/** The relay of Farcaster logins is absent if the deployment has none. */
const serviceNames = [...requiredNames, 'farcasterRelay'] as const

/** Returns the URLs of the services in a page's configuration, by name. */
export function servicesOf(config: unknown): Readonly<Record<string, string>> {
  const entries = serviceNames.map((name) => [name, getField(config, name)] as const)
  return Object.fromEntries(
    entries.filter((entry): entry is [(typeof entry)[0], string] => typeof entry[1] === 'string'),
  )
}

/** Returns the origin of a URL, or the string itself if it is not a URL. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

/**
 * Finds configurations that send users elsewhere. The manifest can't cover them: each deployment has its own services, and two
 * services of an attacker could rebuild the keys of new users.
 *
 * @param configs the configuration of each page. The first one is compared with the others.
 * @param expected URLs of services by name. Those that are not named may have any value, but the same on all pages.
 */
export function findConfigProblems(
  configs: readonly { readonly path: string; readonly config: unknown }[],
  origin: string,
  expected: Readonly<Record<string, string>> = {},
): readonly SiteProblem[] {
  const first = { ...servicesOf(configs[0]?.config), ...expected }
  return configs.flatMap(({ path, config }) => {
    const services = servicesOf(config)
    const different = serviceNames
      .filter((name) => isMissing(name, services) || withoutSlash(services[name]) !== withoutSlash(first[name]))
      .map(
        (name) =>
          `The address of the service ${name} is ${services[name] ?? 'missing'} instead of ${first[name] ?? 'none'}.`,
      )
    const own = getField(config, 'origin')
    const foreign = own === origin ? [] : [`The page takes ${String(own)} for its own origin.`]
    return [...different, ...foreign].map((detail) => ({ path, kind: 'config', detail }) as const)
  })
}

function isMissing(name: (typeof serviceNames)[number], services: Readonly<Record<string, string>>): boolean {
  return requiredNames.some((required) => required === name) && services[name] === undefined
}

function withoutSlash(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, '')
}
