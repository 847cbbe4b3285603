import { expect, onTestFinished, test } from 'vitest'
import { openIframe } from './iframePort.ts'
import type { FramePort } from './port.ts'

const ready = { type: '@w3m-frame/READY' }

type World = { port: FramePort; heard: unknown[]; inside: Window; iframe: HTMLIFrameElement }

/** A frame of this very origin, so that a test can speak for it. */
async function setUp(): Promise<World> {
  const heard: unknown[] = []
  const loads: unknown[] = []
  const port = openIframe(new URL('/__frame', location.origin), {
    heard: (data) => void heard.push(data),
    loaded: () => void loads.push(true),
  })
  onTestFinished(port.end)
  const iframe = document.querySelector('latchkey-frame')?.shadowRoot?.querySelector('iframe') ?? undefined
  if (iframe === undefined) throw new Error('There is no frame.')
  await expect.poll(() => loads.length).toBeGreaterThan(0)
  const inside = iframe.contentWindow
  if (inside === null) throw new Error('The frame has no window.')
  return { port, heard, inside, iframe }
}

/** Has a window's own script run something, so that it is the source of what it says. */
function run(inside: Window, script: string): void {
  const element = inside.document.createElement('script')
  element.textContent = script
  inside.document.documentElement.append(element)
}

async function passed(): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, 50))
}

test('only what the frame’s own window says from the frame’s own origin is heard [I-01]', async () => {
  const { heard, inside, iframe } = await setUp()
  window.postMessage(ready, '*')
  const stranger = document.createElement('iframe')
  document.body.append(stranger)
  onTestFinished(() => stranger.remove())
  if (stranger.contentWindow !== null) run(stranger.contentWindow, `parent.postMessage(${JSON.stringify(ready)}, '*')`)
  await passed()
  expect(heard).toEqual([])
  run(inside, `parent.postMessage(${JSON.stringify(ready)}, '*')`)
  await expect.poll(() => heard).toEqual([ready])
  // The same window on another origin: it was led elsewhere.
  iframe.removeAttribute('sandbox')
  iframe.src = `data:text/html,<script>parent.postMessage(${JSON.stringify(ready)}, '*')</script>`
  await passed()
  await passed()
  expect(heard).toEqual([ready])
})

test('what is said goes to that origin alone, and through a port once the frame answers there', async () => {
  const { port, heard, inside } = await setUp()
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
  // Nothing was answered through the port so far.
  await expect.poll(() => heard).toEqual([{ type: 'window', data: { type: 'first' } }])
  const offer = { type: '@w3m-app/SYNC_DAPP_DATA', keep: true }
  port.post(offer)
  await expect.poll(() => heard.at(-1)).toEqual({ type: 'taken' })
  port.post({ type: 'second' })
  await expect.poll(() => heard.at(-1)).toEqual({ type: 'port', data: { type: 'second' } })
  // From now on the windows say nothing that counts.
  run(inside, `parent.postMessage({ type: '@w3m-frame/CHANGED' }, '*')`)
  await passed()
  expect(heard.at(-1)).toEqual({ type: 'port', data: { type: 'second' } })
})

test('a page of another origin in its place is told nothing', async () => {
  const { port, iframe } = await setUp()
  const got: unknown[] = []
  const listen = ({ data }: MessageEvent): void => void got.push(data)
  addEventListener('message', listen)
  onTestFinished(() => removeEventListener('message', listen))
  const script = `onmessage = ({ data }) => parent.postMessage({ told: data }, '*'); parent.postMessage('there', '*')`
  iframe.removeAttribute('sandbox')
  iframe.src = `data:text/html,<script>${script}</script>`
  await expect.poll(() => got).toEqual(['there'])
  port.post({ type: '@w3m-app/CONNECT_OTP' })
  await passed()
  expect(got).toEqual(['there'])
})

/** Whether anybody sees it, presses it or comes to it by keys: all of that, or none. */
function isReached(iframe: HTMLIFrameElement): boolean {
  const { opacity, visibility, pointerEvents } = getComputedStyle(iframe.parentElement ?? iframe)
  iframe.focus()
  const { activeElement } = iframe.getRootNode() as ShadowRoot
  const found = [opacity === '1', visibility === 'visible', pointerEvents !== 'none', activeElement === iframe]
  expect(new Set(found).size).toBe(1)
  return found[0] ?? false
}

test('it is bounded, unseen until it is placed, and gone with its end', async () => {
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
  // Square where the header of the modal ends, and round where its card does.
  expect(iframe.parentElement && getComputedStyle(iframe.parentElement).borderRadius).toBe('0px 0px 12px 13px')
  place.style.left = '80px'
  await expect.poll(() => iframe.getBoundingClientRect().left).toBe(80)
  away()
  // Drawn all the same: hidden ones were grey at times when they were wanted again.
  expect(getComputedStyle(iframe).visibility).toBe('visible')
  // Browsers take the focus away with the next frame that they draw.
  await expect.poll(() => isReached(iframe)).toBe(false)
  port.end()
  expect(iframe.isConnected).toBe(false)
  expect(() => port.post(ready)).toThrow('iframe is not set')
})
