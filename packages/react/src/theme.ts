import type { Latchkey } from '@latchkey/core'
import { defineFeature, getFeature, internalsOf } from '@latchkey/core/internal'
import { createStore, type StoreApi } from 'zustand/vanilla'

/** Light, dark, or the preference of the system. */
export type Theme = 'light' | 'dark' | 'system'

const themeStore = defineFeature(() => createStore<{ theme: Theme | undefined }>(() => ({ theme: undefined })))

/** The theme that the user chose on this device. It is read from storage once the instance is used in a page. */
export function chosenTheme(latchkey: Latchkey): StoreApi<{ theme: Theme | undefined }> {
  return getFeature(latchkey, themeStore)
}

/** Restores the theme of an earlier visit. */
export function restoreTheme(latchkey: Latchkey): void {
  const saved = internalsOf(latchkey).memory.theme()
  if (saved === 'light' || saved === 'dark' || saved === 'system')
    chosenTheme(latchkey).setState({ theme: saved }, true)
}
