import type { Transfers } from '@latchkey/core/money'
import { checkedAddress } from '../checkedAddress.ts'
import { getBalance } from '../getBalance.ts'
import type { Readers } from '../readers.ts'
import { estimateFee } from './estimateFee.ts'
import { followTransfer } from './followTransfer.ts'
import { readHoldings, sumOf } from './holdings.ts'
import { inspectReceiver } from './inspectReceiver.ts'
import { readAsset } from './readAsset.ts'
import { sendTransfer, type Lifetimes } from './sendTransfer.ts'

/** Moving SOL and the tokens of both token programs. */
export function createTransfers(readers: Readers, lifetimes: Lifetimes): Transfers {
  return {
    asksToTryAgain: true,
    readAsset: (network, address) => readAsset(readers, network, address),
    async getBalance(network, holder, asset) {
      if (asset.address === undefined) return (await getBalance(readers, network, holder)).value
      return sumOf(await readHoldings(readers, network, checkedAddress(holder), checkedAddress(asset.address)))
    },
    estimateFee: (network, transfer) => estimateFee(readers, network, transfer),
    inspectReceiver: (network, transfer) => inspectReceiver(readers, network, transfer),
    send: (...args) => sendTransfer(readers, lifetimes, ...args),
    follow: (network, _from, { hash }, options) => followTransfer(readers, lifetimes, network, hash, options),
  }
}
