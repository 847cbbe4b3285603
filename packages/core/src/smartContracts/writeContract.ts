import { networkError } from '@latchkey/protocol'
import type { ContractWrite } from '../contracts/smartContracts.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { connectionForRequest, type RequestOptions } from '../requests/requestOptions.ts'
import { untilApprovalsClose } from '../requests/untilApprovalsClose.ts'
import { findNetwork } from '../state/getAccount.ts'
import { loadSmartContracts } from './contractNetwork.ts'
import type { AnyAbi, ContractRequest, FunctionArgs, FunctionNames, WriteMutability } from './contractRequest.ts'

/** Fields of a transaction that calls a contract. */
export type ContractPayment = Pick<ContractWrite, 'value' | 'gas'>

type WriteCall<result> = <
  const abi extends AnyAbi,
  name extends FunctionNames<abi, WriteMutability>,
  const args extends FunctionArgs<abi, WriteMutability, name>,
>(
  call: ContractRequest<abi, WriteMutability, name, args> & ContractPayment,
  options?: RequestOptions,
) => result

/** The functions that call a contract, as hooks and stores offer them. The arguments of each call are typed by its ABI. */
export type ContractWriter = { mutate: WriteCall<void>; mutateAsync: WriteCall<Promise<string>> }

/**
 * Asks the connected wallet to call a smart contract. The call is simulated first, so that a call that would revert throws
 * the error of the contract before the wallet asks the user. Set `gas` for a call that depends on a transaction that is not
 * mined yet: it is then not simulated.
 *
 * @param call the address, the ABI declared `as const`, the name and arguments of a function, and optionally `value` in base
 * units and `gas`
 * @param options `chainId` switches the wallet to the network of the contract first
 * @returns the hash as soon as the wallet sent the transaction; call `waitForTransaction` to wait until it is mined
 * @throws LatchkeyError `contract/call-invalid`, `contract/reverted` with the error of the contract,
 * `connection/not-connected`, `network/not-found` if the wallet is on a network that the app did not configure,
 * `request/rejected`, `request/unknown`.
 * @example
 * const abi = [
 *   { type: 'function', name: 'mint', stateMutability: 'payable', inputs: [{ type: 'uint256' }], outputs: [] },
 * ] as const
 * const hash = await writeContract(latchkey, { abi, address, functionName: 'mint', args: [1n], value })
 */
export async function writeContract<
  const abi extends AnyAbi,
  name extends FunctionNames<abi, WriteMutability>,
  const args extends FunctionArgs<abi, WriteMutability, name>,
>(
  latchkey: Latchkey,
  call: ContractRequest<abi, WriteMutability, name, args> & ContractPayment,
  options: RequestOptions = {},
): Promise<string> {
  const live = await connectionForRequest(latchkey, options)
  const { connection, account, chainId } = live.state
  // A contract of the app has another address, or none, on a network that the app does not know.
  if (findNetwork(latchkey, chainId) === undefined) throw networkError('network/not-found', { chainId })
  const contracts = await loadSmartContracts(latchkey, live.network, 'writeContract')
  const sent = contracts.write(connection, account, live.network, call as ContractWrite)
  return untilApprovalsClose(latchkey, live, 'writeContract', sent)
}
