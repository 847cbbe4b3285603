import type { ContractCall, ContractCallResult } from '@latchkey/core'
import { isLatchkeyError, type Network } from '@latchkey/protocol'
import type { Abi, Address, Client } from 'viem'
import { multicall, readContract } from 'viem/actions'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { toContractError } from './contractError.ts'

/**
 * Reads from a contract at the latest block.
 *
 * @throws LatchkeyError `address/invalid`, `contract/call-invalid`, `contract/reverted`, `contract/not-found`, `rpc/unreachable`
 */
export async function readEvmContract(client: Client, network: Network, call: ContractCall): Promise<unknown> {
  const request = toEvmCall(call)
  try {
    return await readContract(client, request)
  } catch (error) {
    throw toContractError(error, network, call)
  }
}

/**
 * Reads several values: through Multicall3 in one call, else with one request for each value.
 *
 * @throws LatchkeyError `address/invalid`, `rpc/unreachable`
 */
export async function readEvmContracts(
  client: Client,
  network: Network,
  { calls, multicallAddress }: { calls: readonly ContractCall[]; multicallAddress: Address | undefined },
): Promise<readonly ContractCallResult[]> {
  if (multicallAddress === undefined) return Promise.all(calls.map((call) => readOrFail(client, network, call)))
  const results = await multicall(client, { contracts: calls.map(toEvmCall), multicallAddress })
  return results.map((result, index): ContractCallResult => {
    const call = calls[index]
    if (result.status === 'success') return { status: 'success', result: result.result }
    return fail(call === undefined ? result.error : toContractError(result.error, network, call))
  })
}

async function readOrFail(client: Client, network: Network, call: ContractCall): Promise<ContractCallResult> {
  try {
    return { status: 'success', result: await readEvmContract(client, network, call) }
  } catch (error) {
    return fail(error)
  }
}

/** A network that can't be reached fails the whole read. */
function fail(error: unknown): ContractCallResult {
  if (isLatchkeyError(error, 'rpc/unreachable')) throw error
  return { status: 'failure', error }
}

type EvmCall = { abi: Abi; address: Address; functionName: string; args: readonly unknown[] | undefined }

/** Verifies the address. */
function toEvmCall({ abi, address, functionName, args }: ContractCall): EvmCall {
  // The type of an ABI that is not known at compile time is a list of unknown values. viem reads it as an ABI.
  return { abi: abi as Abi, address: parseEvmAddress(address), functionName, args }
}
