import type { Latchkey } from '@latchkey/core'
import { openModal, type ViewEntry } from '@latchkey/modal'
import { StrictMode } from 'react'
import { expect } from 'vitest'
import { render, type RenderResult } from 'vitest-browser-react'
import { ConnectButton } from '../button/ConnectButton.tsx'
import { LatchkeyProvider, type LatchkeyProviderProps } from '../LatchkeyProvider.tsx'

type ProviderProps = Omit<LatchkeyProviderProps, 'latchkey'>

/** Renders an app with a connect button, in React's strict mode. */
export function renderApp(
  latchkey: Latchkey,
  { children = <ConnectButton />, ...look }: ProviderProps = {},
): Promise<RenderResult> {
  return render(
    <StrictMode>
      <LatchkeyProvider latchkey={latchkey} {...look}>
        {children}
      </LatchkeyProvider>
    </StrictMode>,
  )
}

/** Renders an app and opens its modal, with a view or the default one. */
export async function renderModal(latchkey: Latchkey, entry?: ViewEntry, look?: ProviderProps): Promise<RenderResult> {
  const screen = await renderApp(latchkey, look)
  openModal(latchkey, { entry })
  await expect.element(screen.getByRole('dialog')).toBeVisible()
  await expect.element(screen.getByRole('dialog').getByRole('heading', { level: 1 })).toBeInTheDocument()
  return screen
}

/** Returns the shadow root of the modal. */
export function modalRoot(): ShadowRoot {
  const root = document.querySelector('latchkey-modal')?.shadowRoot
  if (root === undefined || root === null) throw new Error('The modal is not rendered yet.')
  return root
}

/** Waits until all animations have ended. */
export async function waitForAnimations(): Promise<void> {
  // Animations start in the next frame.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const motions = modalRoot()
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
  await Promise.allSettled(motions.map(({ finished }) => finished))
}
