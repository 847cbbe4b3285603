import type { Network } from '@latchkey/protocol'
import { createClient, custom, isAddressEqual, type Address, type Client } from 'viem'
import { getEnsAddress, getEnsAvatar, getEnsName } from 'viem/actions'
import { ccipRequest } from 'viem/utils'
import { normalize } from 'viem/ens'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { toEvmNetwork } from '../chain/evmNetwork.ts'
import { getEvmClient, type EvmClients } from '../chain/evmClients.ts'
import { getChainContract, type EvmChain } from '../chain/evmChain.ts'

/** How long a gateway may take, in milliseconds. */
const gatewayTimeoutMs = 10_000

type NameService = { client: Client; universalResolverAddress: Address }

/**
 * Resolves a name to an address on a network: the address that its owner set for that chain, or else for mainnet.
 *
 * @returns false if the string is not a name (ENSIP-15), if the name has no owner, or if it can't be resolved
 */
export async function resolveName(
  clients: EvmClients,
  chains: readonly EvmChain[],
  { network, name }: { network: Network; name: string },
): Promise<Address | false> {
  const service = findNameService(clients, chains, network)
  const known = normalizeName(name)
  if (service === undefined || known === undefined) return false
  const { client, universalResolverAddress } = service
  const sendRequest = (coinType?: bigint): Promise<Address | null> =>
    getEnsAddress(client, { name: known, universalResolverAddress, coinType }).catch(() => null)
  const own = Number(network.id) === 1 ? null : await sendRequest(toCoinType(Number(network.id)))
  const address = own ?? (await sendRequest())
  return address === null ? false : parseEvmAddress(address)
}

/** Finds the primary name of an address. The name must be normalized, and resolve to the same address. */
export async function findPrimaryName(
  clients: EvmClients,
  chains: readonly EvmChain[],
  { network, address }: { network: Network; address: string },
): Promise<string | false> {
  const service = findNameService(clients, chains, network)
  if (service === undefined) return false
  const { client, universalResolverAddress } = service
  const owner = parseEvmAddress(address)
  const name = await getEnsName(client, { address: owner, universalResolverAddress }).catch(() => null)
  if (name === null || normalizeName(name) !== name) return false
  const back = await resolveName(clients, chains, { network, name })
  return back !== false && isAddressEqual(back, owner) ? name : false
}

/** Finds the picture of a name: its `avatar` record, which may name an NFT (ENSIP-12). */
export async function findAvatar(
  clients: EvmClients,
  chains: readonly EvmChain[],
  { network, name }: { network: Network; name: string },
): Promise<string | false> {
  const service = findNameService(clients, chains, network)
  const known = normalizeName(name)
  if (service === undefined || known === undefined) return false
  const { client, universalResolverAddress } = service
  const picture = await getEnsAvatar(client, { name: known, universalResolverAddress }).catch(() => null)
  // The owner of the name chose this URL, so only a picture may be loaded from it.
  return picture !== null && /^(https:\/\/|data:image\/)/i.test(picture) ? picture : false
}

/** Normalizes a name (ENSIP-15). Returns `undefined` if it is not a name. */
function normalizeName(name: string): string | undefined {
  try {
    const known = normalize(name)
    return known.split('.').every((label) => label !== '') ? known : undefined
  } catch {
    return undefined
  }
}

/** Finds a chain with a name service: the network itself, or another chain of the app. */
function findNameService(clients: EvmClients, chains: readonly EvmChain[], network: Network): NameService | undefined {
  const own = chains.filter(({ id }) => id === Number(network.id))
  const named = [...own, ...chains].find((chain) => getChainContract(chain, 'ensUniversalResolver') !== undefined)
  const resolver = named && getChainContract(named, 'ensUniversalResolver')
  if (named === undefined || resolver === undefined) return undefined
  const { request } = getEvmClient(clients, toEvmNetwork(named))
  // Names of other chains and services are behind gateways (ERC-3668) that their owners chose.
  const isLocal = named.rpcUrls.default.http.every(isLoopback)
  const client = createClient({
    transport: custom({ request }, { retryCount: 0 }),
    ccipRead: {
      request: ({ urls, ...lookup }) =>
        ccipRequest({
          ...lookup,
          urls: urls.filter((url) => /^https:/i.test(url) || (isLocal && isLoopback(url))),
          requestOptions: { signal: AbortSignal.timeout(gatewayTimeoutMs) },
        }),
    },
  })
  return { client, universalResolverAddress: resolver }
}

function isLoopback(url: string): boolean {
  return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/i.test(url)
}

/** Returns the coin type of a chain in name records (ENSIP-11). */
function toCoinType(chainId: number): bigint {
  return BigInt((0x80000000 | chainId) >>> 0)
}
