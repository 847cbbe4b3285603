import { connect } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeWorld, type FakeWorld } from '@latchkey/core/fakes'
import { sendState } from '@latchkey/core/money'
import { closeModal } from '@latchkey/modal'
import axe from 'axe-core'
import { encode } from 'uqr'
import { expect, onTestFinished, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { RenderResult } from 'vitest-browser-react'
import { waitForAnimations, modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { fakeTransfers } from '../../../../testing/fakeTransfers.ts'

const bob = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb0b0b'

/** Draws a QR code with a margin. */
function draw(text: string, canvas = document.createElement('canvas')): HTMLCanvasElement {
  const { data, size } = encode(text, { border: 4 })
  const module = 6
  Object.assign(canvas, { width: size * module, height: size * module })
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The canvas has no context.')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  data.forEach((row, y) =>
    row.forEach((isDark, x) => isDark && context.fillRect(x * module, y * module, module, module)),
  )
  return canvas
}

/** Replaces the camera until the test is over. */
function replaceCamera(getUserMedia: MediaDevices['getUserMedia']): void {
  const { mediaDevices } = navigator
  const before = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = getUserMedia
  onTestFinished(() => void (mediaDevices.getUserMedia = before))
}

type Generator = MediaStreamTrack & { readonly writable: WritableStream<VideoFrame> }

/** A camera that films a code, or a blank picture. */
function fakeCamera(text: string | undefined): readonly MediaStreamTrack[] {
  const canvas = draw(text ?? '')
  if (text === undefined) canvas.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height)
  // TypeScript's DOM types don't include it. It sends frames without a camera and without painting.
  const { MediaStreamTrackGenerator } = globalThis as unknown as {
    MediaStreamTrackGenerator: new (options: { kind: 'video' }) => Generator
  }
  const track = new MediaStreamTrackGenerator({ kind: 'video' })
  const writer = track.writable.getWriter()
  let timestamp = 0
  const timer = setInterval(() => {
    timestamp += 33_000
    const frame = new VideoFrame(canvas, { timestamp })
    writer.write(frame).catch(() => frame.close())
  }, 33)
  onTestFinished(() => clearInterval(timer))
  const opened: MediaStreamTrack[] = []
  replaceCamera(async () => {
    // Each request opens the camera again. Strict mode requests it twice.
    const stream = new MediaStream([track]).clone()
    opened.push(...stream.getTracks())
    return stream
  })
  return opened
}

const listTrackStates = (tracks: readonly MediaStreamTrack[]): readonly string[] => [
  ...new Set(tracks.map(({ readyState }) => readyState)),
]

async function renderView(): Promise<FakeWorld & { screen: RenderResult }> {
  const adapter = fakeAdapter()
  fakeTransfers(adapter)
  const world = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()] })
  await connect(world.latchkey, 'fake')
  const screen = await renderModal(world.latchkey, { view: 'WalletSend', params: {} })
  await screen.getByRole('button', { name: 'Scan a QR code' }).click()
  return { ...world, screen }
}

const getForm = ({ latchkey }: FakeWorld) => sendState(latchkey).getState()

test('the camera reads a payment link into the form, and is stopped', async () => {
  const tracks = fakeCamera(`ethereum:${bob}@1?value=15e17`)
  const world = await renderView()
  await expect.element(world.screen.getByRole('heading', { name: 'Send' })).toBeVisible()
  await expect.poll(() => getForm(world).receiverAddress).toBe(bob)
  expect(getForm(world).amount).toBe('1.5')
  expect(listTrackStates(tracks)).toEqual(['ended'])
})

test('closing the modal stops the camera', async () => {
  const tracks = fakeCamera(undefined)
  const world = await renderView()
  await expect.element(world.screen.getByRole('heading', { name: 'QR code' })).toBeVisible()
  await expect.element(world.screen.getByText(/Point the camera/)).toBeVisible()
  expect(listTrackStates(tracks)).toContain('live')
  await waitForAnimations()
  expect((await axe.run(modalRoot().host as HTMLElement)).violations.map(({ id }) => id)).toEqual([])
  closeModal(world.latchkey)
  await expect
    .poll(() => {
      world.clock.advance(1_000)
      return listTrackStates(tracks)
    })
    .toEqual(['ended'])
})

test('a camera that opens after the user left is stopped', async () => {
  const canvas = draw('late')
  const stream = canvas.captureStream(30)
  let open: ((stream: MediaStream) => void) | undefined
  replaceCamera(() => new Promise((resolve) => void (open = resolve)))
  const { screen } = await renderView()
  await expect.element(screen.getByText(/Waiting for the camera/)).toBeVisible()
  await screen.getByRole('button', { name: 'Back' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Send' })).toBeVisible()
  await expect.poll(() => modalRoot().querySelector('video')).toBeNull()
  open?.(stream)
  await expect.poll(() => stream.getTracks().map(({ readyState }) => readyState)).toEqual(['ended'])
})

test.each([
  ['NotAllowedError', /camera is blocked\. Allow/],
  ['NotFoundError', /No camera is available here/],
])('%s is explained, and an image of a code can be chosen', async (name, text) => {
  replaceCamera(async () => Promise.reject(new DOMException('no', name)))
  const world = await renderView()
  await expect.element(world.screen.getByText(text)).toBeVisible()
  const blob = await new Promise<Blob | null>((resolve) => draw(`eip155:1:${bob}`).toBlob(resolve))
  if (blob === null) throw new Error('The code was not drawn.')
  const input = world.screen.getByLabelText('Choose an image')
  await userEvent.upload(input, new File([new Uint8Array([1, 2])], 'broken.png', { type: 'image/png' }))
  await expect.element(world.screen.getByText(/No QR code was found in this image/)).toBeVisible()
  await userEvent.upload(input, new File([blob], 'code.png', { type: 'image/png' }))
  await expect.poll(() => getForm(world).receiverAddress).toBe(bob)
})

test('a code with a link to a site or a script is only text in the field', async () => {
  fakeCamera('javascript:alert(1)')
  const before = location.href
  const world = await renderView()
  await expect.poll(() => getForm(world).receiver).toBe('javascript:alert(1)')
  await expect.element(world.screen.getByText(/This is not an address on/)).toBeVisible()
  expect([getForm(world).receiverAddress, location.href]).toEqual([undefined, before])
})

test('an account of another network is refused with the reason', async () => {
  fakeCamera(`eip155:2:${bob}`)
  const world = await renderView()
  await expect.poll(() => getForm(world).linkProblem).toEqual({ kind: 'other-network', chainId: 'eip155:2' })
  expect(getForm(world).receiverAddress).toBeUndefined()
})
