import { systemClock } from '@latchkey/core'
import type { Fee, Transfers } from '@latchkey/core/money'
import type { Network } from '@latchkey/protocol'
import type { Address, Chain } from 'viem'
import { getBalance } from '../getBalance.ts'
import { readerOf, type Readers } from '../readers.ts'
import { callOf, type TransferCall } from './callOf.ts'
import { estimateFee } from './estimateFee.ts'
import { followTransfer } from './followTransfer.ts'
import { inspectReceiver } from './inspectReceiver.ts'
import type { Plan } from './plan.ts'
import { readAsset, readTokenBalance } from './readAsset.ts'
import { cancelTransfer, repriceTransfer } from './replaceTransfer.ts'
import { sendTransfer } from './sendTransfer.ts'

/** Moving the native currencies of eip155 and their ERC-20 tokens. */
export function createTransfers(readers: Readers, chains: readonly Chain[]): Transfers {
  const { clock = systemClock } = readers
  /** What each fee that was told stands for, so that it can be sent with exactly that. */
  const plans = new WeakMap<Fee, Plan>()
  /** What was sent, by its hash, so that it is known again when another transaction takes its place. */
  const calls = new Map<string, TransferCall>()
  return {
    readAsset: (network, address) => readAsset(readers, network, address),
    async getBalance(network, holder, { address }) {
      if (address === undefined) return (await getBalance(readers, network, holder)).value
      return readTokenBalance(readers, network, { holder, token: address })
    },
    async estimateFee(network, transfer) {
      const { fee, plan } = await estimateFee(readerOf(readers, network), network, {
        transfer,
        oracle: oracleOf(chains, network),
      })
      plans.set(fee, plan)
      return fee
    },
    inspectReceiver: (network, transfer) => inspectReceiver(readers, network, transfer),
    async send(connection, network, transfer, fee) {
      const plan = fee === undefined ? undefined : plans.get(fee)
      const sent = await sendTransfer(connection, readerOf(readers, network), { transfer, plan, clock })
      calls.set(sent.hash, callOf(transfer))
      return sent
    },
    follow: (network, from, sent, options) =>
      followTransfer(readers, network, { from, sent, options, call: calls.get(sent.hash) }),
    replace: (connection, network, from, sent, how) => {
      const act = how === 'cancel' ? cancelTransfer : repriceTransfer
      return act(connection, readerOf(readers, network), { network, from, sent })
    },
    // The rules of names weigh as much as everything else here, and most payments name nobody.
    resolveName: async (network, name) => (await import('./names.ts')).resolveName(readers, chains, { network, name }),
    lookUpName: async (network, address) =>
      (await import('./names.ts')).lookUpName(readers, chains, { network, address }),
  }
}

/** The contract that tells what a rollup pays for its data, where viem's description of the chain names one. */
function oracleOf(chains: readonly Chain[], { id }: Network): Address | undefined {
  const contract = chains.find((chain) => chain.id === Number(id))?.contracts?.['gasPriceOracle']
  return contract !== undefined && 'address' in contract && typeof contract.address === 'string'
    ? contract.address
    : undefined
}
