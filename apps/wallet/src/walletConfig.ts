import { isChainId, isNamespace, type ChainId, type Network, configError, isRecord } from '@latchkey/protocol'

/** A token whose balance and transfers the wallet shows. */
export type KnownToken = { caipNetworkId: ChainId; address: string; name: string; symbol: string; decimals: number }

/** The addresses of this deployment. The host writes them into the page. */
export type WalletConfig = {
  projectId: string
  /** The relay's websocket address. */
  relay: string
  /** The web app's address, for a first app to connect to. */
  web: string | undefined
  networks: readonly Network[]
  tokens: readonly KnownToken[]
}

/**
 * Parses the configuration that the host wrote into the page's `#latchkey-config`.
 *
 * @throws LatchkeyError `config/invalid` with all problems
 */
export function readWalletConfig(page: ParentNode): WalletConfig {
  return parseWalletConfig(page.querySelector('#latchkey-config')?.textContent ?? '{}')
}

/**
 * Parses a configuration from its JSON text.
 *
 * @throws LatchkeyError `config/invalid` with all problems
 */
export function parseWalletConfig(text: string): WalletConfig {
  const problems: string[] = []
  const fields = parseJsonObject(text)
  if (fields === undefined) throw configError('config/invalid', { problems: ['it is not a JSON object'] })
  const { projectId, relay, web, networks = [], tokens = [] } = fields

  if (typeof projectId !== 'string' || projectId === '') problems.push('projectId is missing')
  if (!hasProtocol(relay, ['ws:', 'wss:'])) problems.push('relay is not a websocket URL')
  if (web !== undefined && !hasProtocol(web, ['http:', 'https:'])) problems.push('web is not a web URL')
  if (!Array.isArray(networks) || networks.length === 0) problems.push('networks is empty')
  else networks.forEach((item, at) => isNetwork(item) || problems.push(`networks[${at}] is not a network`))
  if (!Array.isArray(tokens)) problems.push('tokens is not a list')
  else tokens.forEach((item, at) => isToken(item) || problems.push(`tokens[${at}] is not a token`))

  if (problems.length > 0) throw configError('config/invalid', { problems })
  // Each field was checked above. The compiler can't follow the checks through the list of problems.
  return { projectId, relay, web, networks, tokens } as WalletConfig
}

/** True if a value has the fields of a network that the wallet uses. */
export function isNetwork(value: unknown): value is Network {
  if (!isRecord(value)) return false
  const { caipNetworkId, chainNamespace, name, nativeCurrency, rpcUrls } = value
  if (typeof caipNetworkId !== 'string' || !isChainId(caipNetworkId)) return false
  if (typeof chainNamespace !== 'string' || !isNamespace(chainNamespace)) return false
  if (typeof name !== 'string' || !isCurrency(nativeCurrency)) return false
  const defaults = isRecord(rpcUrls) ? rpcUrls['default'] : undefined
  const urls = isRecord(defaults) ? defaults['http'] : undefined
  return Array.isArray(urls) && urls.length > 0 && urls.every((url) => hasProtocol(url, ['http:', 'https:']))
}

function isToken(value: unknown): value is KnownToken {
  if (!isRecord(value) || !isCurrency(value)) return false
  const { caipNetworkId, address } = value
  return typeof caipNetworkId === 'string' && isChainId(caipNetworkId) && typeof address === 'string'
}

function isCurrency(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { name, symbol, decimals } = value
  const isWhole = Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= 255
  return typeof name === 'string' && typeof symbol === 'string' && isWhole
}

/** True if a value is a URL with one of the protocols. Each protocol ends with a colon. */
export function hasProtocol(value: unknown, protocols: readonly string[]): value is string {
  return typeof value === 'string' && URL.canParse(value) && protocols.includes(new URL(value).protocol)
}

/** Parses a JSON object. Returns `undefined` if the string is not one. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
