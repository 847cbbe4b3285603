import { getAccount, type Latchkey } from '@latchkey/core'
import {
  chooseToken,
  openSend,
  reviewSend,
  sendNow,
  sendState,
  setAmount,
  setReceiver,
  type SendState,
} from '@latchkey/core/money'

/**
 * Sends native currency by driving the payment machine of core.
 *
 * @returns the outcome as text
 * @throws LatchkeyError as `sendNow`
 */
export async function sendPayment(latchkey: Latchkey, recipient: string, amount: string): Promise<string> {
  const { network } = getAccount(latchkey)
  if (network === undefined) return 'Connect a wallet first.'
  const { caipNetworkId: chainId, nativeCurrency } = network
  const { name, ...asset } = nativeCurrency
  openSend(latchkey)
  chooseToken(latchkey, { asset, name, chainId, balance: undefined, price: undefined })
  setReceiver(latchkey, recipient)
  setAmount(latchkey, amount)
  await waitUntil(latchkey, ({ resolving }) => !resolving)
  const status = await reviewSend(latchkey)
  if (status !== 'ready') return `Not sent: ${status}`
  const { outcome } = await sendNow(latchkey)
  const end = await outcome
  return end.status === 'mined' ? `Sent in block ${end.blockNumber}` : `Sent: ${end.status}`
}

/** Waits until the payment is in a state. */
function waitUntil(latchkey: Latchkey, isReached: (state: SendState) => boolean): Promise<void> {
  const store = sendState(latchkey)
  return new Promise((resolve) => {
    const check = (state: SendState): void => {
      if (!isReached(state)) return
      stop()
      resolve()
    }
    const stop = store.subscribe(check)
    check(store.getState())
  })
}
