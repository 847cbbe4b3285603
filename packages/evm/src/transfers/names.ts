import type { Network } from '@latchkey/protocol'
import { createClient, custom, isAddressEqual, type Address, type Chain, type Client } from 'viem'
import { getEnsAddress, getEnsName } from 'viem/actions'
import { ccipRequest } from 'viem/utils'
import { normalize } from 'viem/ens'
import { checkedAddress } from '../checkedAddress.ts'
import { networkOf } from '../networks.ts'
import { readerOf, type Readers } from '../readers.ts'

/** How long a gateway may take. */
const gatewayMilliseconds = 10_000

type Where = { reader: Client; universalResolverAddress: Address }

/**
 * The address behind a name, for a network: as its owner set it for that chain, or for the main one.
 *
 * @returns false for what is no name (ENSIP-15), for names that nobody owns, and when nobody can tell
 */
export async function resolveName(
  readers: Readers,
  chains: readonly Chain[],
  { network, name }: { network: Network; name: string },
): Promise<Address | false> {
  const where = whereNamesAre(readers, chains, network)
  const known = normalized(name)
  if (where === undefined || known === undefined) return false
  const { reader, universalResolverAddress } = where
  const ask = (coinType?: bigint): Promise<Address | null> =>
    getEnsAddress(reader, { name: known, universalResolverAddress, coinType }).catch(() => null)
  const own = Number(network.id) === 1 ? null : await ask(coinTypeOf(Number(network.id)))
  const address = own ?? (await ask())
  return address === null ? false : checkedAddress(address)
}

/** The name that an address chose, when it is written as names are and leads back. */
export async function lookUpName(
  readers: Readers,
  chains: readonly Chain[],
  { network, address }: { network: Network; address: string },
): Promise<string | false> {
  const where = whereNamesAre(readers, chains, network)
  if (where === undefined) return false
  const { reader, universalResolverAddress } = where
  const owner = checkedAddress(address)
  const name = await getEnsName(reader, { address: owner, universalResolverAddress }).catch(() => null)
  if (name === null || normalized(name) !== name) return false
  const back = await resolveName(readers, chains, { network, name })
  return back !== false && isAddressEqual(back, owner) ? name : false
}

/** A name as ENSIP-15 writes it; undefined for what is none. */
function normalized(name: string): string | undefined {
  try {
    const known = normalize(name)
    return known.split('.').every((label) => label !== '') ? known : undefined
  } catch {
    return undefined
  }
}

/** A chain that has names: the active one, or another one of the app. */
function whereNamesAre(readers: Readers, chains: readonly Chain[], network: Network): Where | undefined {
  const own = chains.filter(({ id }) => id === Number(network.id))
  const named = [...own, ...chains].find((chain) => chain.contracts?.['ensUniversalResolver'] !== undefined)
  const contract = named?.contracts?.['ensUniversalResolver']
  if (named === undefined || contract === undefined || !('address' in contract)) return undefined
  const { request } = readerOf(readers, networkOf(named))
  // Names of other chains and of services live behind gateways (ERC-3668), which their owners chose.
  const isLocal = named.rpcUrls.default.http.every(isLoopback)
  const reader = createClient({
    transport: custom({ request }, { retryCount: 0 }),
    ccipRead: {
      request: ({ urls, ...question }) =>
        ccipRequest({
          ...question,
          urls: urls.filter((url) => /^https:/i.test(url) || (isLocal && isLoopback(url))),
          requestOptions: { signal: AbortSignal.timeout(gatewayMilliseconds) },
        }),
    },
  })
  return { reader, universalResolverAddress: contract.address }
}

function isLoopback(url: string): boolean {
  return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/i.test(url)
}

/** How name records number chains (ENSIP-11). */
function coinTypeOf(chainId: number): bigint {
  return BigInt((0x80000000 | chainId) >>> 0)
}
