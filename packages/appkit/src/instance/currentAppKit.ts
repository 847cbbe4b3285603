import { createErrors, type LatchkeyError } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { MountedElement } from '../elements/mountedElement.ts'
import type { AppKit } from './appKit.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'appkit/missing': object
  }
}

const appKitError = createErrors({
  'appkit/missing': () =>
    'Call createAppKit in module scope before you use hooks, composables or components of AppKit.',
})

// This file has the only state in module scope of all packages, because apps of AppKit call hooks without a provider. See
// docs/decisions/hooks-of-the-compatibility-package-find-one-instance.md.

/** The instance that was created last. Hooks, composables and elements use it. */
export const currentAppKit: StoreApi<{ readonly appKit: AppKit | undefined }> = createStore<{
  readonly appKit: AppKit | undefined
}>(() => ({ appKit: undefined }))

/** The custom elements in the page. The browser defines an element once, so they outlive an instance. */
export const mountedElements: StoreApi<readonly MountedElement[]> = createStore<readonly MountedElement[]>(() => [])

/**
 * Returns the instance that was created last.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 */
export function requireAppKit(): AppKit {
  const { appKit } = currentAppKit.getState()
  if (appKit === undefined) throw currentAppKitMissing()
  return appKit
}

/** Creates the error `appkit/missing`. */
export function currentAppKitMissing(): LatchkeyError {
  return appKitError('appkit/missing', {})
}
