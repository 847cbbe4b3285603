import { openModal, type Latchkey, type ViewEntry } from '@latchkey/core'
import { StrictMode } from 'react'
import { expect } from 'vitest'
import { render, type RenderResult } from 'vitest-browser-react'
import { ConnectButton } from '../button/ConnectButton.tsx'
import { LatchkeyProvider, type LatchkeyProviderProps } from '../LatchkeyProvider.tsx'

type Look = Omit<LatchkeyProviderProps, 'latchkey'>

/** Draws an app with a connect button, twice over as React's strict mode does. */
export function drawn(latchkey: Latchkey, { children = <ConnectButton />, ...look }: Look = {}): Promise<RenderResult> {
  return render(
    <StrictMode>
      <LatchkeyProvider latchkey={latchkey} {...look}>
        {children}
      </LatchkeyProvider>
    </StrictMode>,
  )
}

/** Draws an app and opens its modal, with the view that fits the situation unless told otherwise. */
export async function opened(latchkey: Latchkey, entry?: ViewEntry, look?: Look): Promise<RenderResult> {
  const screen = await drawn(latchkey, look)
  openModal(latchkey, { entry })
  await expect.element(screen.getByRole('dialog')).toBeVisible()
  await expect.element(screen.getByRole('dialog').getByRole('heading', { level: 1 })).toBeInTheDocument()
  return screen
}

/** The shadow root that the modal is drawn in. */
export function modalRoot(): ShadowRoot {
  const root = document.querySelector('latchkey-modal')?.shadowRoot
  if (root === undefined || root === null) throw new Error('No modal was drawn yet.')
  return root
}

/** Waits until nothing moves any more. */
export async function atRest(): Promise<void> {
  // A change shows its motion in the next frame.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const motions = modalRoot()
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
  await Promise.allSettled(motions.map(({ finished }) => finished))
}
