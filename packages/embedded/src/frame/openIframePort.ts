import { LatchkeyError } from '@latchkey/protocol'
import { frameCss, placeFrame, setReachable } from './placeFrame.ts'
import type { FramePort, FramePortListener } from './framePort.ts'

const handshake = '@w3m-app/SYNC_DAPP_DATA'
const ready = '@w3m-frame/READY'

/**
 * Loads the hidden frame into the page and opens a channel to it: window messages first, and a private port once the
 * frame responds through it.
 *
 * @throws LatchkeyError `embedded/unreachable` outside of a page
 */
export function openIframePort(url: URL, { onMessage, loaded }: FramePortListener): FramePort {
  if (typeof document === 'undefined') throw iframeMissing(url)
  const { host, dialog, iframe } = makeElements(url)
  let port: MessagePort | undefined
  let offered: MessagePort | undefined
  let leave: (() => void) | undefined

  const listen = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source !== iframe.contentWindow || origin !== url.origin) return
    if (isReady(data)) forgetPorts()
    else if (port !== undefined) return
    onMessage(data)
  }
  const forgetPorts = (): void => {
    port?.close()
    offered?.close()
    port = offered = undefined
  }
  /** Older frames respond with window messages. The port is used only after the frame has responded through it. */
  const offerPort = (): Transferable[] => {
    const { port1, port2 } = new MessageChannel()
    offered = port1
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      port = port1
      onMessage(data)
    })
    port1.start()
    return [port2]
  }

  addEventListener('message', listen)
  iframe.addEventListener('load', loaded)
  document.body.append(host)

  return {
    post(message) {
      if (!iframe.isConnected || iframe.contentWindow === null) throw iframeMissing(url)
      if (port !== undefined) return port.postMessage(message)
      iframe.contentWindow.postMessage(message, url.origin, message.type === handshake ? offerPort() : [])
    },
    place(element, outside) {
      // A view that slides out gives its place up after the next view has taken the frame over.
      leave?.()
      const leaveThis = placeFrame(dialog, element, outside)
      leave = leaveThis
      return () => {
        if (leave !== leaveThis) return
        leave = undefined
        leaveThis()
      }
    },
    end() {
      removeEventListener('message', listen)
      forgetPorts()
      host.remove()
    },
  }
}

function isReady(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === ready
}

function iframeMissing({ origin }: URL): LatchkeyError {
  return new LatchkeyError('embedded/unreachable', { origin }, { sentence: 'iframe is not set' })
}

type Elements = { host: HTMLElement; dialog: HTMLDialogElement; iframe: HTMLIFrameElement }

/**
 * Creates the iframe in a dialog. Moving an iframe reloads it, so it stays where it is shown. The shadow root keeps the
 * page's styles away from the consent. The iframe itself is a slotted child of the host: windows of identity providers
 * find the frames of their opener, but none in a shadow tree.
 */
function makeElements({ href, origin }: URL): Elements {
  const host = document.createElement('latchkey-frame')
  const dialog = document.createElement('dialog')
  const iframe = document.createElement('iframe')
  iframe.id = 'latchkey-frame'
  iframe.title = 'Latchkey'
  iframe.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
  )
  iframe.allow = `publickey-credentials-get ${origin}; publickey-credentials-create ${origin}; clipboard-write ${origin}`
  iframe.referrerPolicy = 'strict-origin'
  iframe.src = href
  dialog.setAttribute('aria-label', iframe.title)
  dialog.append(document.createElement('slot'))
  host.append(iframe)
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(frameCss)
  root.adoptedStyleSheets = [sheet]
  root.append(dialog)
  setReachable(dialog, false)
  // Set through the CSSOM: a strict content security policy forbids style attributes.
  host.style.setProperty('all', 'initial', 'important')
  return { host, dialog, iframe }
}
