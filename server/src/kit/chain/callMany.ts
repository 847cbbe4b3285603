import { decodeFunctionResult, encodeFunctionData, multicall3Abi, type Hex } from 'viem'
import { getField } from '../runtime/getField.ts'
import type { EndpointPool } from './endpointPool.ts'

/** The address of Multicall3 on every chain that has it. */
export const multicallAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'
/** Calls per request. Reading 200 balances takes about 6 million gas, below the limits of nodes. */
export const callsPerRequest = 200

/** A call of a contract that only reads. */
export type ReadCall = { target: Hex; data: Hex }

/** Creates the call that reads the native balance of an address through Multicall3. */
export function createNativeBalanceCall(address: Hex): ReadCall {
  return {
    target: multicallAddress,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [address] }),
  }
}

/**
 * Calls many contracts with few requests, through the contract Multicall3.
 *
 * @returns for each call its data, or `null` if it reverted, or `undefined` if its request failed; or `'absent'` if the
 *   chain has no Multicall3, or another contract at its address
 * @throws NoEndpointError if no endpoint responds
 */
export async function callMany(
  pool: EndpointPool,
  calls: readonly ReadCall[],
): Promise<readonly (Hex | null | undefined)[] | 'absent'> {
  const parts = Array.from({ length: Math.ceil(calls.length / callsPerRequest) }, (_, index) =>
    calls.slice(index * callsPerRequest, (index + 1) * callsPerRequest),
  )
  const requests = parts.map((part, id) => ({
    id,
    jsonrpc: '2.0',
    method: 'eth_call',
    params: [{ to: multicallAddress, data: encodeCalls(part) }, 'latest'],
  }))
  const responses = await pool.request(requests)
  const byId = new Map(
    (Array.isArray(responses) ? responses : []).map((each: unknown) => [
      getField(each, 'id'),
      getField(each, 'result'),
    ]),
  )
  const results = parts.map((part, id) => decodeResults(byId.get(id), part.length))
  const returned = results.flatMap((each) => (each === 'absent' ? [] : [each]))
  return returned.length < results.length ? 'absent' : returned.flat()
}

function encodeCalls(calls: readonly ReadCall[]): Hex {
  const args = [calls.map(({ target, data }) => ({ target, allowFailure: true, callData: data }))] as const
  return encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args })
}

/** One contract that uses up all gas makes the whole request fail, so the caller must read such calls one by one. */
function decodeResults(result: unknown, count: number): readonly (Hex | null | undefined)[] | 'absent' {
  if (typeof result !== 'string') return Array.from({ length: count }, () => undefined)
  try {
    // `decodeFunctionResult` rejects everything that is not ABI data, such as the `0x` of an address without a contract.
    const data = result as Hex
    const returned = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data })
    return returned.length === count ? returned.map((each) => (each.success ? each.returnData : null)) : 'absent'
  } catch {
    return 'absent'
  }
}
