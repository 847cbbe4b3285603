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
import { readArtifact } from '../deploy.ts'
import { untilMined } from '../untilMined.ts'

/** The suffix that names of the local world end in. */
export const localZone = 'latchkey.test'

/** Where a server tells the resolver contract what its names lead to (ERC-3668). */
const gatewayPath = '/v1/names/gateway'
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const owner = addresses[roles.deployer]

type Placed = { address: Hex; abi: Abi }

/**
 * Deploys what ENS clients ask on a local chain, if it is not there yet.
 *
 * @returns the address for `contracts.ensUniversalResolver`, the same on all chains
 */
export async function deployNames(rpcUrl: string): Promise<Hex> {
  return (await place(connect(rpcUrl), 'LocalNames', [owner])).address
}

export type NamesOnChain = { resolver: Hex; universalResolver: Hex }

/**
 * Lets names of the local zone, and of addresses, be answered by a server. Does only what is left to do.
 *
 * @param signer whose signatures of answers count
 * @param server where the server is reached from a page
 * @throws Error when the chain refuses a step
 */
export async function connectNames(rpcUrl: string, signer: Hex, server: string): Promise<NamesOnChain> {
  const node = connect(rpcUrl)
  const names = await place(node, 'LocalNames', [owner])
  const resolver = await place(node, 'LatchkeyResolver', [owner, signer])
  const gateways = [server + gatewayPath]
  const known = await node.readContract({ ...resolver, functionName: 'getGateways' })
  if (JSON.stringify(known) !== JSON.stringify(gateways)) await write(node, resolver, 'setGateways', [gateways])
  for (const name of [localZone, 'reverse']) {
    const args = [namehash(name)]
    const current = await node.readContract({ ...names, functionName: 'resolverOf', args })
    if (current !== resolver.address) await write(node, names, 'setResolver', [...args, resolver.address])
  }
  return { resolver: resolver.address, universalResolver: names.address }
}

function connect(rpcUrl: string) {
  // The node signs for its own accounts, which saves deriving keys.
  return createTestClient({ mode: 'anvil', account: owner, transport: http(rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

type Node = ReturnType<typeof connect>

async function place(node: Node, contract: string, args: readonly unknown[]): Promise<Placed> {
  const { abi, bytecode } = await readArtifact(contract)
  const creation = encodeDeployData({ abi, bytecode, args })
  const address = getCreate2Address({ from: create2Deployer, salt: zeroHash, bytecode: creation })
  if ((await node.getCode({ address })) === undefined) {
    const hash = await node.sendTransaction({ chain: null, to: create2Deployer, data: concat([zeroHash, creation]) })
    await mustSucceed(node, hash, contract)
  }
  return { address, abi }
}

async function write(node: Node, { address, abi }: Placed, functionName: string, args: unknown[]): Promise<void> {
  await mustSucceed(node, await node.writeContract({ address, abi, functionName, args, chain: null }), functionName)
}

async function mustSucceed(node: Node, hash: Hex, what: string): Promise<void> {
  const { status } = await untilMined(node, hash)
  if (status !== 'success') throw new Error(`Names could not be set up on the chain: ${what} was refused.`)
}
