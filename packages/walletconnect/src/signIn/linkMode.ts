import { fromBase64Url, isHex32, toBase64Url, utf8Bytes, utf8Text } from '../bytes.ts'
import type { Channel } from '../channel.ts'
import type { Keyring } from '../keyring.ts'
import { isRecord, parseJson } from '../parse.ts'
import { readRedirect } from '../redirect.ts'
import type { Peer } from '../peer.ts'
import type { Relay } from '../relay.ts'
import type { Metadata, Sessions } from '../session.ts'

/**
 * Link mode: on one phone, the two sides hand each other their messages in universal links, and no relay sees them. The
 * platform sees to it that a universal link opens the app that owns its domain; what it carries is not sealed, and any
 * app may open it.
 */
export type Links = {
  /** The universal link of whoever is on the other side of a topic; nothing for topics of the relay. */
  of(topic: string): string | undefined
  /** Has the messages of a topic travel to a universal link, until the page goes away or the returned function is called. */
  lay(topic: string, universal: string): () => void
}

/** Makes the links of a side: those of its sessions in link mode, and those that are laid. */
export function createLinks(sessions: Sessions): Links {
  const laid = new Map<string, string>()
  return {
    of: (topic) => laid.get(topic) ?? sessions.get(topic)?.link,
    lay(topic, universal) {
      laid.set(topic, universal)
      return () => laid.delete(topic)
    },
  }
}

/** Has a relay leave alone what travels by links. */
export function besideLinks(relay: Relay, links: Links, openLink: (url: string) => void): Relay {
  return {
    ...relay,
    async subscribe(topic) {
      if (links.of(topic) === undefined) await relay.subscribe(topic)
    },
    async publish(topic, message, postage, options) {
      const universal = links.of(topic)
      if (universal === undefined) return relay.publish(topic, message, postage, options)
      options?.onSent?.()
      openLink(`${universal}${universal.includes('?') ? '&' : '?'}wc_ev=${message}&topic=${topic}`)
    },
  }
}

/** The universal link of a side that takes messages by it; nothing when it does not. */
export function linkOf({ redirect }: Pick<Metadata, 'redirect'>): string | undefined {
  return redirect?.linkMode === true ? readRedirect(redirect).universal : undefined
}

/** Writes a message in a type-2 envelope: the type and UTF-8, in base64url. */
export function writePlain(text: string): string {
  return toBase64Url(Uint8Array.of(2, ...utf8Bytes(text)))
}

/** Reads a type-2 envelope; nothing for anything else. */
export function readPlain(envelope: string): unknown {
  try {
    const bytes = fromBase64Url(envelope)
    return bytes[0] === 2 ? parseJson(utf8Text(bytes.subarray(1))) : undefined
  } catch {
    return undefined
  }
}

/** Takes a universal link apart that carries a message; nothing when it carries none. */
function readLink(url: string): { topic: string; message: string } | undefined {
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])
  const [message, topic] = [parameters.get('wc_ev') ?? '', parameters.get('topic')]
  return isHex32(topic) && isRecord(readPlain(message)) ? { topic, message } : undefined
}

/** What of a side it takes to receive links. */
export type LinkReceiver = Pick<Peer, 'links' | 'metadata'> & {
  readonly channel: Pick<Channel, 'receivePlain'>
  readonly keyring: Pick<Keyring, 'get'>
}

/**
 * Takes a universal link that opened this side's app.
 *
 * @param linkOfStranger where to answer to a message on a topic that is not known; nothing when nobody may begin
 * @returns whether it carried a message that is taken
 */
export function receiveLink(
  { links, channel, keyring, metadata }: LinkReceiver,
  url: string,
  linkOfStranger: (message: string) => string | undefined = () => undefined,
): boolean {
  const arrived = readLink(url)
  if (links === undefined || arrived === undefined || linkOf(metadata) === undefined) return false
  const { topic, message } = arrived
  // Anybody can write a link: where a relay has sealed messages on a topic, none that is not sealed may speak.
  const link = links.of(topic) ?? (keyring.get(topic) === undefined ? linkOfStranger(message) : undefined)
  if (link === undefined) return false
  channel.receivePlain(topic, message, link)
  return true
}
