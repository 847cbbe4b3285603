import { systemClock } from '@latchkey/core'
import type { Fee, TransactionOrigin, Transfers } from '@latchkey/core/money'
import type { Network } from '@latchkey/protocol'
import type { Address, Client } from 'viem'
import { getChainContract, type EvmChain } from '../chain/evmChain.ts'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { getEvmBalance } from '../chain/getEvmBalance.ts'
import { getEvmClient, type EvmClients } from '../chain/evmClients.ts'
import { estimateDataFee } from './estimateDataFee.ts'
import { estimateEvmFee } from './estimateEvmFee.ts'
import { followEvmTransfer } from './followEvmTransfer.ts'
import { getEvmPaidFee } from './getEvmPaidFee.ts'
import { getEvmFinality } from './getEvmFinality.ts'
import { inspectEvmReceiver } from './inspectEvmReceiver.ts'
import type { TransferCall } from './transferCall.ts'
import type { TransactionPlan } from './transactionPlan.ts'
import { getEvmAsset, getTokenBalance } from './getEvmAsset.ts'
import { canSpeedUp, replaceTransfer } from './replaceTransfer.ts'
import { digestCall, getChainPosition } from './findSentTransaction.ts'
import { sendEvmTransfer } from './sendEvmTransfer.ts'
import { simulateEvmCall } from './simulateEvmCall.ts'

/** Creates the transfers of native currencies and ERC-20 tokens. */
export function createEvmTransfers(clients: EvmClients, chains: readonly EvmChain[]): Transfers {
  const { clock = systemClock } = clients
  /** The plan behind each estimated fee, so that the transaction is sent with exactly this plan. */
  const plans = new WeakMap<Fee, TransactionPlan>()
  return {
    readAsset: (network, address) => getEvmAsset(clients, network, address),
    async getBalance(network, holder, { address }) {
      if (address === undefined) return (await getEvmBalance(clients, network, holder)).value
      return getTokenBalance(clients, network, { holder, token: address })
    },
    async estimateFee(network, transfer) {
      const { fee, plan } = await estimateEvmFee(getEvmClient(clients, network), network, {
        transfer,
        oracle: findFeeOracle(chains, network),
      })
      plans.set(fee, plan)
      return fee
    },
    inspectReceiver: (network, transfer) => inspectEvmReceiver(clients, network, transfer),
    async send(connection, network, transfer, fee) {
      const plan = fee === undefined ? undefined : plans.get(fee)
      return sendEvmTransfer(connection, getEvmClient(clients, network), { transfer, plan, clock })
    },
    readOrigin: (network, from, { to, value = 0n, data }) =>
      readOrigin(getEvmClient(clients, network), parseEvmAddress(from), { to: parseEvmAddress(to ?? ''), value, data }),
    follow: (network, from, sent, options) => followEvmTransfer(clients, network, { from, sent, options }),
    getPaidFee: (network, hash) => getEvmPaidFee(clients, network, hash),
    estimateDataFee: (network, bytes) =>
      estimateDataFee(getEvmClient(clients, network), network, { oracle: findFeeOracle(chains, network), bytes }),
    simulateCall: (network, from, { to, value, data }) =>
      simulateEvmCall(getEvmClient(clients, network), network, {
        from: parseEvmAddress(from),
        to: parseEvmAddress(to ?? ''),
        value,
        data,
      }),
    getFinality: (network, hash) => getEvmFinality(clients, network, hash),
    replace: (connection, network, from, sent, how) =>
      replaceTransfer(connection, getEvmClient(clients, network), { network, from, sent }, { how, clock }),
    canSpeedUp,
    // The normalization of names is as large as everything else here, and most payments use no name.
    resolveName: async (network, name) =>
      (await import('./resolveName.ts')).resolveName(clients, chains, { network, name }),
    lookUpName: async (network, address) =>
      (await import('./resolveName.ts')).findPrimaryName(clients, chains, { network, address }),
    lookUpAvatar: async (network, name) =>
      (await import('./resolveName.ts')).findAvatar(clients, chains, { network, name }),
  }
}

async function readOrigin(client: Client, from: Address, call: Omit<TransferCall, 'from'>): Promise<TransactionOrigin> {
  const position = await getChainPosition(client, from)
  return { content: digestCall(call), expectedNonce: position?.count, block: position?.block }
}

/** Returns the contract that reports a rollup's L1 data fee, if viem's description of the chain names one. */
function findFeeOracle(chains: readonly EvmChain[], { id }: Network): Address | undefined {
  const chain = chains.find((each) => each.id === Number(id))
  return chain === undefined ? undefined : getChainContract(chain, 'gasPriceOracle')
}
