import type { Network } from '@latchkey/protocol'
import type { Chain } from 'viem'

/** The addresses of this deployment. The host of the page writes them into the page. */
export type PageConfig = {
  projectId: string
  server: string
  chains: readonly [Chain, ...Chain[]]
}

/**
 * Reads the configuration that the host wrote into the page.
 *
 * @throws Error if the page has no configuration
 */
export function readPageConfig(page: Document): PageConfig {
  const text = page.querySelector('#latchkey-config')?.textContent ?? '{}'
  // Our own host writes it next to the script that reads it.
  const {
    projectId,
    server,
    networks = [],
  } = JSON.parse(text) as {
    projectId?: string
    server?: string
    networks?: readonly Network[]
  }
  const [first, ...others] = networks.filter(({ chainNamespace }) => chainNamespace === 'eip155').map(toChain)
  if (projectId === undefined || server === undefined || first === undefined) {
    throw new Error('The page has no configuration.')
  }
  return { projectId, server, chains: [first, ...others] }
}

/** Converts a network to the shape that the EVM adapter takes: viem's. */
function toChain({ id, name, nativeCurrency, rpcUrls, testnet }: Network): Chain {
  return { id: Number(id), name, nativeCurrency, rpcUrls: { default: { http: [...rpcUrls.default.http] } }, testnet }
}
