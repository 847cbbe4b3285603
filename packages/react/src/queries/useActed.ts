import { companion } from '@latchkey/core'
import { useEffect } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatchkey } from '../context.ts'
import { useStore } from '../useStore.ts'

const actedKey = Symbol('acted')
const acts = ['pointermove', 'pointerdown', 'keydown'] as const

/**
 * Whether the visitor did anything yet. A modal that floats was asked for; one that is part of the page came with it,
 * and must not ask anybody before the page's visitor moves.
 */
export function useActed(): boolean {
  const latchkey = useLatchkey()
  const store = companion(latchkey, actedKey, (): StoreApi<boolean> => createStore(() => false))
  const acted = useStore(store)
  const embedded = useStore(latchkey.embeds) > 0
  useEffect(() => {
    if (acted) return
    const act = (): void => store.setState(true, true)
    for (const name of acts) addEventListener(name, act, { once: true, passive: true })
    return () => acts.forEach((name) => removeEventListener(name, act))
  }, [acted, store])
  return acted || !embedded
}
