import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { openModal } from '@latchkey/modal'
import { Suspense, useState, type ReactElement } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ConnectButton } from './button/ConnectButton.tsx'
import { LatchkeyEmbed } from './LatchkeyEmbed.tsx'
import { renderApp } from './testing/renderModal.tsx'

const never = new Promise<never>(() => {})

function Elsewhere(): ReactElement {
  // Suspends in every version of React.
  throw never
}

/** A page with the modal in it, and a link to one that takes its time. */
function Pages(): ReactElement {
  const [left, setLeft] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setLeft(true)}>
        Leave
      </button>
      <Suspense>{left ? <Elsewhere /> : <LatchkeyEmbed />}</Suspense>
    </>
  )
}

test('an embedded modal that unmounts is replaced by the floating one at once', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderApp(latchkey, { children: <Pages /> })
  await expect.element(screen.getByRole('region', { name: 'Connect wallet' })).toBeVisible()
  await screen.getByRole('button', { name: 'Leave' }).click()
  openModal(latchkey)
  await expect.element(screen.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
})

test('an embedded modal that is off screen is scrolled to when a button opens it', async () => {
  await page.viewport(390, 844)
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const children = (
    <>
      <ConnectButton />
      <div style={{ blockSize: 3_000 }} />
      <LatchkeyEmbed />
    </>
  )
  const screen = await renderApp(latchkey, { children })
  const region = screen.getByRole('region', { name: 'Connect wallet' })
  await expect.element(region).toBeInTheDocument()
  await expect.element(region).not.toBeInViewport()
  await screen.getByRole('button', { name: 'Connect' }).click()
  await expect.element(region).toBeInViewport()
  await expect.poll(() => scrollY).toBeGreaterThan(2_000)
})
