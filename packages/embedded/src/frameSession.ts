import { systemClock, type Connection, type EndReason, type LoginState } from '@latchkey/core'
import { frameTimes, type Network } from '@latchkey/protocol'
import { createConnections, toConnectionError, type Connections } from './connection/connections.ts'
import type { EmbeddedContext } from './embeddedContext.ts'
import { createFrame, type Frame, type FrameListener } from './frame/frame.ts'
import { accentColorOf, createDappData, createThemeData, frameUrl } from './frame/frameUrl.ts'
import { openIframePort } from './frame/openIframePort.ts'
import type { LoginMemory } from './login/loginMemory.ts'

/** Heights of a screen in CSS pixels. Below the minimum, the frame ignores clicks. */
const screenHeight = { min: 480, max: 800, default: 600 }

/** The frame and the connections made through it. */
export type FrameSession = Pick<Connections, 'connect' | 'renew' | 'activeEvmChain' | 'isConnected'> & {
  readonly frame: Frame
  /** Shows the frame over an element, with the accent colour set there. */
  place(element: HTMLElement): () => void
  /** Restores a remembered login. Forgets it if the frame no longer knows it or doesn't respond [R4.1.3]. */
  restore(networks: readonly Network[], signal: AbortSignal): Promise<readonly Connection[]>
  /** Calls the listener once, as soon as the identity provider has responded. Returns a function that unsubscribes. */
  onceOpening(listener: () => void): () => void
  /** Forgets the login and ends the connections. */
  forget(reason: EndReason): void
}

/**
 * Creates the session with the frame. Opens the frame with the first request.
 *
 * @param memory the login data in the page's storage
 */
export function createFrameSession(dependencies: EmbeddedContext, memory: LoginMemory): FrameSession {
  const { state, name, clock = systemClock, open = openIframePort, appearance } = dependencies
  const change = (part: Partial<LoginState>): void => state.set({ ...state.get(), ...part })
  const openingListeners = new Set<() => void>()
  let accent: string | undefined
  const frame = createFrame({
    clock,
    open,
    url: () => frameUrl(dependencies, memory),
    introduction: () => createDappData(dependencies),
    appearance: () => createThemeData(dependencies, accent),
    listener: createFrameListener(dependencies, openingListeners, {
      change,
      forget: () => forget('wallet'),
      renew: () => connections.renew(),
    }),
  })
  appearance.subscribe(frame.applyLook)
  const connections = createConnections({ ...dependencies, frame, memory, change })

  function forget(reason: EndReason): void {
    memory.forget()
    change({ user: undefined, accountType: undefined, screen: undefined })
    connections.end(reason)
  }

  return {
    ...connections,
    frame,
    forget,
    place(element) {
      const before = accent
      accent = accentColorOf(element)
      if (accent !== before) frame.applyLook()
      return frame.place(element)
    },
    onceOpening(listener) {
      openingListeners.add(listener)
      return () => void openingListeners.delete(listener)
    },
    async restore(networks, signal) {
      const options = { timeoutMs: frameTimes.login, signal }
      try {
        const { isConnected } = await frame.request('IS_CONNECTED', undefined, options)
        if (isConnected) return await connections.connect(networks, options)
      } catch (error) {
        // An aborted request does not show the state of the login.
        if (!signal.aborted) forget('wallet')
        throw toConnectionError(error, name)
      }
      forget('wallet')
      frame.end()
      return []
    },
  }
}

function createFrameListener(
  { failure, emit }: EmbeddedContext,
  openingListeners: Set<() => void>,
  { change, forget, renew }: { change(part: Partial<LoginState>): void; forget(): void; renew(): Promise<void> },
): FrameListener {
  return {
    screen: ({ open, height = screenHeight.default }) =>
      change({ screen: open ? { height: Math.min(screenHeight.max, Math.max(screenHeight.min, height)) } : undefined }),
    changed({ isConnected }) {
      if (!isConnected) forget()
      else renew().catch(() => {})
    },
    opening() {
      for (const listener of openingListeners) listener()
      openingListeners.clear()
    },
    failed(error) {
      failure.set(error)
      emit({ type: 'blocked' })
    },
  }
}
