import { defineFeature, getFeature } from '@latchkey/core/internal'
import { modalOf } from '@latchkey/modal'
import { useEffect } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatchkey } from '../context.ts'
import { useStore } from '../useStore.ts'

const actedStore = defineFeature((): StoreApi<boolean> => createStore(() => false))
const acts = ['pointermove', 'pointerdown', 'keydown'] as const

/**
 * Returns true once the user acted. A floating modal was opened by the user. An embedded one is part of the page, and must
 * not contact any other origin before the user acts.
 */
export function useHasActed(): boolean {
  const latchkey = useLatchkey()
  const store = getFeature(latchkey, actedStore)
  const acted = useStore(store)
  const embedded = useStore(modalOf(latchkey).embeds) > 0
  useEffect(() => {
    if (acted) return
    const act = (): void => store.setState(true, true)
    for (const name of acts) addEventListener(name, act, { once: true, passive: true })
    return () => acts.forEach((name) => removeEventListener(name, act))
  }, [acted, store])
  return acted || !embedded
}
