import { LatchkeyError } from '@latchkey/protocol'
import { frameCss, placeFrame, setReachable } from './placeFrame.ts'
import type { FramePort, FramePortListener } from './port.ts'

const handshake = '@w3m-app/SYNC_DAPP_DATA'
const ready = '@w3m-frame/READY'

/**
 * Loads the frame into the page, where nobody sees it, and speaks with it: by messages between the windows at first, and
 * through a port of their own as soon as it answers there, which nobody else can listen to.
 *
 * @throws LatchkeyError `embedded/unreachable` where there is no page
 */
export function openIframe(url: URL, { heard, loaded }: FramePortListener): FramePort {
  if (typeof document === 'undefined') throw unset(url)
  const { host, dialog, iframe } = makeElements(url)
  let port: MessagePort | undefined
  let offered: MessagePort | undefined

  const listen = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source !== iframe.contentWindow || origin !== url.origin) return
    if (isReady(data)) forgetPorts()
    else if (port !== undefined) return
    heard(data)
  }
  const forgetPorts = (): void => {
    port?.close()
    offered?.close()
    port = offered = undefined
  }
  /** Older frames know nothing of ports and answer by message: nothing is said through one before it was answered there. */
  const offerPort = (): Transferable[] => {
    const { port1, port2 } = new MessageChannel()
    offered = port1
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      port = port1
      heard(data)
    })
    port1.start()
    return [port2]
  }

  addEventListener('message', listen)
  iframe.addEventListener('load', loaded)
  document.body.append(host)

  return {
    post(message) {
      if (!iframe.isConnected || iframe.contentWindow === null) throw unset(url)
      if (port !== undefined) return port.postMessage(message)
      iframe.contentWindow.postMessage(message, url.origin, message.type === handshake ? offerPort() : [])
    },
    place: (element, outside) => placeFrame(dialog, element, outside),
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

function unset({ origin }: URL): LatchkeyError {
  return new LatchkeyError('embedded/unreachable', { origin }, { sentence: 'iframe is not set' })
}

type Elements = { host: HTMLElement; dialog: HTMLDialogElement; iframe: HTMLIFrameElement }

/**
 * The iframe, and a dialog around it: moving an iframe in the page would load it anew, so it lives where it is shown. Both
 * are in a shadow root, where no style of the page reaches what asks for consent.
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
  dialog.append(iframe)
  setReachable(dialog, false)
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(frameCss)
  root.adoptedStyleSheets = [sheet]
  root.append(dialog)
  // By the object model: pages whose policy has no inline styles allow that, and no attribute.
  host.style.setProperty('all', 'initial', 'important')
  return { host, dialog, iframe }
}
