import { start, type Latchkey } from '@latchkey/core'
import { defineFeature, type FeatureKey } from '@latchkey/core/internal'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ButtonValues, MountedEntry, Page, PageLook } from './mountedEntry.ts'

/** A button that was added to the page of an instance. */
export type PageEntry = { change(props: ButtonValues): void; remove(): void }

/** The buttons and the modal of an instance in the page. */
export type PageControls = {
  add(entry: Omit<MountedEntry, 'key'>): PageEntry
  /** Renders the modal. Returns a function that ends the use. */
  enter(): () => void
  /** Changes the look of all buttons. Undefined values stay unchanged. */
  setLook(look: PageLook): void
}

/** The page of each instance. The first use starts the instance, and the last one to leave stops it. */
export const pageFeature: FeatureKey<PageControls> = defineFeature((latchkey) =>
  createPage((store) => startRendering({ latchkey, store })),
)

function createPage(startPage: (store: StoreApi<Page>) => () => void): PageControls {
  const store = createStore<Page>(() => ({ look: {}, entries: [] }))
  let nextKey = 1
  let users = 0
  let stop = (): void => {}
  const setEntries = (change: (entries: readonly MountedEntry[]) => readonly MountedEntry[]): void =>
    store.setState(({ look, entries }) => ({ look, entries: change(entries) }), true)
  function enter(): () => void {
    users += 1
    if (users === 1) stop = startPage(store)
    let isUsed = true
    return () => {
      if (!isUsed) return
      isUsed = false
      // An element that moves in the page leaves and enters at once.
      queueMicrotask(() => {
        users -= 1
        if (users === 0) stop()
      })
    }
  }
  return {
    enter,
    add(entry) {
      const key = nextKey
      nextKey += 1
      setEntries((entries) => [...entries, { ...entry, key }])
      const leave = enter()
      return {
        change: (props) =>
          setEntries((entries) => entries.map((each) => (each.key === key ? { ...each, props } : each))),
        remove() {
          setEntries((entries) => entries.filter((each) => each.key !== key))
          leave()
        },
      }
    },
    setLook(look) {
      const changed = Object.fromEntries(Object.entries(look).filter(([, value]) => value !== undefined))
      store.setState(({ entries, look: before }) => ({ entries, look: { ...before, ...changed } }), true)
    },
  }
}

/** Starts an instance, loads React and renders the buttons. */
function startRendering({ latchkey, store }: { latchkey: Latchkey; store: StoreApi<Page> }): () => void {
  const stopInstance = start(latchkey)
  let isStopped = false
  let stopPage = (): void => {}
  import('./renderButtons.tsx').then(
    ({ renderButtons }) => {
      if (!isStopped) stopPage = renderButtons({ latchkey, store })
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
