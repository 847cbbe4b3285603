import type { Network } from '@latchkey/protocol'

/** A token of the local world. */
export type KnownToken = { caipNetworkId: string; address: string; name: string; symbol: string; decimals: number }

/** The addresses of this deployment. The host writes them into the page. */
export type SiteConfig = {
  projectId: string
  server: string
  relay: string
  /** The address of the embedded wallet's frame. Without it, there are no e-mail and social logins. */
  frame?: string
  /** The addresses of the auth service and the share store, if they don't run on the server. */
  auth?: string
  shares?: string
  /** The address of the local world's inbox. */
  mailbox?: string
  /** The address of the documentation. */
  docs?: string
  /** The address of the bundler of the first network. */
  bundler?: string
  /** The developer wallet's address. */
  wallet: string
  networks: readonly Network[]
  tokens: readonly KnownToken[]
}

/**
 * Parses the configuration that the host wrote into the page.
 *
 * @throws Error if a field is missing
 */
export function readSiteConfig(page: Document): SiteConfig {
  const config: unknown = JSON.parse(page.querySelector('#latchkey-config')?.textContent ?? '{}')
  return parseSiteConfig(Object(config))
}

/**
 * Parses a configuration.
 *
 * @throws Error if a field is missing
 */
export function parseSiteConfig(config: object): SiteConfig {
  // Our own host writes it.
  const {
    projectId,
    server,
    relay,
    frame,
    auth,
    shares,
    mailbox,
    docs,
    bundler,
    wallet,
    networks,
    tokens = [],
  } = config as Partial<SiteConfig>
  if (projectId === undefined || server === undefined || relay === undefined || wallet === undefined) {
    throw new Error('The page has no configuration. Open it through npm start, which writes one into it.')
  }
  if (networks === undefined || networks.length === 0) throw new Error('The configuration names no network.')
  return { projectId, server, relay, frame, auth, shares, mailbox, docs, bundler, wallet, networks, tokens }
}
