import { createLatchkey, hydrate, memoryStorage } from '@latchkey/core'
import { fakeAdapter } from '@latchkey/core/fakes'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { ConnectButton, LatchkeyProvider, NetworkButton, WalletButton } from '../index.ts'

test('the buttons of a server have their size before the code of the page runs, and keep it', async () => {
  const errors: unknown[] = []
  const latchkey = createLatchkey({ adapters: [fakeAdapter()], storage: memoryStorage() })
  hydrate(latchkey)
  const page = (
    <LatchkeyProvider latchkey={latchkey}>
      <ConnectButton />
      <NetworkButton />
      <WalletButton wallet="metamask" />
    </LatchkeyProvider>
  )
  const container = document.createElement('div')
  // A common way to space elements: the styles must not count as a sibling of the buttons.
  const spacing = document.createElement('style')
  spacing.textContent = '.spaced > :not([hidden]) ~ :not([hidden]) { margin-inline-start: 20px }'
  document.head.append(spacing)
  onTestFinished(() => spacing.remove())
  container.className = 'spaced'
  container.innerHTML = renderToString(page)
  document.body.append(container)
  const before = boxesOf(container)
  expect(before[0]?.height).toBe(44)

  const root = hydrateRoot(container, page, { onRecoverableError: (error) => errors.push(error) })
  onTestFinished(() => {
    root.unmount()
    container.remove()
  })
  await expect.poll(() => container.querySelector('style')).toBeNull()
  expect(boxesOf(container)).toEqual(before)
  expect(errors).toEqual([])
})

/** Plain objects: the properties of a `DOMRect` are inherited, so any two of them count as equal. */
function boxesOf(container: HTMLElement): { x: number; y: number; width: number; height: number }[] {
  return [...container.querySelectorAll('button')].map((button) => {
    const { x, y, width, height } = button.getBoundingClientRect()
    return { x, y, width, height }
  })
}
