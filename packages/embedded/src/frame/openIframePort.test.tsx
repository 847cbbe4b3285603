import { expect, onTestFinished, test } from 'vitest'
import { openIframePort } from './openIframePort.ts'
import type { FramePort } from './framePort.ts'

const ready = { type: '@w3m-frame/READY' }

type World = { port: FramePort; onMessage: unknown[]; inside: Window; iframe: HTMLIFrameElement }

/** A frame of the same origin, so that a test can act for it. */
async function setUp(): Promise<World> {
  const onMessage: unknown[] = []
  const loads: unknown[] = []
  const port = openIframePort(new URL('/__frame', location.origin), {
    onMessage: (data) => void onMessage.push(data),
    loaded: () => void loads.push(true),
  })
  onTestFinished(port.end)
  const iframe = document.querySelector<HTMLIFrameElement>('latchkey-frame > iframe') ?? undefined
  if (iframe === undefined) throw new Error('There is no frame.')
  await expect.poll(() => loads.length).toBeGreaterThan(0)
  const inside = iframe.contentWindow
  if (inside === null) throw new Error('The frame has no window.')
  return { port, onMessage, inside, iframe }
}

/** Runs a script inside a window, so that the window is the message's source. */
function run(inside: Window, script: string): void {
  const element = inside.document.createElement('script')
  element.textContent = script
  inside.document.documentElement.append(element)
}

async function waitForMessages(): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, 50))
}

test('only messages from the frame’s window and origin are accepted [I-01]', async () => {
  const { onMessage, inside, iframe } = await setUp()
  window.postMessage(ready, '*')
  const stranger = document.createElement('iframe')
  document.body.append(stranger)
  onTestFinished(() => stranger.remove())
  if (stranger.contentWindow !== null) run(stranger.contentWindow, `parent.postMessage(${JSON.stringify(ready)}, '*')`)
  await waitForMessages()
  expect(onMessage).toEqual([])
  run(inside, `parent.postMessage(${JSON.stringify(ready)}, '*')`)
  await expect.poll(() => onMessage).toEqual([ready])
  // The same window after a navigation to another origin.
  iframe.removeAttribute('sandbox')
  iframe.src = `data:text/html,<script>parent.postMessage(${JSON.stringify(ready)}, '*')</script>`
  await waitForMessages()
  await waitForMessages()
  expect(onMessage).toEqual([ready])
})

test('messages go to the frame’s origin only, and through the port once the frame responds there', async () => {
  const { port, onMessage, inside } = await setUp()
  run(
    inside,
    `addEventListener('message', ({ data, ports: [port] }) => {
      if (port === undefined) return parent.postMessage({ type: 'window', data }, '*')
      port.onmessage = ({ data }) => port.postMessage({ type: 'port', data })
      if (data.keep) port.postMessage({ type: 'taken' })
    })`,
  )
  port.post({ type: '@w3m-app/SYNC_DAPP_DATA' })
  port.post({ type: 'first' })
  // The port has had no response yet.
  await expect.poll(() => onMessage).toEqual([{ type: 'window', data: { type: 'first' } }])
  const offer = { type: '@w3m-app/SYNC_DAPP_DATA', keep: true }
  port.post(offer)
  await expect.poll(() => onMessage.at(-1)).toEqual({ type: 'taken' })
  port.post({ type: 'second' })
  await expect.poll(() => onMessage.at(-1)).toEqual({ type: 'port', data: { type: 'second' } })
  // From now on window messages are ignored.
  run(inside, `parent.postMessage({ type: '@w3m-frame/CHANGED' }, '*')`)
  await waitForMessages()
  expect(onMessage.at(-1)).toEqual({ type: 'port', data: { type: 'second' } })
})

