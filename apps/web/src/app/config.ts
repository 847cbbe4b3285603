import type { Network } from '@latchkey/protocol'

/** A token of the local world. */
export type KnownToken = { caipNetworkId: string; address: string; name: string; symbol: string; decimals: number }

/** Where the parts of this deployment are. The host of the page writes it into the page. */
export type SiteConfig = {
  projectId: string
  server: string
  relay: string
  /** Where the frame of the embedded wallet is; without one there are no logins by e-mail and social account. */
  frame?: string
  /** The developer wallet's address. */
  wallet: string
  networks: readonly Network[]
  tokens: readonly KnownToken[]
}

/**
 * Reads the configuration that the host wrote into the page.
 *
 * @throws Error naming what is missing.
 */
export function readConfig(page: Document): SiteConfig {
  const text = page.querySelector('#latchkey-config')?.textContent ?? '{}'
  // Written by our own host, next to the script that reads it.
  const config = JSON.parse(text) as Partial<SiteConfig>
  const { projectId, server, relay, frame, wallet, networks, tokens = [] } = config
  if (projectId === undefined || server === undefined || relay === undefined || wallet === undefined) {
    throw new Error('The page has no configuration. Open it through npm start, which writes one into it.')
  }
  if (networks === undefined || networks.length === 0) throw new Error('The configuration names no network.')
  return { projectId, server, relay, frame, wallet, networks, tokens }
}
