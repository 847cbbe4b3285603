import { frameEvent, parseFrameRequest } from '@latchkey/protocol'
import { isAllowedOrigin } from './isAllowedOrigin.ts'

/** The channel to the embedding page. */
export type HostPage = {
  /** Pinned origin of the page. `undefined` before its first message. */
  origin(): string | undefined
  /** Sends a message to the page only. Does nothing before the page's first message. */
  send(message: object): void
}

/** The part of `window` that the handshake needs. */
export type FrameWindow = {
  readonly self: unknown
  readonly parent: { postMessage(message: unknown, target: string): void }
  readonly top: unknown
  readonly location: { readonly ancestorOrigins?: Iterable<string> }
  readonly document: { readonly referrer: string }
  addEventListener(type: 'message', onMessage: (event: HostMessage) => void): void
}

export type HostMessage = {
  readonly source: unknown
  readonly origin: string
  readonly data: unknown
  readonly ports: readonly HostPort[]
}

type HostPort = {
  postMessage(message: unknown): void
  addEventListener(type: 'message', onMessage: (event: { readonly data: unknown }) => void): void
  start(): void
}

export type HostPageOptions = {
  readonly window: FrameWindow
  readonly allowedOrigins: readonly string[]
  readonly projectId: string
  /** Receives the messages of the verified page. */
  onMessage(data: unknown): void
}

/**
 * Opens the channel to the embedding page. The page has to be this window's parent and on the allow-list, and so do all
 * its ancestors. The first valid message pins its origin permanently. If SYNC_DAPP_DATA brings a port, all further
 * messages use it, where no other script of the window can listen.
 *
 * @returns `undefined` if the page may not embed the frame. Nothing is sent then.
 */
export function openHostPage({ window, allowedOrigins, projectId, onMessage }: HostPageOptions): HostPage | undefined {
  const { parent } = window
  const ancestors = window.location.ancestorOrigins && [...window.location.ancestorOrigins]
  if (parent === window.self) return undefined
  // Without `ancestorOrigins`, the parent has to be the top window.
  if (
    ancestors === undefined ? parent !== window.top : !ancestors.every((each) => isAllowedOrigin(each, allowedOrigins))
  ) {
    return undefined
  }
  const expected = ancestors?.[0] ?? originOf(window.document.referrer)
  let pinned: string | undefined
  let port: HostPort | undefined

  window.addEventListener('message', ({ source, origin, data, ports: [offered] }) => {
    if (source !== parent || port !== undefined || origin !== (pinned ?? expected ?? origin)) return
    if (!isAllowedOrigin(origin, allowedOrigins)) return
    const request = parseFrameRequest(data)
    if (request === undefined) return
    pinned = origin
    if (offered !== undefined && isGreeting(request, projectId)) {
      port = offered
      port.addEventListener('message', (event) => onMessage(event.data))
      port.start()
    }
    onMessage(data)
  })

  if (expected !== undefined && isAllowedOrigin(expected, allowedOrigins)) {
    parent.postMessage(frameEvent('READY', {}), expected)
  }
  return {
    origin: () => pinned,
    send(message) {
      if (port !== undefined) port.postMessage(message)
      else if (pinned !== undefined) parent.postMessage(message, pinned)
    },
  }
}

function isGreeting(request: NonNullable<ReturnType<typeof parseFrameRequest>>, projectId: string): boolean {
  return request.name === 'SYNC_DAPP_DATA' && 'payload' in request && request.payload.projectId === projectId
}

function originOf(address: string): string | undefined {
  try {
    const { origin } = new URL(address)
    return origin === 'null' ? undefined : origin
  } catch {
    return undefined
  }
}
