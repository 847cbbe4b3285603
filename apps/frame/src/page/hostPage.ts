import { frameNews, readFrameRequest } from '@latchkey/protocol'
import { isAllowedOrigin } from './allowedOrigin.ts'

/** A way to the page that embeds this one. */
export type FramePort = {
  /** The page's true origin, from its first message on. */
  origin(): string | undefined
  /** Says something to the page, and to nobody else; nothing before the page has spoken. */
  say(message: object): void
}

/** What of the window the handshake needs. */
export type FrameWindow = {
  readonly self: unknown
  readonly parent: { postMessage(message: unknown, target: string): void }
  readonly top: unknown
  readonly location: { readonly ancestorOrigins?: Iterable<string> }
  readonly document: { readonly referrer: string }
  addEventListener(type: 'message', heard: (event: HostMessage) => void): void
}

export type HostMessage = {
  readonly source: unknown
  readonly origin: string
  readonly data: unknown
  readonly ports: readonly HostPort[]
}

type HostPort = {
  postMessage(message: unknown): void
  addEventListener(type: 'message', heard: (event: { readonly data: unknown }) => void): void
  start(): void
}

export type HostPageParts = {
  readonly window: FrameWindow
  readonly allowedOrigins: readonly string[]
  readonly projectId: string
  /** What the page says, once it is known to be the page. */
  heard(data: unknown): void
}

/**
 * Shakes hands with the page that embeds this one. Only a page of the allow-list is answered, which is this page's own
 * parent, and whose own parents are of the list, too. The first message that makes sense pins its origin for good; a
 * page that brings a port with SYNC_DAPP_DATA is spoken with by that from then on, where no other script of the window
 * hears it.
 *
 * @returns undefined, and nobody is told anything, where the page may not be embedded as it is
 */
export function openHostPage({ window, allowedOrigins, projectId, heard }: HostPageParts): FramePort | undefined {
  const { parent } = window
  const ancestors = window.location.ancestorOrigins && [...window.location.ancestorOrigins]
  if (parent === window.self) return undefined
  // Where the browser does not say who is above the parent, there must be nobody.
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
    const request = readFrameRequest(data)
    if (request === undefined) return
    pinned = origin
    if (offered !== undefined && isGreeting(request, projectId)) {
      port = offered
      port.addEventListener('message', (event) => heard(event.data))
      port.start()
    }
    heard(data)
  })

  if (expected !== undefined && isAllowedOrigin(expected, allowedOrigins)) {
    parent.postMessage(frameNews('READY', {}), expected)
  }
  return {
    origin: () => pinned,
    say(message) {
      if (port !== undefined) port.postMessage(message)
      else if (pinned !== undefined) parent.postMessage(message, pinned)
    },
  }
}

function isGreeting(request: NonNullable<ReturnType<typeof readFrameRequest>>, projectId: string): boolean {
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
