import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { closeModal, openModal } from '@latchkey/modal'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { ConnectButton } from '../../../button/ConnectButton.tsx'
import { LatchkeyProvider } from '../../../LatchkeyProvider.tsx'
import { emulatePreferences } from '../../../testing/emulatePreferences.ts'
import { waitForAnimations, modalRoot, renderModal } from '../../../testing/renderModal.tsx'

const scrollbar = 15

beforeEach(() => page.viewport(1024, 768))

/** Gives the page a scrollbar that takes space, as on Windows and Linux. */
function addScrollbar(css = ''): void {
  const style = document.createElement('style')
  style.textContent = `html{overflow-y:scroll}html::-webkit-scrollbar{width:${scrollbar}px}body{margin:0;min-block-size:3000px}${css}`
  document.head.append(style)
  onTestFinished(() => style.remove())
}

function edgesOf(element: Element | null | undefined): readonly (number | undefined)[] {
  const box = element?.getBoundingClientRect()
  return [box?.left, box?.right]
}

test.each(['', 'html{scrollbar-gutter:stable}', 'html{padding-right:10px}', 'html{direction:rtl}'])(
  'the backdrop covers the scrollbar, and the page does not shift: %s',
  async (css) => {
    addScrollbar(css)
    expect(innerWidth - document.documentElement.clientWidth).toBe(scrollbar)
    const before = edgesOf(document.body)
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    await renderModal(latchkey)
    await waitForAnimations()
    expect(edgesOf(modalRoot().querySelector('dialog'))).toEqual([0, innerWidth])
    expect(edgesOf(document.body)).toEqual(before)
    closeModal(latchkey)
    await expect.poll(() => getComputedStyle(document.documentElement).overflowY).not.toBe('hidden')
    expect(edgesOf(document.body)).toEqual(before)
  },
)

test('the page scrolls again when two modals are open and the first one closes first', async () => {
  const [one, other] = [fakeWorld(), fakeWorld()]
  const children = (
    <LatchkeyProvider latchkey={other.latchkey}>
      <ConnectButton />
    </LatchkeyProvider>
  )
  await renderModal(one.latchkey, undefined, { children })
  openModal(other.latchkey)
  const dialogs = (): number =>
    [...document.querySelectorAll('latchkey-modal')].filter((host) => host.shadowRoot?.querySelector('dialog[open]'))
      .length
  const overflow = (): string => getComputedStyle(document.documentElement).overflowY
  await expect.poll(dialogs).toBe(2)
  closeModal(one.latchkey)
  await expect.poll(dialogs).toBe(1)
  expect(overflow()).toBe('hidden')
  closeModal(other.latchkey)
  await expect.poll(overflow).toBe('visible')
})

test('styles that the page changes while the modal is open stay', async () => {
  const { style } = document.documentElement
  onTestFinished(() => void (style.overflow = ''))
  style.overflow = 'hidden'
  const { latchkey } = fakeWorld()
  await renderModal(latchkey)
  style.overflow = ''
  closeModal(latchkey)
  await expect.poll(() => getComputedStyle(document.documentElement).overflowY).toBe('visible')
})

test('the sheet on a phone covers the whole width of a page with a scrollbar [R2.2.9]', async () => {
  await page.viewport(390, 844)
  addScrollbar()
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await renderModal(latchkey)
  await waitForAnimations()
  expect(edgesOf(modalRoot().querySelector('.card'))).toEqual([0, 390])
})

test('the sheet on a phone slides in from below, although the browser scrolls to what it focuses [R2.2.9]', async () => {
  await emulatePreferences({ name: 'prefers-reduced-motion', value: 'no-preference' })
  await page.viewport(390, 844)
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await renderModal(latchkey)
  closeModal(latchkey)
  await waitForAnimations()
  const dialog = modalRoot().querySelector('dialog')
  openModal(latchkey)
  await expect.poll(() => dialog?.open).toBe(true)
  const scrolled: (number | undefined)[] = []
  while (scrolled.length < 10) {
    scrolled.push(dialog?.scrollTop)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  expect(new Set(scrolled)).toEqual(new Set([0]))
})
