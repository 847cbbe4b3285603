import type { WebSocket } from 'ws'
import { encodeAccount } from './encodeAccount.ts'
import type { TransactionRecord } from './history.ts'
import { readRecord, formatJson, type Methods } from './jsonRpc.ts'
import type { Ledger } from './ledger.ts'
import { parseAddressParameter } from './addressParameter.ts'

const slotMilliseconds = 400

type Notify = (value: unknown) => void

/** The subscriptions of one socket: begun by a method, stopped by its id or when the socket closes. */
type Subscriptions = {
  begin(method: string, listen: (notify: Notify) => () => void): number
  stop(params: readonly unknown[]): boolean
}

/** Creates the subscription methods of one socket. */
export function subscriptionMethods(ledger: Ledger, socket: WebSocket): Methods {
  const { begin, stop } = createSubscriptions(socket)
  return {
    slotSubscribe: () => begin('slotNotification', (notify) => listenToSlots(ledger, notify)),
    signatureSubscribe: ([signature]) =>
      begin('signatureNotification', (notify) => listenToSignature(ledger, String(signature), notify)),
    accountSubscribe([address, config]) {
      const wanted = parseAddressParameter(address)
      return begin('accountNotification', (notify) =>
        ledger.history.listen((record) => {
          const account = ledger.vm.getAccount(wanted)
          if (!mentionsAddress(record, wanted) || !account.exists) return
          notify(addSlotContext(record.slot, encodeAccount(ledger.vm, account, config)))
        }),
      )
    },
    logsSubscribe([filter]) {
      const { mentions: filtered } = readRecord(filter)
      const wanted: readonly unknown[] = Array.isArray(filtered) ? filtered : []
      return begin('logsNotification', (notify) =>
        ledger.history.listen((record) => {
          const { slot, signature, error, logs } = record
          if (wanted.every((each) => mentionsAddress(record, each)))
            notify(addSlotContext(slot, { signature, err: error, logs }))
        }),
      )
    },
    slotUnsubscribe: stop,
    signatureUnsubscribe: stop,
    accountUnsubscribe: stop,
    logsUnsubscribe: stop,
  }
}

function createSubscriptions(socket: WebSocket): Subscriptions {
  const stops = new Map<number, () => void>()
  let last = 0
  socket.once('close', () => {
    for (const stop of stops.values()) stop()
  })
  return {
    begin(method, listen) {
      const subscription = ++last
      const notify: Notify = (result) =>
        socket.send(formatJson({ jsonrpc: '2.0', method, params: { result, subscription } }))
      stops.set(subscription, listen(notify))
      return subscription
    },
    stop([subscription]) {
      const end = typeof subscription === 'number' ? stops.get(subscription) : undefined
      if (typeof subscription === 'number') stops.delete(subscription)
      end?.()
      return end !== undefined
    },
  }
}

function listenToSlots(ledger: Ledger, notify: Notify): () => void {
  const timer = setInterval(() => {
    const slot = ledger.slot()
    notify({ slot, parent: slot - 1n, root: slot })
  }, slotMilliseconds)
  return () => clearInterval(timer)
}

function listenToSignature(ledger: Ledger, signature: string, notify: Notify): () => void {
  const notifyOf = ({ slot, error }: TransactionRecord): void => notify(addSlotContext(slot, { err: error }))
  const known = ledger.history.get(signature)
  // The response with the subscription id must be sent first.
  if (known !== undefined) setImmediate(notifyOf, known)
  return ledger.history.listen((record) => record.signature === signature && notifyOf(record))
}

function addSlotContext(slot: bigint, value: unknown): object {
  return { context: { slot }, value }
}

function mentionsAddress({ addresses }: TransactionRecord, address: unknown): boolean {
  return addresses.some((each) => each === address)
}
