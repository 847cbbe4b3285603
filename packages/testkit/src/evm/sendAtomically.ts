import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  isHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { Hex, LocalAccount } from 'viem'
import { requestChain, waitForReceipt } from './requestChain.ts'
import { parseHexQuantity, createKeyClient } from './signing.ts'
import { simulatedAccountAbi, simulatedAccountBytecode } from './simulatedAccount.ts'

/** The deterministic deployer that every development chain has. The address depends only on the bytecode. */
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
/** Enough gas for one deployment or one batch, regardless of the node's estimate. */
const gasLimit = 5_000_000n

/** Deploys the contract wallet of an owner. Idempotent. */
export async function deployAccount(payer: LocalAccount, owner: Hex, chainId: number, rpcUrl: string): Promise<Hex> {
  const creation = concatHex([simulatedAccountBytecode, encodeAbiParameters([{ type: 'address' }], [owner])])
  const address = getCreate2Address({ from: create2Deployer, salt: zeroHash, bytecode: creation })
  if ((await requestChain(rpcUrl, 'eth_getCode', [address, 'latest'])) !== '0x') return address
  const data = concatHex([zeroHash, creation])
  const hash = await createKeyClient(payer, chainId, rpcUrl).sendTransaction({
    to: create2Deployer,
    data,
    gas: gasLimit,
  })
  await waitForReceipt(rpcUrl, hash)
  return address
}

/** Encodes a contract wallet's `execute` call. */
export function encodeCalls(calls: readonly Record<string, unknown>[]): Hex {
  const written = calls.map(({ to, value, data }) => ({
    to: isHex(to) ? to : zeroAddress,
    value: parseHexQuantity(value) ?? 0n,
    data: isHex(data) ? data : ('0x' as const),
  }))
  return encodeFunctionData({ abi: simulatedAccountAbi, functionName: 'execute', args: [written] })
}

/** Sends calls in one transaction: the key delegates to the contract wallet (EIP-7702) and calls itself. */
export async function sendAtomically(
  account: LocalAccount,
  chainId: number,
  rpcUrl: string,
  calls: readonly Record<string, unknown>[],
): Promise<Hex> {
  const contractAddress = await deployAccount(account, zeroAddress, chainId, rpcUrl)
  const wallet = createKeyClient(account, chainId, rpcUrl)
  const authorization = await wallet.signAuthorization({ contractAddress, executor: 'self' })
  return wallet.sendTransaction({
    authorizationList: [authorization],
    to: account.address,
    data: encodeCalls(calls),
    gas: gasLimit,
  })
}
