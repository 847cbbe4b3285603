import { start, type Latchkey } from '@latchkey/core'

import { defineFeature, getFeature } from '@latchkey/core/internal'
import type { Namespace } from '@latchkey/protocol'
import type { Theme } from '@latchkey/react'
import { createStore, type StoreApi } from 'zustand/vanilla'

/** The look of all buttons of an instance, and of its modal. */
export type PageLook = {
  /** `system` if omitted, or the theme that the user chose. */
  theme?: Theme
  /** A BCP 47 tag, or `auto` for the browser's languages. English if omitted. */
  locale?: string
}

/** The buttons that can be mounted. */
export type ButtonKind = 'connect' | 'network' | 'account' | 'wallet'

/** A button in the page. */
export type MountedEntry = {
  readonly key: number
  readonly kind: ButtonKind
  readonly target: Element | ShadowRoot
  readonly props: ButtonValues
}

/** The properties of all kinds of buttons. */
export type ButtonValues = {
  size?: 'md' | 'sm'
  disabled?: boolean
  namespace?: Namespace
  label?: string
  showBalance?: boolean
  wallet?: string
}

/** The buttons of an instance in the page. React renders all of them, with one modal. */
export type Page = { readonly look: PageLook; readonly entries: readonly MountedEntry[] }

type PageFeature = { readonly store: StoreApi<Page>; nextKey: number; users: number; stop: () => void }

const pageFeature = defineFeature((): PageFeature => ({
  store: createStore<Page>(() => ({ look: {}, entries: [] })),
  nextKey: 1,
  users: 0,
  stop: () => {},
}))

/** A button that was added to the page of an instance. */
export type PageEntry = { change(props: ButtonValues): void; remove(): void }

/** Adds a button to the page of an instance. */
export function addEntry(latchkey: Latchkey, entry: Omit<MountedEntry, 'key'>): PageEntry {
  const feature = getFeature(latchkey, pageFeature)
  const { store } = feature
  const key = feature.nextKey
  feature.nextKey += 1
  const setEntries = (change: (entries: readonly MountedEntry[]) => readonly MountedEntry[]): void =>
    store.setState(({ look, entries }) => ({ look, entries: change(entries) }), true)
  setEntries((entries) => [...entries, { ...entry, key }])
  const leave = enterPage(latchkey)
  return {
    change: (props) => setEntries((entries) => entries.map((each) => (each.key === key ? { ...each, props } : each))),
    remove() {
      setEntries((entries) => entries.filter((each) => each.key !== key))
      leave()
    },
  }
}

/**
 * Renders the modal of an instance. The first use starts the instance, and the last one to leave stops it.
 *
 * @returns a function that ends the use
 */
export function enterPage(latchkey: Latchkey): () => void {
  const feature = getFeature(latchkey, pageFeature)
  feature.users += 1
  if (feature.users === 1) feature.stop = startRendering(latchkey, feature.store)
  let isUsed = true
  return () => {
    if (!isUsed) return
    isUsed = false
    // An element that moves in the page leaves and enters at once.
    queueMicrotask(() => {
      feature.users -= 1
      if (feature.users === 0) feature.stop()
    })
  }
}

/** Changes the look of all buttons of an instance. What is undefined stays as it is. */
export function setPageLook(latchkey: Latchkey, look: PageLook): void {
  const changed = Object.fromEntries(Object.entries(look).filter(([, value]) => value !== undefined))
  getFeature(latchkey, pageFeature).store.setState(
    ({ entries, look: before }) => ({ entries, look: { ...before, ...changed } }),
    true,
  )
}

/** Starts an instance, loads React and renders the buttons. */
function startRendering(latchkey: Latchkey, store: StoreApi<Page>): () => void {
  const stopInstance = start(latchkey)
  let isStopped = false
  let stopPage = (): void => {}
  import('./renderPage.tsx').then(
    ({ renderPage }) => {
      if (!isStopped) stopPage = renderPage(latchkey, store)
    },
    // A page without the code shows no buttons. The browser reports the failed request.
    () => {},
  )
  return () => {
    isStopped = true
    stopPage()
    stopInstance()
  }
}
