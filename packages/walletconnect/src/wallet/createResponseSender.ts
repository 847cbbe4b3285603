import type { InboxItem, RespondedItem } from './inbox.ts'
import type { WalletClient } from './walletClient.ts'

/** Sends the stored responses of an inbox. */
export type ResponseSender = {
  /** Publishes a response, once at a time. It stays in the inbox if that fails. @throws LatchkeyError `relay/…` */
  send(item: RespondedItem): Promise<void>
  /** Publishes the responses that the relay has not taken yet. Never rejects. */
  sendUnsent(): Promise<void>
}

/** Creates the sender of a wallet's responses. */
export function createResponseSender({ channel, inbox }: Pick<WalletClient, 'channel' | 'inbox'>): ResponseSender {
  const sending = new Map<string, Promise<void>>()

  async function publish(item: RespondedItem): Promise<void> {
    const { response } = item
    if ('error' in response) await channel.reject(item, response.error)
    else await channel.respond(item, response.result)
    inbox.complete(item)
  }

  function send(item: RespondedItem): Promise<void> {
    const name = requestKey(item)
    const present = sending.get(name)
    if (present !== undefined) return present
    const sent = publish(item).finally(() => sending.delete(name))
    sending.set(name, sent)
    return sent
  }

  return {
    send,
    async sendUnsent() {
      // A link would open the dapp without a click.
      const unsent = inbox.unsent().filter(({ link }) => link === undefined)
      await Promise.allSettled(unsent.map(send))
    },
  }
}

function requestKey({ topic, id }: Pick<InboxItem, 'topic' | 'id'>): string {
  return `${topic} ${id}`
}
