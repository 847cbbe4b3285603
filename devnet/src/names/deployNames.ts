import {
  concat,
  createTestClient,
  encodeDeployData,
  getCreate2Address,
  http,
  namehash,
  publicActions,
  walletActions,
  zeroHash,
  type Abi,
  type Hex,
} from 'viem'
import { addresses, roles } from '../accounts.ts'
import { readArtifact } from '../evm/deploy.ts'
import { waitUntilMined } from '../evm/waitUntilMined.ts'

/** The suffix of names in the local world. */
export const localZone = 'latchkey.test'

/** The gateway endpoint of a server, which resolves its names for the resolver contract (ERC-3668). */
const gatewayPath = '/v1/names/gateway'
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const owner = addresses[roles.deployer]

type DeployedContract = { address: Hex; abi: Abi }

/**
 * Deploys the contracts that ENS clients call. Idempotent.
 *
 * @returns the address for `contracts.ensUniversalResolver`, the same on all chains
 */
export async function deployNames(rpcUrl: string): Promise<Hex> {
  return (await deployContract(connectNamesNode(rpcUrl), 'LocalNames', [owner])).address
}

export type NamesOnChain = { resolver: Hex; universalResolver: Hex }

/**
 * Configures the resolver contract to use a server as its gateway. Idempotent.
 *
 * @param signer the address whose signatures the resolver accepts
 * @param server the URL of the server, as pages reach it
 * @throws Error if the chain rejects a step
 */
export async function connectNames(rpcUrl: string, signer: Hex, server: string): Promise<NamesOnChain> {
  const node = connectNamesNode(rpcUrl)
  const names = await deployContract(node, 'LocalNames', [owner])
  const resolver = await deployContract(node, 'LatchkeyResolver', [owner, signer])
  const gateways = [server + gatewayPath]
  const known = await node.readContract({ ...resolver, functionName: 'getGateways' })
  if (JSON.stringify(known) !== JSON.stringify(gateways))
    await writeContracts(node, resolver, 'setGateways', [gateways])
  for (const name of [localZone, 'reverse']) {
    const args = [namehash(name)]
    const current = await node.readContract({ ...names, functionName: 'resolverOf', args })
    if (current !== resolver.address) await writeContracts(node, names, 'setResolver', [...args, resolver.address])
  }
  return { resolver: resolver.address, universalResolver: names.address }
}

function connectNamesNode(rpcUrl: string) {
  // The node signs for its own accounts, so no key is derived.
  return createTestClient({ mode: 'anvil', account: owner, transport: http(rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

type Node = ReturnType<typeof connectNamesNode>

async function deployContract(node: Node, contract: string, args: readonly unknown[]): Promise<DeployedContract> {
  const { abi, bytecode } = await readArtifact(contract)
  const creation = encodeDeployData({ abi, bytecode, args })
  const address = getCreate2Address({ from: create2Deployer, salt: zeroHash, bytecode: creation })
  if ((await node.getCode({ address })) === undefined) {
    const hash = await node.sendTransaction({ chain: null, to: create2Deployer, data: concat([zeroHash, creation]) })
    await assertSucceeded(node, hash, contract)
  }
  return { address, abi }
}

async function writeContracts(
  node: Node,
  { address, abi }: DeployedContract,
  functionName: string,
  args: unknown[],
): Promise<void> {
  await assertSucceeded(node, await node.writeContract({ address, abi, functionName, args, chain: null }), functionName)
}

async function assertSucceeded(node: Node, hash: Hex, what: string): Promise<void> {
  const { status } = await waitUntilMined(node, hash)
  if (status !== 'success') throw new Error(`Names could not be set up on the chain: ${what} was refused.`)
}
