import type { LatchkeyServices } from './appKitOptions.ts'

/** The services of an app. */
export type Services = {
  readonly server: string | undefined
  readonly relayUrl: string | undefined
  readonly frame: string | undefined
}

/**
 * Returns the services of an app. Those that it does not name are at the origin of the page; on a server there is no page,
 * and none is needed.
 *
 * @param origin of the page
 */
export function resolveServices(
  { server, relayUrl, frame }: LatchkeyServices = {},
  origin: string | undefined = typeof location === 'undefined' ? undefined : location.origin,
): Services {
  // A page without an origin of its own, such as a file, has the origin "null".
  const base = server ?? (origin?.startsWith('http') === true ? origin : undefined)
  const found = base === false ? undefined : base
  const relay =
    relayUrl ?? (found === undefined ? undefined : `${found.replace(/^http/, 'ws').replace(/\/+$/, '')}/relay`)
  return { server: found, relayUrl: relay === false ? undefined : relay, frame }
}
