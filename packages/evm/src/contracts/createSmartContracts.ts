import type { SmartContracts } from '@latchkey/core'
import type { EvmChain } from '../chain/evmChain.ts'
import { getChainContract } from '../chain/evmChain.ts'
import { getEvmClient, type EvmClients } from '../chain/evmClients.ts'
import { readEvmContract, readEvmContracts } from './readEvmContract.ts'
import { signEvmTypedData } from './signEvmTypedData.ts'
import { writeEvmContract } from './writeEvmContract.ts'

/** Creates the calls of smart contracts of one adapter. */
export function createSmartContracts(clients: EvmClients, chains: readonly EvmChain[]): SmartContracts {
  return {
    read: (network, call) => readEvmContract(getEvmClient(clients, network), network, call),
    readMany(network, calls) {
      const chain = chains.find(({ id }) => id === Number(network.id))
      const multicallAddress = chain && getChainContract(chain, 'multicall3')
      return readEvmContracts(getEvmClient(clients, network), network, { calls, multicallAddress })
    },
    write: (connection, account, network, call) =>
      writeEvmContract(getEvmClient(clients, network), { connection, account, call }),
    signTypedData: signEvmTypedData,
  }
}
