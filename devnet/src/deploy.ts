import { createRequire } from 'node:module'
import {
  concat,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  getCreate2Address,
  http,
  zeroHash,
  type Abi,
  type Hex,
} from 'viem'
import { accountCount, localAccount, roles } from './accounts.ts'

/** What is deployed on each chain of the local world, at the same addresses on all of them. */
export type Contracts = {
  tokens: ReadonlyArray<{ address: string; name: string; symbol: string; decimals: number }>
  collections: ReadonlyArray<{ address: string; name: string; symbol: string }>
}

type Artifact = { abi: Abi; bytecode: Hex }

/** Every development chain has this contract: it deploys what it is sent, at an address that depends on that alone. */
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

const tokens = [
  { name: 'Latch Dollar', symbol: 'LUSD', decimals: 6, each: 10_000n },
  { name: 'Key Token', symbol: 'KEY', decimals: 18, each: 250n },
] as const
const collections = [{ name: 'Latchkey Keys', symbol: 'LKEY' }] as const

/**
 * Deploys the contracts that are not there yet. Funded accounts are born with tokens and a key each.
 *
 * @throws Error when the chain refuses a deployment.
 */
export async function deploy(rpcUrl: string, chainId: number): Promise<Contracts> {
  const chain = defineChain({
    id: chainId,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const reader = createPublicClient({ chain, transport: http(), pollingInterval: 20 })
  const writer = createWalletClient({ chain, transport: http(), account: localAccount(roles.deployer) })
  const holders = Array.from({ length: accountCount }, (_, index) => localAccount(index).address)

  const place = async (contract: string, args: readonly unknown[]): Promise<Hex> => {
    const { abi, bytecode } = readArtifact(contract)
    const creation = encodeDeployData({ abi, bytecode, args })
    const address = getCreate2Address({ from: create2Deployer, salt: zeroHash, bytecode: creation })
    if ((await reader.getCode({ address })) !== undefined) return address
    const hash = await writer.sendTransaction({ to: create2Deployer, data: concat([zeroHash, creation]) })
    const { status } = await reader.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${contract} could not be deployed on chain ${chainId}.`)
    return address
  }

  const placedTokens = []
  for (const { name, symbol, decimals, each } of tokens) {
    const address = await place('LocalToken', [name, symbol, decimals, holders, each * 10n ** BigInt(decimals)])
    placedTokens.push({ address, name, symbol, decimals })
  }
  const placedCollections = []
  for (const { name, symbol } of collections) {
    placedCollections.push({ address: await place('LocalKeys', [name, symbol, holders]), name, symbol })
  }
  return { tokens: placedTokens, collections: placedCollections }
}

/** Found from the sources and from the build alike. Artifacts are read when they are needed: nobody pays for them on import. */
function readArtifact(contract: string): Artifact {
  // Compiled by our own script and compared by a test.
  return createRequire(import.meta.url)(`../src/contracts/artifacts/${contract}.json`) as Artifact
}
