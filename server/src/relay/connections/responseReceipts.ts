import type { Receipt } from '../mailbox/mailbox.ts'

/**
 * The messages in sent responses. They are acknowledged once the client has the response: with its next frame after the pong
 * to a ping that followed the response. A frame alone proves nothing, because the client may have sent it before the
 * response arrived, and a pong alone proves only that its system has the response.
 */
export type ResponseReceipts = {
  /** Adds the messages of a response that was just sent, and pings the client. */
  add(receipts: readonly Receipt[]): void
  /** Handles a pong, which repeats the data of its ping. */
  receivePong(data: Buffer): void
  /** Handles a frame: acknowledges the messages of the responses that the client has. */
  receiveFrame(): void
}

export type ResponseReceiptsDependencies = {
  ping(data: string): void
  acknowledge(receipt: Receipt): void
}

/** The messages of older responses are delivered again: a client that sends no pongs must not fill the memory. */
const maxResponses = 64

/** Creates the receipts of one connection. */
export function createResponseReceipts({ ping, acknowledge }: ResponseReceiptsDependencies): ResponseReceipts {
  /** By the number of the ping, in increasing order. Created for the first response, because an empty map takes 200 bytes. */
  let sent: Map<number, readonly Receipt[]> | undefined
  let lastPing = 0
  let lastPong = 0

  return {
    add(receipts) {
      if (receipts.length === 0) return
      lastPing += 1
      sent ??= new Map()
      sent.set(lastPing, receipts)
      const [oldest] = sent.keys()
      if (sent.size > maxResponses && oldest !== undefined) sent.delete(oldest)
      ping(String(lastPing))
    },
    receivePong(data) {
      const number = Number(data.toString('latin1'))
      if (number <= lastPing) lastPong = Math.max(lastPong, number)
    },
    receiveFrame() {
      if (sent === undefined) return
      for (const [number, receipts] of sent) {
        if (number > lastPong) return
        sent.delete(number)
        receipts.forEach(acknowledge)
      }
    },
  }
}
