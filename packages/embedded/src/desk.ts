import { systemClock, type Connection, type EndReason, type LoginState } from '@latchkey/core'
import { frameTimes, type Network } from '@latchkey/protocol'
import { createConsents, refusalOf, type Consents } from './consents.ts'
import { createFrame, type Frame } from './frame.ts'
import { accentOf, dress, frameUrl, introduce } from './greeting.ts'
import { openIframe } from './iframePort.ts'
import type { LoginMemory } from './memory.ts'
import type { Parts } from './parts.ts'

/** Between these a screen may be high, whatever it would like: in less, the frame takes nothing for an answer. */
const heights = { least: 480, most: 800, usual: 600 }

/** The frame, and the consents that are asked through it. */
export type Desk = Pick<Consents, 'hold' | 'renew' | 'chainOfKinds' | 'isHeld'> & {
  readonly frame: Frame
  /** Shows the frame over an element, in the colours that are set there. */
  place(element: HTMLElement): () => void
  /**
   * Takes up a login that is remembered. What the frame does not know any more, or does not say, is forgotten [R4.1.3].
   */
  restore(networks: readonly Network[], signal: AbortSignal): Promise<readonly Connection[]>
  /** Calls back once, when a provider said who it is; returns what ends that. */
  onceOpening(listener: () => void): () => void
  /** Forgets the login; the consents that stand are over. */
  forget(reason: EndReason): void
}

export function createDesk(parts: Parts, memory: LoginMemory): Desk {
  const { state, name, clock = systemClock, open = openIframe } = parts
  const change = (part: Partial<LoginState>): void => state.set({ ...state.get(), ...part })
  const openings = new Set<() => void>()
  const frame = createFrame({
    clock,
    open,
    url: () => frameUrl(parts, memory),
    introduction: () => introduce(parts),
    look: () => dress(parts, accent),
    listener: {
      screen: ({ open, height = heights.usual }) =>
        change({ screen: open ? { height: Math.min(heights.most, Math.max(heights.least, height)) } : undefined }),
      changed({ isConnected }) {
        if (!isConnected) forget('wallet')
        else consents.renew().catch(() => {})
      },
      opening() {
        for (const listener of openings) listener()
        openings.clear()
      },
      failed(error) {
        parts.failed(error)
        parts.tell({ type: 'blocked' })
      },
    },
  })
  let accent: string | undefined
  parts.look.subscribe(frame.dress)
  const consents = createConsents(frame, parts, memory, change)

  function forget(reason: EndReason): void {
    memory.forget()
    change({ user: undefined, accountType: undefined, screen: undefined })
    consents.end(reason)
  }

  return {
    ...consents,
    frame,
    place(element) {
      const before = accent
      accent = accentOf(element)
      if (accent !== before) frame.dress()
      return frame.place(element)
    },
    onceOpening(listener) {
      openings.add(listener)
      return () => void openings.delete(listener)
    },
    async restore(networks, signal) {
      const options = { milliseconds: frameTimes.login, signal }
      try {
        const { isConnected } = await frame.ask('IS_CONNECTED', undefined, options)
        if (isConnected) return await consents.hold(networks, options)
      } catch (error) {
        // Where the page gave up, the frame did not say anything.
        if (!signal.aborted) forget('wallet')
        throw refusalOf(error, name)
      }
      forget('wallet')
      frame.end()
      return []
    },
    forget,
  }
}
