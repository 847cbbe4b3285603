import { isChainId, isNamespace, LatchkeyError, type ChainId, type Network } from '@latchkey/protocol'

/** An ERC-20 token that the wallet shows a balance of and reads transfers of. */
export type KnownToken = { caipNetworkId: ChainId; address: string; name: string; symbol: string; decimals: number }

/** Where the parts of this deployment are. The host of the page writes it into the page. */
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
 * Reads the configuration that the host wrote into the page's `#latchkey-config`.
 *
 * @throws LatchkeyError `config/invalid` with all that is wrong.
 */
export function readConfig(page: ParentNode): WalletConfig {
  return parseConfig(page.querySelector('#latchkey-config')?.textContent ?? '{}')
}

/**
 * Reads a configuration from its JSON text.
 *
 * @throws LatchkeyError `config/invalid` with all that is wrong.
 */
export function parseConfig(text: string): WalletConfig {
  const problems: string[] = []
  const fields = parseRecord(text)
  if (fields === undefined) throw new LatchkeyError('config/invalid', { problems: ['it is no JSON object'] })
  const { projectId, relay, web, networks = [], tokens = [] } = fields

  if (typeof projectId !== 'string' || projectId === '') problems.push('projectId is missing')
  if (!hasProtocol(relay, ['ws:', 'wss:'])) problems.push('relay is no websocket address')
  if (web !== undefined && !hasProtocol(web, ['http:', 'https:'])) problems.push('web is no web address')
  if (!Array.isArray(networks) || networks.length === 0) problems.push('networks is empty')
  else networks.forEach((item, at) => isNetwork(item) || problems.push(`networks[${at}] is no network`))
  if (!Array.isArray(tokens)) problems.push('tokens is no list')
  else tokens.forEach((item, at) => isToken(item) || problems.push(`tokens[${at}] is no token`))

  if (problems.length > 0) throw new LatchkeyError('config/invalid', { problems })
  // Each field was checked above, which the compiler cannot follow through the list of problems.
  return { projectId, relay, web, networks, tokens } as WalletConfig
}

/** Whether a value has what the wallet needs to know of a network. */
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

/** Whether a value is an address with one of the protocols, each with its colon. */
export function hasProtocol(value: unknown, protocols: readonly string[]): value is string {
  return typeof value === 'string' && URL.canParse(value) && protocols.includes(new URL(value).protocol)
}

/** Whether a value is an object with named members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a JSON object; nothing when the text is not one. */
export function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
