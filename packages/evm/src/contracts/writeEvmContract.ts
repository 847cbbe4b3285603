import type { Connection, ContractWrite } from '@latchkey/core'
import { parseAccountId, type AccountId } from '@latchkey/protocol'
import { encodeFunctionData, type Abi, type Client, type Hash, type Hex } from 'viem'
import { simulateContract } from 'viem/actions'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { sendEvmTransaction } from '../wallet/sendEvmTransaction.ts'
import { findRevert, toInvalidCallError } from './contractError.ts'

type WriteRequest = { connection: Pick<Connection, 'provider' | 'wallet'>; account: AccountId; call: ContractWrite }

/**
 * Simulates a call of a contract, then asks the wallet to send it.
 *
 * @throws LatchkeyError `contract/call-invalid`, `contract/reverted`, and the errors of `sendEvmTransaction`
 */
export async function writeEvmContract(client: Client, { connection, account, call }: WriteRequest): Promise<Hash> {
  const data = encodeCall(call)
  if (call.gas === undefined) await simulate(client, account, call)
  try {
    return await sendEvmTransaction(connection, account, { to: call.address, value: call.value, gas: call.gas, data })
  } catch (error) {
    throw findRevert(error, call) ?? error
  }
}

function encodeCall({ abi, functionName, args }: ContractWrite): Hex {
  try {
    // The type of an ABI that is not known at compile time is a list of unknown values. viem reads it as an ABI.
    return encodeFunctionData({ abi: abi as Abi, functionName, args })
  } catch (error) {
    throw toInvalidCallError(functionName, error)
  }
}

/** A simulation that fails for another reason than a revert does not stop the wallet, which has nodes of its own. */
async function simulate(client: Client, account: AccountId, call: ContractWrite): Promise<void> {
  const { abi, functionName, args, value } = call
  const address = parseEvmAddress(call.address)
  const from = parseEvmAddress(parseAccountId(account).address)
  try {
    await simulateContract(client, { abi: abi as Abi, address, functionName, args, value, account: from })
  } catch (error) {
    const reverted = findRevert(error, call)
    if (reverted !== undefined) throw reverted
  }
}
