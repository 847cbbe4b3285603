import type { WebSocket } from 'ws'
import { encodeAccount } from './encodeAccount.ts'
import type { TransactionRecord } from './history.ts'
import { readRecord, write, type Methods } from './jsonRpc.ts'
import type { Ledger } from './ledger.ts'
import { readAddress } from './parameters.ts'

const slotMilliseconds = 400

/** The methods of one socket: what it follows, until it says otherwise or goes. */
export function subscriptionMethods(ledger: Ledger, socket: WebSocket): Methods {
  const stops = new Map<number, () => void>()
  let last = 0
  socket.once('close', () => {
    for (const stop of stops.values()) stop()
  })

  function follow(method: string, begin: (notify: (value: unknown) => void) => () => void): number {
    const subscription = ++last
    const notify = (result: unknown): void =>
      socket.send(write({ jsonrpc: '2.0', method, params: { result, subscription } }))
    stops.set(subscription, begin(notify))
    return subscription
  }

  function stop([subscription]: readonly unknown[]): boolean {
    const end = typeof subscription === 'number' ? stops.get(subscription) : undefined
    if (typeof subscription === 'number') stops.delete(subscription)
    end?.()
    return end !== undefined
  }

  const at = (slot: bigint, value: unknown): object => ({ context: { slot }, value })
  const concerns = ({ addresses }: TransactionRecord, where: unknown): boolean =>
    addresses.some((each) => each === where)

  return {
    slotSubscribe: () =>
      follow('slotNotification', (notify) => {
        const tell = (): void => {
          const slot = ledger.slot()
          notify({ slot, parent: slot - 1n, root: slot })
        }
        const timer = setInterval(tell, slotMilliseconds)
        return () => clearInterval(timer)
      }),
    signatureSubscribe: ([signature]) =>
      follow('signatureNotification', (notify) => {
        const tell = ({ slot, error }: TransactionRecord): void => notify(at(slot, { err: error }))
        const known = ledger.history.get(String(signature))
        // The answer with the number of the subscription goes first.
        if (known !== undefined) setImmediate(tell, known)
        return ledger.history.listen((record) => record.signature === signature && tell(record))
      }),
    accountSubscribe([where, config]) {
      const wanted = readAddress(where)
      return follow('accountNotification', (notify) =>
        ledger.history.listen((record) => {
          const account = ledger.vm.getAccount(wanted)
          const isOver = !concerns(record, wanted) || !account.exists
          if (!isOver) notify(at(record.slot, encodeAccount(ledger.vm, account, config)))
        }),
      )
    },
    logsSubscribe([filter]) {
      const { mentions } = readRecord(filter)
      const wanted = Array.isArray(mentions) ? mentions : []
      return follow('logsNotification', (notify) =>
        ledger.history.listen((record) => {
          const { slot, signature, error, logs } = record
          if (wanted.every((each) => concerns(record, each))) notify(at(slot, { signature, err: error, logs }))
        }),
      )
    },
    slotUnsubscribe: stop,
    signatureUnsubscribe: stop,
    accountUnsubscribe: stop,
    logsUnsubscribe: stop,
  }
}
