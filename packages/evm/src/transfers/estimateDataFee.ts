import type { Network } from '@latchkey/protocol'
import { concat, decodeFunctionResult, encodeFunctionData, isHex, keccak256, slice, zeroAddress } from 'viem'
import type { Address, Client, Hex } from 'viem'
import { getGasPrice, getL1DataFee, maxPricePerGas, toTransferError } from './transactionPlan.ts'

/** The chains of Arbitrum: One, Nova, and the test chain. They charge the data as gas of the transaction. */
const arbitrumChains: readonly number[] = [42_161, 42_170, 421_614]

/** The virtual contract of Arbitrum's nodes that estimates gas. */
const nodeInterface: Address = '0x00000000000000000000000000000000000000C8'

const nodeInterfaceAbi = [
  {
    type: 'function',
    name: 'gasEstimateL1Component',
    stateMutability: 'payable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'contractCreation', type: 'bool' },
      { name: 'data', type: 'bytes' },
    ],
    outputs: [
      { name: 'gasEstimateForL1', type: 'uint64' },
      { name: 'baseFee', type: 'uint256' },
      { name: 'l1BaseFeeEstimate', type: 'uint256' },
    ],
  },
] as const

/**
 * Estimates the fee that a rollup charges for the data of a call.
 *
 * @param oracle the contract that reports the fee (OP stack)
 * @param bytes the size of the call's data
 * @returns wei; 0 on chains without such a fee
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function estimateDataFee(
  client: Client,
  network: Network,
  { oracle, bytes }: { oracle: Address | undefined; bytes: number },
): Promise<bigint> {
  const data = createIncompressibleData(bytes)
  if (oracle !== undefined) {
    const call = { from: zeroAddress, to: zeroAddress, value: 0n, data }
    return getL1DataFee(client, network, { call, oracle })
  }
  if (!arbitrumChains.includes(Number(network.id))) return 0n
  const [gas, price] = await Promise.all([readArbitrumDataGas(client, network, data), getGasPrice(client, network)])
  return gas * maxPricePerGas(price)
}

async function readArbitrumDataGas(client: Client, network: Network, data: Hex): Promise<bigint> {
  const functionName = 'gasEstimateL1Component'
  const request = encodeFunctionData({ abi: nodeInterfaceAbi, functionName, args: [zeroAddress, false, data] })
  try {
    const response = await client.request({
      method: 'eth_call',
      params: [{ to: nodeInterface, data: request }, 'latest'],
    })
    const result = isHex(response) ? response : '0x'
    const [gas] = decodeFunctionResult({ abi: nodeInterfaceAbi, functionName, data: result })
    return gas
  } catch (error) {
    throw toTransferError(error, network)
  }
}

/** Rollups compress data, and charge for what is left. Hashes don't compress, so this data costs the most. */
function createIncompressibleData(bytes: number): Hex {
  const hashes: Hex[] = []
  for (let count = 0; count * 32 < bytes; count += 1) hashes.push(keccak256(hashes.at(-1) ?? '0x'))
  return bytes === 0 ? '0x' : slice(concat(hashes), 0, bytes)
}
