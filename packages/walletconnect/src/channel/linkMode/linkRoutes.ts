import type { Relay } from '../../relay/relay.ts'
import type { SessionStore } from '../../session/sessionStore.ts'

/**
 * The topics in link mode: on one phone, the two sides pass messages in universal links, without a relay. The platform
 * opens the app that owns the link's domain. The messages are not encrypted, and any app may open a link.
 */
export type LinkRoutes = {
  /** Returns the universal link of a topic's other side, or `undefined` for topics of the relay. */
  find(topic: string): string | undefined
  /** Sends the messages of a topic to a universal link, until the page closes or the returned function is called. */
  add(topic: string, universalLink: string): () => void
}

/** Creates the routes of one side: those of its sessions in link mode, and the added ones. */
export function createLinkRoutes(sessions: SessionStore): LinkRoutes {
  const added = new Map<string, string>()
  return {
    find: (topic) => added.get(topic) ?? sessions.get(topic)?.link,
    add(topic, universalLink) {
      added.set(topic, universalLink)
      return () => added.delete(topic)
    },
  }
}

/** Wraps a relay so that topics in link mode bypass it. */
export function withLinkRoutes(relay: Relay, links: LinkRoutes, openLink: (url: string) => void): Relay {
  return {
    ...relay,
    async subscribe(topic) {
      if (links.find(topic) === undefined) await relay.subscribe(topic)
    },
    async publish(topic, message, properties, options) {
      const link = links.find(topic)
      if (link === undefined) return relay.publish(topic, message, properties, options)
      options?.onSent?.()
      openLink(`${link}${link.includes('?') ? '&' : '?'}wc_ev=${message}&topic=${topic}`)
    },
  }
}
