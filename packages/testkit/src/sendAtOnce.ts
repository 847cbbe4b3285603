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
import { askChain, minedReceipt } from './chainRpc.ts'
import { amount, walletOf } from './signing.ts'
import { simulatedAccountAbi, simulatedAccountBytecode } from './simulatedAccount.ts'

/** Every development chain has this contract: it deploys what it is sent, at an address that depends on that alone. */
const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
/** For one deployment or one batch, whatever the node foresees. */
const plentyOfGas = 5_000_000n

/** Deploys the contract wallet of an owner, unless it is there. */
export async function deployAccount(payer: LocalAccount, owner: Hex, chainId: number, rpcUrl: string): Promise<Hex> {
  const creation = concatHex([simulatedAccountBytecode, encodeAbiParameters([{ type: 'address' }], [owner])])
  const address = getCreate2Address({ from: create2Deployer, salt: zeroHash, bytecode: creation })
  if ((await askChain(rpcUrl, 'eth_getCode', [address, 'latest'])) !== '0x') return address
  const data = concatHex([zeroHash, creation])
  const hash = await walletOf(payer, chainId, rpcUrl).sendTransaction({ to: create2Deployer, data, gas: plentyOfGas })
  await minedReceipt(rpcUrl, hash)
  return address
}

/** What makes a contract wallet carry calls out. */
export function encodeCalls(calls: readonly Record<string, unknown>[]): Hex {
  const written = calls.map(({ to, value, data }) => ({
    to: isHex(to) ? to : zeroAddress,
    value: amount(value) ?? 0n,
    data: isHex(data) ? data : ('0x' as const),
  }))
  return encodeFunctionData({ abi: simulatedAccountAbi, functionName: 'execute', args: [written] })
}

/** Sends calls in one transaction: the key delegates to the contract wallet (EIP-7702), and tells itself what to do. */
export async function sendAtOnce(
  account: LocalAccount,
  chainId: number,
  rpcUrl: string,
  calls: readonly Record<string, unknown>[],
): Promise<Hex> {
  const contractAddress = await deployAccount(account, zeroAddress, chainId, rpcUrl)
  const wallet = walletOf(account, chainId, rpcUrl)
  const authorization = await wallet.signAuthorization({ contractAddress, executor: 'self' })
  return wallet.sendTransaction({
    authorizationList: [authorization],
    to: account.address,
    data: encodeCalls(calls),
    gas: plentyOfGas,
  })
}
