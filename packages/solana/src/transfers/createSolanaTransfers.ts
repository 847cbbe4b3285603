import type { Transfers } from '@latchkey/core/money'
import { parseSolanaAddress } from '../address/parseSolanaAddress.ts'
import { getSolanaBalance } from '../chain/getSolanaBalance.ts'
import type { SolanaClients } from '../chain/solanaClients.ts'
import { estimateSolanaFee } from './estimateSolanaFee.ts'
import { followSolanaTransfer, getSolanaFinality, getSolanaPaidFee } from './followSolanaTransfer.ts'
import { getSolanaAsset } from './getSolanaAsset.ts'
import { getHoldings, sumHoldings } from './holdings.ts'
import { inspectSolanaReceiver } from './inspectSolanaReceiver.ts'
import { sendSolanaTransfer, type TransactionLifetimes } from './sendSolanaTransfer.ts'

/** Creates the transfers of SOL and of the tokens of both token programs. */
export function createSolanaTransfers(clients: SolanaClients, lifetimes: TransactionLifetimes): Transfers {
  return {
    isRetryable: true,
    fixesFee: true,
    readAsset: (network, address) => getSolanaAsset(clients, network, address),
    async getBalance(network, holder, asset) {
      if (asset.address === undefined) return (await getSolanaBalance(clients, network, holder)).value
      return sumHoldings(
        await getHoldings(clients, network, parseSolanaAddress(holder), parseSolanaAddress(asset.address)),
      )
    },
    estimateFee: (network, transfer) => estimateSolanaFee(clients, network, transfer),
    inspectReceiver: (network, transfer) => inspectSolanaReceiver(clients, network, transfer),
    send: (...args) => sendSolanaTransfer(clients, lifetimes, ...args),
    follow: (network, _from, sent, options) => followSolanaTransfer(clients, lifetimes, network, sent, options),
    getPaidFee: (network, hash) => getSolanaPaidFee(clients, network, hash),
    getFinality: (network, hash) => getSolanaFinality(clients, network, hash),
  }
}
