import { readFile } from 'node:fs/promises'
import { createWalletClient, getContractAddress, http, type Abi, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { waitForTransactionReceipt } from 'viem/actions'
import type { TestProject } from 'vitest/node'
import { startAnvil } from '@latchkey/testkit/node'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ProvidedContext {
    /** The node of the browser tests, with chain id 31337. */
    chainUrl: string
    /** The token of the node, which anyone may mint. */
    tokenAddress: Address
  }
}

/** The first account of every development chain. It is funded there only. */
const deployerKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const artifact = new URL('../../devnet/src/contracts/artifacts/LocalToken.json', import.meta.url)

/** Starts a chain with a token, which browser tests read and write. Each test uses accounts of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startAnvil()
  project.provide('chainUrl', url)
  project.provide('tokenAddress', await deployToken(url))
  return stop
}

async function deployToken(url: string): Promise<Address> {
  const account = privateKeyToAccount(deployerKey)
  const client = createWalletClient({ account, transport: http(url) })
  const { abi, bytecode } = JSON.parse(await readFile(artifact, 'utf8')) as { abi: Abi; bytecode: Hex }
  const args = ['Local token', 'LOC', 18, [account.address], 1000n]
  const hash = await client.deployContract({ abi, bytecode, args, chain: null })
  await waitForTransactionReceipt(client, { hash, pollingInterval: 50 })
  return getContractAddress({ from: account.address, nonce: 0n })
}
