import { isHex32 } from '../../crypto/bytes.ts'
import type { Keyring } from '../../crypto/keyring.ts'
import { parsePlainEnvelope } from '../../crypto/plainEnvelope.ts'
import { isUnknownRecord } from '../../primitives/unknownRecord.ts'
import type { Channel } from '../channel.ts'
import type { SignClient } from '../signClient.ts'
import { linkModeUrl } from './linkModeUrl.ts'

/** The components of a side that receive links. */
export type LinkReceiverDependencies = Pick<SignClient, 'links' | 'metadata'> & {
  readonly channel: Pick<Channel, 'receivePlain'>
  readonly keyring: Pick<Keyring, 'get'>
}

/**
 * Takes a universal link that opened this side's app.
 *
 * @param findSenderLink returns the link for responses to a message on an unknown topic. Without it, such messages are
 * refused.
 * @returns true if the link carried a message for this side
 */
export function receiveLink(
  { links, channel, keyring, metadata }: LinkReceiverDependencies,
  url: string,
  findSenderLink: (message: string) => string | undefined = () => undefined,
): boolean {
  const received = parseLinkMessage(url)
  if (links === undefined || received === undefined || linkModeUrl(metadata) === undefined) return false
  const { topic, message } = received
  // Anyone can create a link, so a topic with a key of the relay accepts no unencrypted message.
  const link = links.find(topic) ?? (keyring.get(topic) === undefined ? findSenderLink(message) : undefined)
  if (link === undefined) return false
  channel.receivePlain(topic, message, link)
  return true
}

/** Parses a universal link that carries a message. Returns `undefined` for other links. */
function parseLinkMessage(url: string): { topic: string; message: string } | undefined {
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])
  const [message, topic] = [parameters.get('wc_ev') ?? '', parameters.get('topic')]
  return isHex32(topic) && isUnknownRecord(parsePlainEnvelope(message)) ? { topic, message } : undefined
}
