import type { Latchkey } from '@latchkey/core'
import { defineFeature, getFeature } from '@latchkey/core/internal'
import { useEffect, useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatchkey } from './context.ts'

/** Imports a chunk. The function's identity is the key of the chunk. */
export type Load<module extends object> = () => Promise<module>

/** The module of each chunk, or `failed`. A chunk that is loading has no entry. */
type Outcomes = ReadonlyMap<Load<object>, object | 'failed'>
type Chunks = { outcomes: StoreApi<Outcomes>; loading: Set<Load<object>> }

const chunksFeature = defineFeature((): Chunks => ({
  outcomes: createStore<Outcomes>(() => new Map()),
  loading: new Set<Load<object>>(),
}))

function chunksOf(latchkey: Latchkey): Chunks {
  return getFeature(latchkey, chunksFeature)
}

/**
 * Loads a chunk, unless it is loaded or loading. A failed chunk is loaded again.
 *
 * @param then called with the module once it is loaded
 */
export function preload<module extends object>(
  latchkey: Latchkey,
  load: Load<module>,
  then: (module: module) => void = () => {},
): void {
  const { outcomes, loading } = chunksOf(latchkey)
  const present = outcomes.getState().get(load)
  if (loading.has(load) || (present !== undefined && present !== 'failed')) return
  const put = (outcome: object | 'failed'): void => {
    loading.delete(load)
    outcomes.setState(new Map([...outcomes.getState(), [load, outcome]]), true)
  }
  loading.add(load)
  load().then(
    (module) => {
      put(module)
      then(module)
    },
    () => put('failed'),
  )
}

/**
 * Returns a chunk, and loads it if `wanted`. A loaded chunk is returned at once, without a suspended render.
 *
 * @returns the module, `'failed'`, or `undefined` while it is loading
 */
export function useChunk<module extends object>(
  load: Load<module> | undefined,
  wanted: boolean = true,
): module | 'failed' | undefined {
  return useChunkOf(useLatchkey(), load, wanted)
}

/** Like `useChunk`, for components outside of a provider. */
export function useChunkOf<module extends object>(
  latchkey: Latchkey,
  load: Load<module> | undefined,
  wanted: boolean,
): module | 'failed' | undefined {
  const { subscribe, getState } = chunksOf(latchkey).outcomes
  const outcome = useSyncExternalStore(
    subscribe,
    () => (load === undefined ? undefined : getState().get(load)),
    () => undefined,
  )
  useEffect(() => {
    if (wanted && load !== undefined) preload(latchkey, load)
  }, [latchkey, load, wanted])
  // The map holds for each function the value that it resolved to.
  return outcome as module | 'failed' | undefined
}
