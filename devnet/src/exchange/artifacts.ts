import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

/** The bytecode and ABI of a contract. */
export type Artifact = { abi: Abi; bytecode: Hex }

/** The paths of the exchange's contracts in their packages. */
const files = {
  wrappedNative: '@uniswap/v2-periphery/build/WETH9.json',
  v2Factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  v2Router: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
  v3Factory: '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  v3Positions:
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  v3Quoter: '@uniswap/swap-router-contracts/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  router: '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json',
} as const

export type ExchangeContract = keyof typeof files

/**
 * Reads the published artifacts of the exchange's packages. They are development tools under their own licences, and
 * nothing of them is copied into this repository.
 *
 * @throws Error if they are not installed
 */
export async function readExchangeArtifacts(): Promise<Readonly<Record<ExchangeContract, Artifact>>> {
  const { resolve } = createRequire(import.meta.url)
  const read = async ([contract, file]: [string, string]): Promise<[string, Artifact]> => {
    // Published compiler output; the deployment fails if it is invalid.
    const { abi, bytecode } = JSON.parse(await readFile(resolve(file), 'utf8')) as { abi: Abi; bytecode: string }
    return [contract, { abi, bytecode: bytecode.startsWith('0x') ? (bytecode as Hex) : `0x${bytecode}` }]
  }
  // Exactly the keys of `files`.
  return Object.fromEntries(await Promise.all(Object.entries(files).map(read))) as Record<ExchangeContract, Artifact>
}