test('a page of another origin in the iframe receives no message', async () => {
  const { port, iframe } = await setUp()
  const got: unknown[] = []
  const listen = ({ data }: MessageEvent): void => void got.push(data)
  addEventListener('message', listen)
  onTestFinished(() => removeEventListener('message', listen))
  const script = `onmessage = ({ data }) => parent.postMessage({ received: data }, '*'); parent.postMessage('there', '*')`
  iframe.removeAttribute('sandbox')
  iframe.src = `data:text/html,<script>${script}</script>`
  await expect.poll(() => got).toEqual(['there'])
  port.post({ type: '@w3m-app/CONNECT_OTP' })
  await waitForMessages()
  expect(got).toEqual(['there'])
})

function dialogOf(iframe: HTMLIFrameElement): HTMLElement {
  return iframe.assignedSlot?.parentElement ?? expect.fail('the iframe is in no dialog')
}

/** Returns whether it is visible, clickable and reachable by keyboard: all or none. */
function isReached(iframe: HTMLIFrameElement): boolean {
  const { opacity, visibility, pointerEvents } = getComputedStyle(dialogOf(iframe))
  iframe.focus()
  const { activeElement } = document
  const found = [opacity === '1', visibility === 'visible', pointerEvents !== 'none', activeElement === iframe]
  expect(new Set(found).size).toBe(1)
  return found[0] ?? false
}

test('the iframe is sandboxed, invisible until it is placed, and removed at the end', async () => {
  const { port, iframe } = await setUp()
  expect(iframe.getAttribute('sandbox')).toBe(
    'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
  )
  expect(iframe.referrerPolicy).toBe('strict-origin')
  expect(isReached(iframe)).toBe(false)
  const place = document.createElement('div')
  place.setAttribute(
    'style',
    'position: fixed; left: 40px; top: 30px; width: 330px; height: 490px; border-radius: 9px 9px 12px 13px',
  )
  document.body.append(place)
  onTestFinished(() => place.remove())
  const away = port.place(place, () => {})
  await expect
    .poll(() => iframe.getBoundingClientRect().toJSON())
    .toMatchObject({ left: 40, top: 30, width: 330, height: 490 })
  expect(isReached(iframe)).toBe(true)
  // Square below the modal's header, and round at the modal's corners.
  expect(getComputedStyle(dialogOf(iframe)).borderRadius).toBe('0px 0px 12px 13px')
  place.style.left = '80px'
  await expect.poll(() => iframe.getBoundingClientRect().left).toBe(80)
  away()
  // Drawn nevertheless: hidden frames came back as grey boxes.
  expect(getComputedStyle(iframe).visibility).toBe('visible')
  // Browsers move the focus with the next rendered frame.
  await expect.poll(() => isReached(iframe)).toBe(false)
  port.end()
  expect(iframe.isConnected).toBe(false)
  expect(() => port.post(ready)).toThrow('iframe is not set')
})

test('a frame that was placed elsewhere stays there when the earlier place is released', async () => {
  const { port, iframe } = await setUp()
  const places = [40, 90].map((left) => {
    const place = document.createElement('div')
    place.setAttribute('style', `position: fixed; left: ${left}px; top: 30px; width: 330px; height: 490px`)
    document.body.append(place)
    onTestFinished(() => place.remove())
    return place
  })
  const [leave, leaveLater] = places.map((place) => port.place(place, () => {}))
  leave?.()
  expect(isReached(iframe)).toBe(true)
  await expect.poll(() => iframe.getBoundingClientRect().left).toBe(90)
  leaveLater?.()
  await expect.poll(() => isReached(iframe)).toBe(false)
})

test('styles of the page do not change the iframe [I-09]', async () => {
  const { iframe } = await setUp()
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    'iframe, latchkey-frame > iframe { opacity: 0.1 !important; transform: scale(2); height: 1px !important }',
  )
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  onTestFinished(
    () => void (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)),
  )
  const { opacity, transform, height } = getComputedStyle(iframe)
  expect({ opacity, transform, height }).toEqual({ opacity: '1', transform: 'none', height: '600px' })
})

test('a window that the page opened finds the frame, which receives messages for its origin [A-21]', async () => {
  const { inside } = await setUp()
  expect([...Array(window.length).keys()].map((index) => window[index])).toContain(inside)
})
