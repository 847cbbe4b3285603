import type { ChainId } from '@latchkey/protocol'
import type { ContractCall } from '../contracts/smartContracts.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { contractNetwork, loadSmartContracts } from './contractNetwork.ts'
import type {
  AnyAbi,
  ContractRequest,
  ContractRequests,
  ContractResults,
  FunctionArgs,
  FunctionNames,
  FunctionResult,
  ReadMutability,
} from './contractRequest.ts'

/** The network of a read. Defaults to the network of the active account, or the first one that has contracts. */
export type ContractReadOptions = { chainId?: ChainId }

/**
 * Reads from a smart contract, at the latest block. No wallet needs to be connected.
 *
 * @param call the address, the ABI declared `as const`, the name of a function that does not change the chain, and its
 * arguments
 * @returns the decoded result: a single value, or a list if the function returns several
 * @throws LatchkeyError `contract/call-invalid`, `contract/reverted` with the error of the contract, `contract/not-found` if
 * nothing is returned, `network/not-found`, `rpc/unreachable`.
 * @example
 * const abi = [
 *   { type: 'function', name: 'balanceOf', stateMutability: 'view', inputs: [{ type: 'address' }], outputs: [{ type: 'uint256' }] },
 * ] as const
 * const balance = await readContract(latchkey, { abi, address, functionName: 'balanceOf', args: ['0x52908400098527886E0F7030069857D2E4169EE7'] })
 */
export async function readContract<
  const abi extends AnyAbi,
  name extends FunctionNames<abi, ReadMutability>,
  const args extends FunctionArgs<abi, ReadMutability, name>,
>(
  latchkey: Latchkey,
  call: ContractRequest<abi, ReadMutability, name, args>,
  { chainId }: ContractReadOptions = {},
): Promise<FunctionResult<abi, name, args>> {
  const network = contractNetwork(latchkey, chainId)
  const contracts = await loadSmartContracts(latchkey, network, 'readContract')
  // The adapter decodes the result with the same ABI.
  return (await contracts.read(network, call as ContractCall)) as FunctionResult<abi, name, args>
}

/**
 * Reads several values from smart contracts, at the same block and in one request if the network has Multicall3. A call
 * that fails does not affect the others.
 *
 * @param calls as those of `readContract`
 * @returns for each call, in order, `{ status: 'success', result }` or `{ status: 'failure', error }`
 * @throws LatchkeyError `network/not-found`, `rpc/unreachable`.
 * @example
 * const [name, supply] = await readContracts(latchkey, [
 *   { abi, address, functionName: 'name' },
 *   { abi, address, functionName: 'totalSupply' },
 * ])
 */
export async function readContracts<const calls extends readonly ContractCall[]>(
  latchkey: Latchkey,
  calls: calls & ContractRequests<calls>,
  { chainId }: ContractReadOptions = {},
): Promise<ContractResults<calls>> {
  const network = contractNetwork(latchkey, chainId)
  const contracts = await loadSmartContracts(latchkey, network, 'readContracts')
  // The adapter decodes each result with the ABI of its call.
  return (await contracts.readMany(network, calls)) as ContractResults<calls>
}
