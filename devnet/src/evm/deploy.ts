import { readFile } from 'node:fs/promises'
import {
  concat,
  createTestClient,
  encodeDeployData,
  getCreate2Address,
  http,
  publicActions,
  walletActions,
  zeroHash,
  type Abi,
  type Hex,
} from 'viem'
import { addresses, roles } from '../accounts.ts'
import { waitUntilMined } from './waitUntilMined.ts'

/** A token of the local world. */
export type LocalToken = { address: Hex; name: string; symbol: string; decimals: number }

/** An NFT collection of the local world. */
export type LocalCollection = { address: Hex; name: string; symbol: string }

/** The contracts of each local chain, at the same addresses on all of them. */
export type Contracts = { tokens: readonly LocalToken[]; collections: readonly LocalCollection[] }

/** The deterministic deployer, present on every development chain: the address depends only on the code and the salt. */
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

const tokens = [
  { name: 'Latch Dollar', symbol: 'LUSD', decimals: 6, each: 10_000n },
  { name: 'Key Token', symbol: 'KEY', decimals: 18, each: 250n },
] as const
const collections = [{ name: 'Latchkey Keys', symbol: 'LKEY' }] as const
/** The first holders. They are constructor arguments, so another list changes the addresses. */
const holders = addresses.slice(0, roles.bundler)

/**
 * Deploys the missing contracts. The funded accounts start with tokens and one key NFT each.
 *
 * @throws Error if the chain rejects a deployment.
 */
export async function deploy(rpcUrl: string, chainId: number): Promise<Contracts> {
  // The node signs for its own accounts, so no key is derived.
  const node = createTestClient({
    mode: 'anvil',
    account: addresses[roles.deployer],
    transport: http(rpcUrl),
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)

  const place = async (contract: string, args: readonly unknown[]): Promise<Hex> => {
    const creation = encodeDeployData({ ...(await readArtifact(contract)), args })
    const address = getCreate2Address({ from: create2Deployer, salt: zeroHash, bytecode: creation })
    if ((await node.getCode({ address })) !== undefined) return address
    const hash = await node.sendTransaction({ chain: null, to: create2Deployer, data: concat([zeroHash, creation]) })
    const { status } = await waitUntilMined(node, hash)
    if (status !== 'success') throw new Error(`${contract} could not be deployed on chain ${chainId}.`)
    return address
  }

  // In order, because the node assigns the deployer's nonces.
  const placed = { tokens: [] as LocalToken[], collections: [] as LocalCollection[] }
  for (const { each, ...token } of tokens) {
    const { name, symbol, decimals } = token
    const args = [name, symbol, decimals, holders, each * 10n ** BigInt(decimals)]
    placed.tokens.push({ address: await place('LocalToken', args), ...token })
  }
  for (const collection of collections) {
    const args = [collection.name, collection.symbol, holders]
    placed.collections.push({ address: await place('LocalKeys', args), ...collection })
  }
  return placed
}

/** Reads a compiled contract of this package. The path works from sources and from the build. */
export async function readArtifact(contract: string): Promise<{ abi: Abi; bytecode: Hex }> {
  const file = new URL(`../../src/contracts/artifacts/${contract}.json`, import.meta.url)
  // Compiled by devnet/scripts/compile.mjs; a test compares it with the sources.
  return JSON.parse(await readFile(file, 'utf8')) as { abi: Abi; bytecode: Hex }
}
